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

/** Sessions open at once, below the 200 the engine keeps; beyond it consults share the newest one. */
const SESSIONS_MAX = 150;
/** Without a source of chance every draw is the middle one. */
const NO_CHANCE = 0.5;

/** The engine of one fallback, and what is under way in it. */
export type Host = {
  readonly clock: FallbackClock;
  readonly plan: Plan;
  /** What is known of models, perhaps shared with others. */
  readonly pool: Pool;
  /** The scope of all its consults: they share chain and policy. */
  readonly directory: string;
  /** Whom a person has held it on; null for whoever the chain says. */
  pinned: ModelId | null;
  /** Raised when it is no longer to be used. */
  readonly disposal: ReturnType<typeof innerController>;
  readonly hear: ((event: FallbackEvent) => void) | null;
  readonly evidence: (error: unknown, model: ModelId) => Evidence;
  consults: number;
  /** Consults under way in each open session. */
  readonly sessions: Map<string, number>;
  newest: string;
};

/** One consult: a turn of its own, in a session of its own as long as there is room. */
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

/** An engine that knows the plan and nothing else yet. */
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

/** Tells the engine who may be asked. */
export function configure(host: Host): void {
  const { plan, pinned, directory } = host;
  const agents = plan.scope.agents['*'];
  const config =
    pinned === null || !agents
      ? plan.scope
      : { ...plan.scope, backupModel: null, agents: { '*': { ...agents, chain: [pinned] } } };
  tell(host, { type: 'scope.configured', directory, config });
}

/** Tells the engine one event, now; what has become due by time alone it sees by itself. */
export function tell(host: Host, event: EngineEvent): Step {
  const { pool, clock, hear } = host;
  const result = step(pool.state, event, clock.now(), clock.random?.() ?? NO_CHANCE);
  pool.state = result.state;
  if (hear) for (const each of eventsOf(result)) quietly(() => hear(each));
  return result;
}

/** A listener's fault is none of the consult's. */
function quietly(call: () => void): void {
  try {
    call();
  } catch {
    // silent: the options document that errors of this callback are ignored
  }
}

/** Tells an event that may need a decision, which goes on record; null when nothing is to be done. */
function decisionOn(host: Host, run: Run, event: EngineEvent): Decision | null {
  const decision = tell(host, event).decisions[0] ?? null;
  if (decision) run.trace.push(decision);
  return decision;
}

/** Opens a consult. Whoever opens it closes it. */
export function openRun(host: Host, signal: StopSignal | null): Run {
  const turn = `${host.directory}:${++host.consults}`;
  const session = host.sessions.size < SESSIONS_MAX ? turn : host.newest;
  host.newest = session;
  host.sessions.set(session, (host.sessions.get(session) ?? 0) + 1);
  return { turn, session, signal, trace: [], failures: new Map(), attempts: 0, switches: 0, lastError: undefined };
}

/** Ends a consult; nothing of it stays but the health of its models. */
export function closeRun(host: Host, { session }: Run): void {
  const left = (host.sessions.get(session) ?? 1) - 1;
  if (left > 0) {
    host.sessions.set(session, left);
    return;
  }
  host.sessions.delete(session);
  tell(host, { type: 'session.closed', session });
}

/** Who is asked first. @throws FallbackExhaustedError when nobody may be. */
export function firstModel(host: Host, run: Run): ModelId {
  const lead = host.pinned ?? host.plan.lead;
  const { turn, session } = run;
  const { directory } = host;
  const who = { turn, session, directory, agent: turn, model: lead, hostLead: lead, isExplicit: true };
  const decision = decisionOn(host, run, { type: 'prompt.submitted', ...who });
  if (!decision) return lead;
  const model = targetOf(host, run, decision);
  // Alone, a model that is out is left to the person who asks. Nobody sits here: only what waiting cannot mend, because it
  // needs a person, may be tried that way.
  const { state, use } = standingOf(host.pool.state, model, host.clock.now());
  if (decision.code === 'keep.native' && use === 'out' && state !== 'blocked') throw exhausted(host, run, decision);
  return model;
}

/** Whom a decision names. @throws FallbackExhaustedError when it names nobody. */
function targetOf(host: Host, run: Run, decision: Decision): ModelId {
  const { action } = decision;
  if ('to' in action) return action.to;
  throw exhausted(host, run, decision);
}

export type Started = Readonly<{ attempt: string; model: ModelId }>;

/** Waits as long as a decision says. @returns whom it names. @throws FallbackExhaustedError when it names nobody. */
export async function follow(host: Host, run: Run, decision: Decision): Promise<ModelId> {
  const { action } = decision;
  if (action.kind === 'hold') await waitFor(host.clock, action.waitMs, signalsOf(host, run));
  return targetOf(host, run, decision);
}

/** Takes the permit of a call; the engine may name another model first, or ask for a wait. */
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

/** What to do after a call that brought no answer. @throws the call's own error where no other model would help. */
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

/** A stream has broken off after its first piece: its model has failed, and nobody can take up what was shown. */
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
  // A chain that was kept although nobody is usable carries an engine code that says so; the refusal is this host's own.
  const isKept = action.kind !== 'exhausted';
  const soonest = isKept ? soonestOf(reasons) : action.soonest;
  const ending = { code: isKept ? 'exhausted.out' : code, reasons, soonest, attempts, switches, trace };
  return new FallbackExhaustedError(ending, run.lastError);
}

/** Who may stop a consult: its caller, and whoever disposes of the fallback. */
export const signalsOf = ({ disposal }: Host, { signal }: Run): readonly SignalSlice[] =>
  signal ? [signal, disposal.signal] : [disposal.signal];
