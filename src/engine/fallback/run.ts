import {
  type Decision,
  type EngineEvent,
  type Evidence,
  type Failure,
  lastFailureOf,
  type ModelId,
  type Step,
  standingOf,
  step,
} from '../index';
import { type Ended, waitFor } from './ask-once';
import { eventsOf, type FallbackEvent } from './events';
import { FallbackExhaustedError, reasonFor, soonestOf } from './exhausted-error';
import { evidenceBy } from './named-evidence';
import type { FallbackClock, FallbackOptions, Plan } from './options';
import { createPool, type Pool, restoreHealth } from './pool';
import { innerController, type SignalSlice, type StopSignal } from './stop-signal';

/** Below the engine's 200; further consults share the newest session. */
const SESSIONS_MAX = 150;
/** Used without a source of randomness. */
const NO_CHANCE = 0.5;

export type Host = {
  readonly clock: FallbackClock;
  readonly plan: Plan;
  readonly pool: Pool;
  readonly directory: string;
  /** Null uses the chain. */
  pinned: ModelId | null;
  readonly disposal: ReturnType<typeof innerController>;
  readonly hear: ((event: FallbackEvent) => void) | null;
  readonly evidence: (error: unknown, model: ModelId) => Evidence;
  consults: number;
  readonly sessions: Map<string, number>;
  newest: string;
};

/** A consult has its own session while there is room. */
export type Run = {
  readonly turn: string;
  readonly session: string;
  readonly signal: StopSignal | null;
  readonly trace: Decision[];
  readonly failures: Map<ModelId, Failure>;
  attempts: number;
  switches: number;
  lastError: unknown;
};

export function openHost<Question, Answer>(plan: Plan, options: FallbackOptions<Question, Answer>): Host {
  const { clock, pool = createPool(), saved, onEvent = null } = options;
  if (saved !== undefined) restoreHealth(pool, saved, clock.now());
  const host: Host = {
    clock,
    plan,
    pool,
    directory: `library-${++pool.seats}`,
    pinned: null,
    disposal: innerController(),
    hear: onEvent,
    evidence: evidenceBy(options),
    consults: 0,
    sessions: new Map(),
    newest: '',
  };
  configure(host);
  return host;
}

export function configure(host: Host): void {
  const { plan, pinned, directory } = host;
  const agents = plan.scope.agents['*'];
  const config =
    pinned === null || !agents
      ? plan.scope
      : { ...plan.scope, backupModel: null, agents: { '*': { ...agents, chain: [pinned] } } };
  tell(host, { type: 'scope.configured', directory, config });
}

export function tell(host: Host, event: EngineEvent): Step {
  const { pool, clock, hear } = host;
  const result = step(pool.state, event, clock.now(), clock.random?.() ?? NO_CHANCE);
  pool.state = result.state;
  if (hear) for (const each of eventsOf(result)) quietly(() => hear(each));
  return result;
}

/** Listener errors must not reach the consult. */
function quietly(call: () => void): void {
  try {
    call();
  } catch {
    // silent: the options document that errors of this callback are ignored
  }
}

function decisionOn(host: Host, run: Run, event: EngineEvent): Decision | null {
  const decision = tell(host, event).decisions[0] ?? null;
  if (decision) run.trace.push(decision);
  return decision;
}

export function openRun(host: Host, signal: StopSignal | null): Run {
  const turn = `${host.directory}:${++host.consults}`;
  const session = host.sessions.size < SESSIONS_MAX ? turn : host.newest;
  host.newest = session;
  host.sessions.set(session, (host.sessions.get(session) ?? 0) + 1);
  return { turn, session, signal, trace: [], failures: new Map(), attempts: 0, switches: 0, lastError: undefined };
}

export function closeRun(host: Host, { session }: Run): void {
  const left = (host.sessions.get(session) ?? 1) - 1;
  if (left > 0) {
    host.sessions.set(session, left);
    return;
  }
  host.sessions.delete(session);
  tell(host, { type: 'session.closed', session });
}

