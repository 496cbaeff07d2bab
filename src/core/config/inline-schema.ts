import * as z from 'zod';
import { later } from '../base/later';
import { AgentEntry, ConfigFile, ModelName } from './schema';

const InlineModel = later(() =>
  z.union([
    ModelName,
    z.union([
      z.looseObject({ providerID: z.string(), modelID: z.string() }),
      z.looseObject({ providerID: z.string(), id: z.string() }),
    ]),
  ]),
);
const InlineModels = later(() => z.array(InlineModel));

/** In the shape of issue 7602 a bare name means every OpenCode model with that name. */
const NameAlone = z.string().regex(/^[^/*\s](?:[^/*]*[^/*\s])?$/);

/** In tiers a name without a provider means the models of that name in the agent's list. */
const InlineTier = later(() =>
  z.looseObject({
    name: z.string().optional(),
    models: z.array(z.union([z.string().min(1), InlineModel])),
  }),
);

const InlineFallback = later(() =>
  z.looseObject({
    enabled: z.boolean().optional(),
    models: InlineModels.optional(),
    maxRetries: AgentEntry.unwrap().shape.maxRetries,
    circuitBreaker: AgentEntry.unwrap().shape.circuitBreaker,
    extendedChain: z.looseObject({ enabled: z.boolean().optional(), tiers: z.array(InlineTier).optional() }).optional(),
    triage: z.never().optional(),
  }),
);

/** A value that is no list may have another meaning, which we do not check. */
const another = [z.record(z.string(), z.unknown()), z.string()] as const;
const OrAnother = later(() => z.union([InlineModels, ...another]));
const NamesOrAnother = later(() => z.union([z.array(z.union([InlineModel, NameAlone])), ...another]));

const InlineAgent = later(() =>
  z.looseObject({
    fallback_models: InlineModels.optional(),
    fallback: z.union([InlineModels, InlineFallback]).optional(),
    models: OrAnother.optional(),
    currentModel: InlineModel.optional(),
    model: z.union([z.string(), z.looseObject({ fallback: NamesOrAnother.optional() })]).optional(),
  }),
);

export const InlineKeys = later(() =>
  z.looseObject({
    agent: z.record(z.string(), InlineAgent).optional(),
    agents: z.record(z.string(), InlineAgent).optional(),
    fallback: z.looseObject({ enabled: z.boolean().optional(), triage: ConfigFile.unwrap().shape.triage }).optional(),
  }),
);
