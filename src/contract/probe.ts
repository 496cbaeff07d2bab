import * as z from 'zod';
import { FAILURE_KINDS } from '../engine/names';
import { ModelId } from './acts';

const Took = z.number().nonnegative();

/** What became of one smallest real request to a model. */
export const ProbeResult = z.discriminatedUnion('ok', [
  /** `cost` in US dollars, as OpenCode counts it. */
  z.object({ ok: z.literal(true), tookMs: Took, cost: z.number().nonnegative() }),
  z.object({
    ok: z.literal(false),
    tookMs: Took,
    /** Null where no provider said anything: OpenCode is missing, or the time ran out. */
    kind: z.enum(FAILURE_KINDS).nullable(),
    status: z.int().nullable(),
    /** Redacted. */
    reason: z.string().max(500),
  }),
]);
export type ProbeResult = z.infer<typeof ProbeResult>;

/** What asking a model for real came to; `isBack` says whether it was out and is used again. */
export const ProbeAnswer = z.discriminatedUnion('accepted', [
  z.object({ accepted: z.literal(true), rev: z.int(), result: ProbeResult, isBack: z.boolean() }),
  z.object({ accepted: z.literal(false), reason: z.string() }),
]);
export type ProbeAnswer = z.infer<typeof ProbeAnswer>;

/** Asking a model for real, and how soon models answer. */
export const probeQueries = {
  /**
   * One smallest real request with the login of the user; it takes 90 s at most. A model that answers is used again; chains
   * stay as they are. Refused when `rev` is older than the model's last change, and while another probe is under way.
   */
  'model.probe': { input: z.object({ model: ModelId, rev: z.int().nonnegative() }), output: ProbeAnswer },
  /** Half of the answers of the last 24 hours began sooner, in ms, for each model that gave one. */
  'models.latency': { input: z.null(), output: z.array(z.object({ model: z.string(), firstWordMs: Took })) },
} as const;
