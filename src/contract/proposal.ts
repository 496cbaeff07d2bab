import * as z from 'zod';
import { ModelAbilities } from './snapshot';

/** Reasons for a model's position in a proposed chain. */
const ProposalCode = z.enum([
  /** The agent uses it now. */
  'present',
  /** The present model is unknown: the best of its provider, as OpenCode selects it. */
  'first',
  'other_vendor',
  /** Its vendor is already in the chain, through another provider. */
  'other_provider',
  /** Its provider is already in the chain: no help if the whole provider fails. */
  'same_provider',
  /** Its context is less than half of the first model's. */
  'smaller',
  /** Runs on this machine: slower, but independent of providers. */
  'local',
]);
export type ProposalCode = z.infer<typeof ProposalCode>;

const ProposedModel = z.object({ model: z.string(), code: ProposalCode, abilities: ModelAbilities });
export type ProposedModel = z.infer<typeof ProposedModel>;

/** Without an agent, a problem concerns all proposals. */
const ProposalProblem = z.object({
  code: z.enum([
    /** OpenCode has not listed its models yet. */
    'models.unlisted',
    /** No model can use tools. */
    'models.none',
    /** Only one vendor is connected. */
    'vendor.single',
    /** No other vendor has a model comparable to `model`. */
    'vendor.unfit',
    /** The chain is limited to `model`'s vendor, and no other model of it fits. */
    'vendor.locked',
    /** OpenCode lacks the agent's `model`. */
    'lead.unlisted',
  ]),
  agent: z.string().nullable(),
  model: z.string().nullable(),
});
export type ProposalProblem = z.infer<typeof ProposalProblem>;

export const ProposedChains = z.object({
  /** Null before OpenCode's first list: then nothing is proposed. */
  listed: z
    .object({
      /** Unix ms. */
      at: z.number(),
      /** The requested directory, unless it has no list. */
      directory: z.string(),
    })
    .nullable(),
  proposals: z.array(
    z.object({
      /** `*` stands for every agent without a chain. */
      agent: z.string(),
      /** Its present model; null if unknown. */
      lead: z.string().nullable(),
      models: z.array(ProposedModel),
      /** Its configured chain. */
      existing: z.array(z.string()).nullable(),
    }),
  ),
  problems: z.array(ProposalProblem),
});
export type ProposedChains = z.infer<typeof ProposedChains>;
