import * as z from 'zod';
import { ModelAbilities } from './snapshot';

/** Why a model stands where it does in a chain that is proposed. */
const ProposalCode = z.enum([
  /** The agent uses it now. */
  'present',
  /** Nobody knows what the agent uses now: the best of its provider, as OpenCode itself would take it. */
  'first',
  'other_vendor',
  /** Of a vendor that is in the chain already, by way of another provider. */
  'other_provider',
  /** Of a provider that is in the chain already: it helps when one model is out, not when all are. */
  'same_provider',
  /** It holds less than half of what the first model does. */
  'smaller',
  /** It runs on this machine: slower, and there when nothing else is. */
  'local',
]);
export type ProposalCode = z.infer<typeof ProposalCode>;

const ProposedModel = z.object({ model: z.string(), code: ProposalCode, abilities: ModelAbilities });
export type ProposedModel = z.infer<typeof ProposedModel>;

/** What stands in the way of a good proposal; without an agent it is so for all of them. */
const ProposalProblem = z.object({
  code: z.enum([
    /** OpenCode has not yet told which models it has. */
    'models.unlisted',
    /** None of its models can use tools. */
    'models.none',
    /** Only one vendor is connected. */
    'vendor.single',
    /** None of another vendor is comparable to `model`. */
    'vendor.unfit',
    /** The chain keeps to the vendor of `model`, and no other model of that one fits. */
    'vendor.locked',
    /** OpenCode does not have the agent's own `model`. */
    'lead.unlisted',
  ]),
  agent: z.string().nullable(),
  model: z.string().nullable(),
});
export type ProposalProblem = z.infer<typeof ProposalProblem>;

/** Chains proposed for a directory, of what OpenCode listed there last. */
export const ProposedChains = z.object({
  /** Null when it has not listed anything yet: then nothing is proposed. */
  listed: z
    .object({
      /** When, in Unix ms. */
      at: z.number(),
      /** Where; the directory asked for, unless nothing is known of that. */
      directory: z.string(),
    })
    .nullable(),
  proposals: z.array(
    z.object({
      /** `*` stands for every agent without a chain of its own. */
      agent: z.string(),
      /** The model it uses now; null when nobody knows. */
      lead: z.string().nullable(),
      models: z.array(ProposedModel),
      /** The chain it has, as it is written; null when it has none. */
      existing: z.array(z.string()).nullable(),
    }),
  ),
  problems: z.array(ProposalProblem),
});
export type ProposedChains = z.infer<typeof ProposedChains>;
