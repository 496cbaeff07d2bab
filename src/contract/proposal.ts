import * as z from 'zod';
import { ModelAbilities } from './snapshot';

const ProposalCode = z.enum([
  /** The agent uses it now. */
  'present',
  /** Best of its provider, as OpenCode selects it. */
  'first',
  'other_vendor',
  /** Vendor already in the chain, through another provider. */
  'other_provider',
  /** Its provider is already in the chain: no help if the whole provider fails. */
  'same_provider',
  /** Less than half of the first model's context. */
  'smaller',
  /** It runs on this machine. */
  'local',
]);
export type ProposalCode = z.infer<typeof ProposalCode>;

const ProposedModel = z.object({ model: z.string(), code: ProposalCode, abilities: ModelAbilities });
export type ProposedModel = z.infer<typeof ProposedModel>;

const ProposalProblem = z.object({
  code: z.enum([
    'models.unlisted',
    /** No model can use tools. */
    'models.none',
    /** Only one vendor is connected. */
    'vendor.single',
    /** Only one vendor has models comparable to `model`. */
    'vendor.unfit',
    /** The chain is limited to `model`'s vendor, and no other model of it fits. */
    'vendor.locked',
    'lead.unlisted',
  ]),
  agent: z.string().nullable(),
  model: z.string().nullable(),
});
export type ProposalProblem = z.infer<typeof ProposalProblem>;

export const ProposedChains = z.object({
  /** Null before OpenCode's first list. */
  listed: z
    .object({
      /** Unix ms. */
      at: z.number(),
      /** The requested directory, if it has a list. */
      directory: z.string(),
    })
    .nullable(),
  proposals: z.array(
    z.object({
      /** `*`: every agent without a chain. */
      agent: z.string(),
      lead: z.string().nullable(),
      models: z.array(ProposedModel),
      existing: z.array(z.string()).nullable(),
    }),
  ),
  problems: z.array(ProposalProblem),
});
export type ProposedChains = z.infer<typeof ProposedChains>;
