import * as z from 'zod';
import type { EngineEvent } from '../engine';
import { FAILURE_KINDS } from '../engine';
import { Id, ModelRef, safeText } from './text';

/** Ten years: nothing of ours lasts longer, and sums of it stay exact. */
const LONGEST_MS = 315_360_000_000;
const Ms = z.number().nonnegative().max(LONGEST_MS);
const Count = z.int().nonnegative();

const PolicyStep = z.discriminatedUnion('step', [
  z.object({ step: z.literal('waitHint'), maxMs: Ms }),
  z.object({ step: z.literal('retry'), n: Count }),
  z.object({ step: z.literal('wait'), ms: Ms }),
  z.object({ step: z.literal('continue'), n: Count }),
  z.object({ step: z.enum(['switch', 'switchLarger', 'compact', 'ask', 'defer', 'hold', 'return']) }),
]);

const AgentPlan = z.object({
  chain: z.array(ModelRef).max(100),
  policy: z.record(z.enum(FAILURE_KINDS), z.array(PolicyStep).max(10)),
});

/** One directory's resolved configuration on the wire. */
export const ScopeConfig = z.object({
  enabled: z.boolean(),
  health: z.object({
    cooldownMs: Ms,
    quotaCooldownMs: Ms,
    retryOriginalAfterMs: Ms,
    restMs: Ms,
    breaker: z.object({
      failureThreshold: z.int().positive(),
      windowMs: Ms,
      cooldownMs: Ms,
      growth: z.number().min(1).max(1000),
    }),
    network: z.object({ failureThreshold: z.int().positive(), cooldownMs: Ms }),
  }),
  maxFallbackDepth: Count,
  onExhausted: z.enum(['error', 'native']),
  backupModel: ModelRef.nullable(),
  agents: z.record(safeText(100), AgentPlan),
});

const Directory = safeText(4096);
const Evidence = z.object({
  phase: z.enum(['headers', 'body', 'stream', 'watchdog']),
  status: z.int().optional(),
  code: safeText(200).optional(),
  message: safeText(2000).optional(),
  headers: z.record(safeText(80), safeText(200)).optional(),
  observed: z.enum(['early_termination', 'empty_response', 'stream_interrupted', 'timeout', 'aborted']).optional(),
  outputChars: Count.optional(),
  mapped: z.object({ kind: z.enum(FAILURE_KINDS), needsUser: z.boolean().optional() }).optional(),
  hintMs: Ms.optional(),
  seenAt: z.number().nonnegative().optional(),
});
const Decided = z.object({
  kind: z.enum(['switch', 'redirect', 'home', 'keep', 'hold', 'pass', 'exhausted']),
  to: ModelRef.optional(),
  waitMs: Ms.optional(),
  code: safeText(100),
});

/** What a companion may tell the app. Events that only a person or the app may cause are not in this list. */
export const CompanionEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('scope.configured'), directory: Directory, config: ScopeConfig }),
  z.object({ type: z.literal('scope.closed'), directory: Directory }),
  z.object({
    type: z.literal('prompt.submitted'),
    turn: Id,
    session: Id,
    parentSession: Id.optional(),
    directory: Directory,
    agent: safeText(100),
    model: ModelRef,
    hostLead: ModelRef.nullable(),
    isExplicit: z.boolean(),
    decided: Decided.optional(),
  }),
  z.object({
    type: z.literal('attempt.started'),
    attempt: Id,
    turn: Id,
    session: Id,
    parentSession: Id.optional(),
    directory: Directory,
    agent: safeText(100),
    model: ModelRef,
    purpose: z.enum(['turn', 'internal']),
    decided: Decided.optional(),
  }),
  z.object({
    type: z.literal('attempt.failed'),
    attempt: Id,
    evidence: Evidence,
    durationMs: Ms,
    decided: Decided.optional(),
  }),
  z.object({ type: z.literal('attempt.succeeded'), attempt: Id, durationMs: Ms, firstTokenMs: Ms, outputChars: Count }),
  z.object({ type: z.literal('attempt.aborted'), attempt: Id }),
  z.object({
    type: z.literal('switch.carried'),
    turn: Id,
    from: ModelRef,
    ok: z.boolean(),
    durationMs: Ms,
    reason: safeText(300).optional(),
  }),
  z.object({ type: z.literal('session.idle'), session: Id }),
  z.object({ type: z.literal('session.closed'), session: Id }),
]);
export type CompanionEvent = z.infer<typeof CompanionEvent>;

const At = z.number();
const AnyMs = z.number();
const Kind = z.enum(FAILURE_KINDS);
const BreakerCommon = { generation: z.int(), serial: z.int(), trips: z.int().nonnegative() };
const Health = z.object({
  breaker: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('closed'), ...BreakerCommon, failures: z.array(AnyMs).max(1000) }),
    z.object({ kind: z.literal('open'), ...BreakerCommon, until: AnyMs }),
    z.object({
      kind: z.literal('halfOpen'),
      ...BreakerCommon,
      probe: z.object({ serial: z.int(), since: AnyMs }).nullable(),
    }),
  ]),
  limit: z
    .object({ kind: Kind, until: At, preferAt: At, source: z.enum(['provider', 'estimate']), since: At })
    .nullable(),
  rest: z.object({ kind: Kind, until: At, since: At }).nullable(),
  block: z.object({ kind: Kind, since: At }).nullable(),
  last: z.object({ kind: Kind, status: z.int().nullable(), message: safeText(500), at: At }).nullable(),
  calls: Count,
  failed: Count,
  directory: Directory.nullable(),
});

/** Health of all models and providers on the wire; every time is milliseconds from the moment it was sent. */
export const SyncedHealth = z.object({
  models: z.array(z.tuple([ModelRef, Health])).max(5000),
  providers: z.array(z.tuple([safeText(200), Health])).max(1000),
});

/** An event of the engine, seen from the wire: the schema has checked it, so the engine may have it. */
export function asEngineEvent(event: CompanionEvent): EngineEvent {
  // zod infers optional fields as `T | undefined`; the engine never tells an absent field from an undefined one.
  return event as EngineEvent;
}
