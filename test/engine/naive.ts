import { type EngineEvent, type EngineState, type Evidence, initialState, standingOf, step } from '../../src/engine';
import { DIRECTORY, HOUR, MINUTE, scope } from './harness';

/** The health of a model as the specification words it: slow, plain, and written without a look at the engine. */
type Naive = {
  failures: number[];
  openUntil: number | null;
  isHalfOpen: boolean;
  probe: { attempt: string; at: number } | null;
  generation: number;
  limitUntil: number;
  /** The step at which it was last told so. */
  limitedIn: number;
  isBlocked: boolean;
  blockedIn: number;
  heldUntil: number;
  /** When a call of it failed last. */
  failedAt: number;
  calls: number;
  ended: number;
};
/** `isAmid`: in the very millisecond in which another call of its model had just failed. */
type Sent = { model: string; generation: number; in: number; at: number; isAmid: boolean };

const MODELS = ['a/1', 'b/1', 'c/1', 'd/1'] as const;
const LEASE_MS = 600_000;
const HELD_MS = 600_000;
const KINDS = {
  counted: { phase: 'body', status: 500, message: 'Internal error' },
  overloaded: { phase: 'body', status: 529, message: 'Overloaded' },
  limited: { phase: 'body', status: 429, message: 'Rate limit reached' },
  blocked: { phase: 'body', status: 401, message: 'Invalid API key' },
  neutral: { phase: 'body', status: 400, message: 'Bad schema' },
} as const satisfies Record<string, Evidence>;
type Kind = keyof typeof KINDS;
const WEIGHTED: readonly Kind[] = ['counted', 'counted', 'counted', 'overloaded', 'limited', 'blocked', 'neutral'];