/** @throws FallbackExhaustedError if no model is available. */
export function firstModel(host: Host, run: Run): ModelId {
  const lead = host.pinned ?? host.plan.lead;
  const { turn, session } = run;
  const { directory } = host;
  const who = { turn, session, directory, agent: turn, model: lead, hostLead: lead, isExplicit: true };
  const decision = decisionOn(host, run, { type: 'prompt.submitted', ...who });
  if (!decision) return lead;
  const model = targetOf(host, run, decision);
  // A library has no user to try an unavailable single model: only a blocked one, which waiting does not fix, is
  // called.
  const { state, use } = standingOf(host.pool.state, model, host.clock.now());
  if (decision.code === 'keep.native' && use === 'out' && state !== 'blocked') throw exhausted(host, run, decision);
  return model;
}

/** @throws FallbackExhaustedError if the decision has no model. */
function targetOf(host: Host, run: Run, decision: Decision): ModelId {
  const { action } = decision;
  if ('to' in action) return action.to;
  throw exhausted(host, run, decision);
}

export type Started = Readonly<{ attempt: string; model: ModelId }>;

/** @throws FallbackExhaustedError if the decision has no model. */
export async function follow(host: Host, run: Run, decision: Decision): Promise<ModelId> {
  const { action } = decision;
  if (action.kind === 'hold') await waitFor(host.clock, action.waitMs, signalsOf(host, run));
  return targetOf(host, run, decision);
}

/** The engine may select another model first, or require a wait. */
export function start(host: Host, run: Run, wanted: ModelId): Started | Decision {
  const { turn, session } = run;
  const { directory } = host;
  let model = wanted;
  for (;;) {
    const attempt = `${turn}:${run.attempts + 1}`;
    const who = { attempt, turn, session, directory, agent: turn, model, purpose: 'turn' } as const;
    const refusal = decisionOn(host, run, { type: 'attempt.started', ...who });
    if (!refusal) {
      run.attempts++;
      return { attempt, model };
    }
    if (refusal.action.kind === 'hold') return refusal;
    model = targetOf(host, run, refusal);
  }
}

type Unanswered = Exclude<Ended<never>, Readonly<{ kind: 'answered' }>>;

/** @throws the call's own error if no other model would help. */
export function afterwards(
  host: Host,
  run: Run,
  { attempt, model, ended, durationMs }: Started & Readonly<{ ended: Unanswered; durationMs: number }>,
): Decision {
  if (ended.kind === 'stopped') {
    tell(host, { type: 'attempt.aborted', attempt });
    throw ended.reason;
  }
  run.lastError = ended.error;
  const evidence = host.evidence(ended.error, model);
  const decision = decisionOn(host, run, { type: 'attempt.failed', attempt, evidence, durationMs });
  if (!decision || decision.action.kind === 'pass') throw ended.error;
  if (decision.failure) run.failures.set(model, decision.failure);
  if ('to' in decision.action && decision.action.to !== model) run.switches++;
  return decision;
}

/** No other model can continue a started stream. */
export function lose(
  host: Host,
  run: Run,
  { attempt, model }: Started,
  { error, outputChars, durationMs }: Readonly<{ error: unknown; outputChars: number; durationMs: number }>,
): void {
  const shown = { phase: 'stream', outputChars: Math.max(1, outputChars) } as const;
  const evidence = { ...host.evidence(error, model), ...shown };
  decisionOn(host, run, { type: 'attempt.failed', attempt, evidence, durationMs });
}

function exhausted(host: Host, run: Run, { action, code, trace: seen }: Decision): FallbackExhaustedError {
  const reasons = seen.map((entry) =>
    reasonFor(entry, run.failures.get(entry.model), lastFailureOf(host.pool.state, entry.model)),
  );
  const { attempts, switches, trace } = run;
  // The engine's code describes a kept chain; the refusal is this host's.
  const isKept = action.kind !== 'exhausted';
  const soonest = isKept ? soonestOf(reasons) : action.soonest;
  const ending = { code: isKept ? 'exhausted.out' : code, reasons, soonest, attempts, switches, trace };
  return new FallbackExhaustedError(ending, run.lastError);
}

export const signalsOf = ({ disposal }: Host, { signal }: Run): readonly SignalSlice[] =>
  signal ? [signal, disposal.signal] : [disposal.signal];
