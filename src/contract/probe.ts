import * as z from 'zod';
import { FAILURE_KINDS } from '../engine/names';
import { ModelId } from './acts';

const Took = z.number().nonnegative();

export const ProbeResult = z.discriminatedUnion('ok', [
  /** US dollars, as OpenCode counts it. */
  z.object({ ok: z.literal(true), tookMs: Took, cost: z.number().nonnegative() }),
  z.object({
    ok: z.literal(false),
    tookMs: Took,
    /** Null without a response: OpenCode is missing, or time ran out. */
    kind: z.enum(FAILURE_KINDS).nullable(),
    status: z.int().nullable(),
    /** Redacted. */
    reason: z.string().max(500),
  }),
]);
export type ProbeResult = z.infer<typeof ProbeResult>;

/** `isBack`: it was unavailable and is used again. */
export const ProbeAnswer = z.discriminatedUnion('accepted', [
  z.object({ accepted: z.literal(true), rev: z.int(), result: ProbeResult, isBack: z.boolean() }),
  z.object({ accepted: z.literal(false), reason: z.string() }),
]);
export type ProbeAnswer = z.infer<typeof ProbeAnswer>;

export const probeQueries = {
  /**
   * Sends one minimal real request with the user's login, at most 90 s. Rejected if `rev` is older than the model's
   * last change, and during another probe.
   */
  'model.probe': { input: z.object({ model: ModelId, rev: z.int().nonnegative() }), output: ProbeAnswer },
  /** Median over 24 hours, in ms. */
  'models.latency': { input: z.null(), output: z.array(z.object({ model: z.string(), firstWordMs: Took })) },
} as const;