/** mulberry32: a small seeded source of numbers in [0, 1). */
export function seeded(seed: number): () => number {
  let at = seed >>> 0;
  return () => {
    at = (at + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(at ^ (at >>> 15), at | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Plays one random history through the engine and through the naive model, and compares them after each step.
 *
 * @returns what went wrong first, in words; null when nothing did.
 */
export function disagreement(seed: number, steps: number): string | null {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const naive = new Map<string, Naive>(MODELS.map((model) => [model, fresh()]));
  const sent = new Map<string, Sent>();
  const log: { at: number; sample: number; event: EngineEvent }[] = [];
  let state: EngineState = initialState;
  let now = 0;

  const tell = (event: EngineEvent): ReturnType<typeof step> => {
    const sample = random();
    log.push({ at: now, sample, event });
    const result = step(state, event, now, sample);
    state = result.state;
    for (const fact of result.facts) {
      if (fact.type !== 'model.changed') continue;
      const model = naive.get(fact.model) as Naive;
      // When a model flaps is proved elsewhere; here it counts that it is held for ten minutes, no longer.
      if (fact.to === 'held') model.heldUntil = now + HELD_MS;
    }
    return result;
  };
  tell({ type: 'scope.configured', directory: DIRECTORY, config: scope({ chain: MODELS }) });

  for (let n = 0; n < steps; n++) {
    now += pick([0, 1, 1_000, 1_000, MINUTE, MINUTE, 5 * MINUTE, 10 * MINUTE, HOUR - 1, HOUR]);
    const model = pick(MODELS);
    const attempts = [...sent.keys()];
    const attempt = attempts.length > 0 ? pick(attempts) : null;
    const what = random();
    if (attempt === null || what < 0.45) start(`x${n}`, model, n);
    else if (what < 0.75) fail(attempt, pick(WEIGHTED), n);
    else if (what < 0.9) succeed(attempt);
    else if (what < 0.95) abort(attempt);
    else if (what < 0.98) tell({ type: 'tick' });
    else reset(model);
    const wrong = compared(n);
    if (wrong) return `seed ${seed}: ${wrong}`;
  }
  return replayed();

  function start(attempt: string, model: string, n: number): void {
    const turn = `t${n}`;
    const ask = { turn, session: 's', directory: DIRECTORY, agent: 'build', model } as const;
    const decided = { kind: 'keep', to: model, code: 'keep.lead' } as const;
    tell({ type: 'prompt.submitted', ...ask, hostLead: 'a/1', isExplicit: true, decided });
    const known = naive.get(model) as Naive;
    const isUsable = shown(known) === 'usable';
    const { decisions } = tell({ type: 'attempt.started', ...ask, attempt, purpose: 'turn' });
    if (decisions.length > 0) {
      if (isUsable) throw new Error(`seed ${seed} step ${n}: ${model} was refused although it is usable`);
      return;
    }
    if (!isUsable) throw new Error(`seed ${seed} step ${n}: ${model} was admitted early`);
    known.calls++;
    if (known.openUntil !== null || known.isHalfOpen) {
      known.openUntil = null;
      known.isHalfOpen = true;
      known.generation++;
      known.probe = { attempt, at: now };
    }
    const isAmid = known.failedAt === now;
    sent.set(attempt, { model, generation: known.generation, in: n, at: now, isAmid });
  }

  function ended(attempt: string): { known: Naive; isCurrent: boolean; isProbe: boolean; sentIn: number } {
    const { model, generation, in: sentIn } = sent.get(attempt) as Sent;
    sent.delete(attempt);
    const known = naive.get(model) as Naive;
    known.ended++;
    return { known, isCurrent: generation === known.generation, isProbe: known.probe?.attempt === attempt, sentIn };
  }

  function fail(attempt: string, kind: Kind, n: number): void {
    const { model } = sent.get(attempt) as Sent;
    // Times are all the engine goes by: of two failures in a millisecond and a call between them it takes both for older.
    if ([...sent.values()].some((each) => each.model === model && each.isAmid && each.at === now)) now++;
    const { known, isCurrent, isProbe } = ended(attempt);
    known.failedAt = now;
    if (isProbe) known.probe = null;
    if (kind === 'limited')
      Object.assign(known, { limitUntil: Math.max(known.limitUntil, now + 5 * MINUTE), limitedIn: n });
    if (kind === 'blocked') Object.assign(known, { isBlocked: true, blockedIn: n });
    if ((kind === 'counted' || kind === 'overloaded') && isCurrent && known.openUntil === null) {
      known.failures = [...known.failures.filter((at) => now - at < HOUR), now];
      if (isProbe || (!known.isHalfOpen && known.failures.length >= 3)) {
        known.openUntil = now + HOUR;
        known.isHalfOpen = false;
        known.failures = [];
        known.generation++;
      } else if (known.isHalfOpen) known.failures = [];
    }
    tell({ type: 'attempt.failed', attempt, evidence: KINDS[kind], durationMs: 1 });
  }

  function succeed(attempt: string): void {
    const { known, isCurrent, isProbe, sentIn } = ended(attempt);
    // What was found out while it was on its way is newer than its answer.
    if (known.limitedIn < sentIn) known.limitUntil = 0;
    if (known.blockedIn < sentIn) known.isBlocked = false;
    if (isCurrent && isProbe) close(known);
    tell({ type: 'attempt.succeeded', attempt, durationMs: 1, firstTokenMs: 1, outputChars: 1 });
  }

  function abort(attempt: string): void {
    const { known, isProbe } = ended(attempt);
    if (isProbe) known.probe = null;
    tell({ type: 'attempt.aborted', attempt });
  }

  function reset(model: string): void {
    const known = naive.get(model) as Naive;
    known.limitUntil = 0;
    known.isBlocked = false;
    known.heldUntil = 0;
    close(known);
    tell({ type: 'health.reset', target: { model }, actor: 'test' });
  }

  function shown(model: Naive): string {
    if (model.isBlocked) return 'blocked';
    const ends = [
      ['held', model.heldUntil],
      ['cooling', model.limitUntil],
      ['open', model.openUntil ?? 0],
      ['probing', model.probe ? model.probe.at + LEASE_MS : 0],
    ] as const;
    const [name, until] = ends.reduce((last, lane) => (lane[1] > last[1] ? lane : last));
    return now < until ? name : 'usable';
  }

  function compared(n: number): string | null {
    for (const [model, known] of naive) {
      const { state: own, use } = standingOf(state, model, now);
      const expected = shown(known);
      const actual = use === 'out' ? own : 'usable';
      if (actual !== expected) return `step ${n}: ${model} shows ${actual}, expected ${expected}`;
      const health = state.models.flat().find(([name]) => name === model)?.[1];
      const inFlight = [...sent.values()].filter((each) => each.model === model).length;
      if ((health?.calls ?? 0) !== known.calls || known.calls !== known.ended + inFlight)
        return `step ${n}: ${model} counts ${health?.calls} calls, expected ${known.calls}`;
    }
    return null;
  }

  function replayed(): string | null {
    let again: EngineState = initialState;
    for (const { at, sample, event } of log) again = step(again, event, at, sample).state;
    return JSON.stringify(again) === JSON.stringify(state) ? null : `seed ${seed}: the replay differs`;
  }
}

const fresh = (): Naive => ({
  failures: [],
  openUntil: null,
  isHalfOpen: false,
  probe: null,
  generation: 0,
  limitUntil: 0,
  limitedIn: -1,
  isBlocked: false,
  blockedIn: -1,
  heldUntil: 0,
  failedAt: -1,
  calls: 0,
  ended: 0,
});

function close(model: Naive): void {
  model.failures = [];
  model.openUntil = null;
  model.isHalfOpen = false;
  model.probe = null;
  model.generation++;
}
