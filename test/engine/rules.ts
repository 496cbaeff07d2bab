import {
  DEFAULT_HEALTH,
  type Decision,
  type EngineEvent,
  type EngineState,
  type Evidence,
  initialState,
  keyIn,
  type ModelFacts,
  type ModelId,
  type ScopeConfig,
  type Step,
  step,
} from '../../src/engine';
import { PRESETS } from '../../src/engine/presets';
import { standingIn, type Turn } from '../../src/engine/state';
import { entries, get } from '../../src/engine/table';
import { seeded } from './naive';
import { DAY, EVIDENCE, HOUR, MINUTE, SECOND } from './world';

/** Models of three vendors: dear, small and blind ones among them. */
const FACTS: Readonly<Record<ModelId, Required<ModelFacts>>> = {
  'a/lead': { vendor: 'a', priceIn: 1, priceOut: 2, context: 100_000, vision: true, tools: true },
  'a/small': { vendor: 'a', priceIn: 1, priceOut: 1, context: 1_000, vision: true, tools: true },
  'b/even': { vendor: 'b', priceIn: 1, priceOut: 2, context: 200_000, vision: true, tools: true },
  'b/blind': { vendor: 'b', priceIn: 1, priceOut: 2, context: 200_000, vision: false, tools: true },
  'c/dear': { vendor: 'c', priceIn: 100, priceOut: 200, context: 200_000, vision: true, tools: false },
  'a/last': { vendor: 'a', priceIn: 5, priceOut: 5, context: 100_000, vision: true, tools: true },
};
const MODELS = Object.keys(FACTS);
const BACKUP = 'a/last';
/** Two directories with one account, and one with another account of the first provider. */
const BOOKS = { '/one': undefined, '/two': undefined, '/other': { a: 'aaaaaaaaaaaa' } } as const;
const DIRECTORIES = Object.keys(BOOKS);
const HINTS = ['0', '1', '4', '20', '50', '1200', '90000'];
const FAILURES: readonly Evidence[] = [...Object.values(EVIDENCE), EVIDENCE.serverError, EVIDENCE.rateLimit];
const WAITS = [0, 0, 0, 1, 700, 15 * SECOND, MINUTE, 10 * MINUTE, HOUR, DAY];
const ACTOR = 'ann';

/** How often a rule had something to say, so that a proof speaks of something. */
export type Seen = Record<
  'heals' | 'countdown' | 'soonest' | 'fit' | 'wait' | 'cap' | 'budget' | 'isolated' | 'guess',
  number
>;
export const nothingSeen = (): Seen => ({
  ...{ heals: 0, countdown: 0, soonest: 0, fit: 0, wait: 0, cap: 0, budget: 0, isolated: 0, guess: 0 },
});

/** Raised by the first rule that a history breaks. */
const broken = (rule: string, about: unknown): never => {
  throw new Error(`${rule}: ${JSON.stringify(about)}`);
};

/**
 * Plays one random history of several sessions, with overlapping requests, lanes and accounts, and looks after each step
 * whether the rules hold that say what health, waits and limits promise. The rules know nothing of how the engine works.
 *
 * @returns the first rule that was broken, in words; null when all hold.
 */
export function brokenRule(seed: number, steps: number, seen: Seen): string | null {
  try {
    play(seed, steps, seen);
    return null;
  } catch (cause) {
    return `seed ${seed}, ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

function play(seed: number, steps: number, seen: Seen): void {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const config = anyConfig(pick);
  const sentIn = new Map<string, number>();
  const foundIn = new Map<string, number>();
  const owed = new Map<string, string>();
  const spent = new Map<string, number>();
  const retries = new Map<string, number>();
  const words = new Map<string, number>();
  const askedAt = new Map<string, number>();
  let state: EngineState = initialState;
  let now = 0;
  let n = 0;
  let wakeAt: number | null = null;

  const tell = (event: EngineEvent): Step => {
    const before = state;
    const result = step(state, event, now, random());
    ({ state, wakeAt } = result);
    for (const decision of result.decisions) checkChoice(decision);
    if (state.models !== before.models || state.providers !== before.providers) {
      noteLanes(before);
      capped();
    }
    return result;
  };
  for (const directory of DIRECTORIES) {
    const books = BOOKS[directory as keyof typeof BOOKS];
    tell({ type: 'scope.configured', directory, config: { ...config, ...(books ? { books } : {}) } });
  }
  for (n = 1; n <= steps; n++) {
    now = wakeAt !== null && random() < 0.1 ? Math.max(now, wakeAt) : now + pick(WAITS);
    const running = entries(state.attempts).map(([id]) => id);
    const turns = entries(state.turns).map(([id]) => id);
    const what = random();
    if (what < 0.2 || turns.length === 0) prompt();
    else if (what < 0.5) start(pick(turns));
    else if (what < 0.75 && running.length > 0) fail(pick(running));
    else if (what < 0.85 && running.length > 0) succeed(pick(running));
    else if (what < 0.88 && running.length > 0) stop(pick(running));
    else if (what < 0.91) idle(pick(['s0', 's1', 's2']));
    else if (what < 0.94) isolate(pick(MODELS), pick([true, false, false]));
    else if (what < 0.96) pin();
    else tell({ type: 'tick' });
    if (n % 3 === 0) countdown(pick(DIRECTORIES), pick(MODELS));
    for (const [session, retried] of spent) {
      const told = get(state.budgets, session)?.retries ?? 0;
      if (told !== retried)
        broken('a retry that was handed back, or made, is not counted', { n, session, told, retried });
    }
  }

  function prompt(): void {
    const session = `s${Math.floor(random() * 3)}`;
    const directory = directoryOf(session);
    const needs = { contextTokens: pick([10, 10, 50_000]), vision: random() < 0.3, tools: random() < 0.3 };
    const turn = `t${n}`;
    const { decisions } = tell({
      ...{ type: 'prompt.submitted', turn, session, directory, agent: 'build', needs },
      ...{ model: 'a/lead', hostLead: 'a/lead', isExplicit: false },
    });
    for (const decision of decisions) guessed(decision, directory);
  }

  function start(turn: string): void {
    const known = get(state.turns, turn);
    if (!known) return;
    const { session, directory, model, isForced } = known;
    const attempt = `x${n}`;
    const event = { type: 'attempt.started', attempt, turn, session, directory, agent: 'build', model } as const;
    const isOut = (get(state.manual, model)?.isolatedBy.length ?? 0) > 0;
    const { decisions } = tell({ ...event, purpose: 'turn' });
    if (isOut) seen.isolated++;
    if (decisions.length > 0) return;
    if (isOut && !isForced) broken('an isolated model is asked', { n, model });
    sentIn.set(attempt, n);
    noteAsked(keyIn(state, directory, model));
  }

  function fail(attempt: string): void {
    const { turn, directory, model, session } = sentOf(attempt);
    const key = keyIn(state, directory, model);
    const hint = random() < 0.6 ? pick(HINTS) : null;
    const basis = pick(FAILURES);
    const evidence: Evidence =
      hint !== null && basis.status === 429 ? { ...basis, headers: { 'retry-after': hint } } : basis;
    noteAsked(key);
    const before = state;
    const [decision] = tell({ type: 'attempt.failed', attempt, evidence, durationMs: 5 }).decisions;
    const saidMs = evidence.headers ? Number(hint) * SECOND : 0;
    const about = decision?.failure?.scope === 'provider' ? providerIn(key) : key;
    // Of all its models a provider is only believed for longer than we have guessed already.
    const isKept = about === key || get(state.providers, about)?.limit?.source === 'provider';
    if (saidMs > 0 && decision?.failure && isKept) words.set(about, Math.max(words.get(about) ?? 0, now + saidMs));
    for (const [id, { limit }] of entries(before.models)) {
      const after = get(state.models, id)?.limit;
      if (limit && limit.until > now && (after?.until ?? 0) < limit.until)
        broken('a failure shortens a limit', { n, id });
    }
    const isFree = decision?.failure?.lane === 'neutral' || decision === undefined;
    if (owed.get(turn) && isFree) refund(turn, session);
    owed.delete(turn);
    if (decision?.action.kind !== 'hold' || decision.action.to !== model) return;
    const { task = 'hint', waitMs } = decision.action;
    if (task === 'hint' || task === 'retry') waits({ turn, model, task, waitMs, saidMs });
    if (!['hint', 'retry', 'wait', 'continue'].includes(task)) return;
    owed.set(turn, session);
    spent.set(session, (spent.get(session) ?? 0) + 1);
    seen.budget++;
  }

  /** What a provider asks for lengthens a wait and never shortens it. */
  function waits(held: Readonly<{ turn: string; model: string; task: string; waitMs: number; saidMs: number }>): void {
    const { turn, model, task, waitMs, saidMs } = held;
    const id = `${turn}|${model}`;
    const count = task === 'retry' ? (retries.get(id) ?? 0) : 0;
    if (task === 'retry') retries.set(id, count + 1);
    const least = Math.max(saidMs, 0.8 * Math.min(30 * SECOND, SECOND * 2 ** count));
    seen.wait++;
    if (waitMs < least) broken('a hint shortens a wait', { n, ...held, least });
  }

  function refund(turn: string, session: string): void {
    owed.delete(turn);
    spent.set(session, (spent.get(session) ?? 0) - 1);
  }

  function succeed(attempt: string): void {
    const { directory, model, turn } = sentOf(attempt);
    const before = state;
    const since = sentIn.get(attempt) ?? 0;
    const sentAt = get(state.attempts, attempt)?.at;
    tell({ type: 'attempt.succeeded', attempt, durationMs: 5, firstTokenMs: 1, outputChars: 9 });
    for (const id of [...retries.keys()]) if (id.startsWith(`${turn}|`)) retries.delete(id);
    owed.delete(turn);
    const key = keyIn(state, directory, model);
    // What an answer ends is no word any more; whether it may is another rule.
    if (get(state.models, key)?.limit == null) words.delete(key);
    if (get(state.providers, providerIn(key))?.limit == null) words.delete(providerIn(key));
    for (const table of ['models', 'providers'] as const) {
      for (const [id, health] of entries(before[table])) {
        const left = get(state[table], id);
        for (const lane of ['limit', 'rest', 'block'] as const) {
          const isLater = (foundIn.get(`${table}|${id}|${lane}`) ?? 0) > since;
          const lasts = health[lane];
          // The clock tells no order within one millisecond.
          if (lasts === null || !isLater || lasts.since === sentAt) continue;
          seen.heals++;
          if (left?.[lane] === null) broken('an answer ends what was found out after it was sent', { n, id, lane });
        }
      }
    }
  }

  function stop(attempt: string): void {
    const { turn, session } = sentOf(attempt);
    tell({ type: 'attempt.aborted', attempt });
    if (owed.has(turn)) refund(turn, session);
  }

  function idle(session: string): void {
    for (const [turn, of] of [...owed]) if (of === session) refund(turn, session);
    tell({ type: 'session.idle', session });
  }

  function isolate(model: ModelId, isOut: boolean): void {
    tell({ type: isOut ? 'health.isolated' : 'health.released', model, actor: ACTOR });
  }

  function pin(): void {
    const model = pick([...MODELS, null]);
    tell({ type: 'agent.pinned', directory: pick(DIRECTORIES), agent: 'build', model, forMs: HOUR, actor: ACTOR });
  }

  /** Whoever the engine itself chooses may take the request, is not isolated, and is back when it says so. */
  function checkChoice({ action, code, turn: id }: Decision): void {
    const turn = get(state.turns, id);
    if (!turn || code.endsWith('.pinned')) {
      checkPinned(action);
      return;
    }
    if (action.kind === 'exhausted' && action.soonest) {
      const { model, inMs } = action.soonest;
      seen.soonest++;
      const { until } = standingIn(state, turn.directory, model, now);
      if (until === null || until - now !== inMs)
        broken('who is back first is named with another time', { n, code, model });
      checkFit(turn, model, code);
    }
    if (!('to' in action) || action.to === turn.lead) return;
    if (action.kind === 'hold' && (action.task ?? 'hint') !== 'soonest' && action.task !== 'wait') return;
    checkFit(turn, action.to, code);
  }

  function checkPinned(action: Decision['action']): void {
    if (!('to' in action) || !get(state.manual, action.to)?.isolatedBy.length) return;
    broken('a pinned agent is sent to an isolated model', { n, action });
  }

  function checkFit(turn: Turn, model: ModelId, code: string): void {
    seen.fit++;
    const facts = FACTS[model];
    const lead = FACTS[turn.lead];
    if (!facts || !lead || !turn.needs) return;
    const { contextTokens = 0, vision, tools } = turn.needs;
    const isFit = (!vision || facts.vision) && (!tools || facts.tools) && contextTokens <= facts.context;
    const isNear = !config.vendorLock || facts.vendor === lead.vendor;
    const ratio = Math.max(facts.priceIn / lead.priceIn, facts.priceOut / lead.priceOut);
    const isCheap = model === turn.lead || config.maxPriceRatio == null || ratio <= config.maxPriceRatio;
    if (!isFit || !(isNear || model === turn.lead) || !isCheap)
      broken('a model is chosen that does not fit', { n, model, code });
  }

  /** Until when a provider has said that a model, or all of its models, are out. */
  function wordUntil(key: string): number {
    return Math.max(words.get(key) ?? 0, words.get(providerIn(key)) ?? 0);
  }

  /** An attempt of a model speaks of its provider as well. */
  function noteAsked(key: string): void {
    for (const id of [key, providerIn(key)]) askedAt.set(id, now);
  }

  /** A guess refuses no person, and no guess overrules what a provider has said. */
  function guessed({ action, code, trace, turn }: Decision, directory: string): void {
    const reach = trace.filter(({ code: why }) => !/^(?:needs|vendor|price)\./.test(why));
    const isGuess = (model: ModelId): boolean => {
      const key = keyIn(state, directory, model);
      const { use, source, state: shown, until, code: why } = standingIn(state, directory, model, now);
      const isOurs =
        use === 'out' && source === 'estimate' && until !== null && shown !== 'probing' && shown !== 'held';
      const providers = get(state.providers, providerIn(key))?.limit;
      const isSaid = providers?.source === 'provider' && now < providers.until;
      const isPaused = [key, providerIn(key)].some(
        (id) => now - (askedAt.get(id) ?? Number.NEGATIVE_INFINITY) < 15 * SECOND,
      );
      return isOurs && why !== null && !isSaid && !isPaused && wordUntil(key) <= now;
    };
    if (code === 'exhausted.cooling' && reach.some(({ model }) => isGuess(model)))
      broken('a guess refuses a person', { n, turn, trace });
    if (!code.endsWith('.estimate') || !('to' in action)) return;
    seen.guess++;
    const key = keyIn(state, directory, action.to);
    if (wordUntil(key) > now) broken('a guess overrules a provider', { n, key, until: wordUntil(key), now });
    // Another message leaves it alone for a while, also before this one has asked it.
    askedAt.set(key, now);
  }

  /** What is shown as the end of being out is the moment at which a request is let through. */
  function countdown(directory: string, model: ModelId): void {
    const { use, until } = standingIn(state, directory, model, now);
    if (use !== 'out' || until === null) return;
    seen.countdown++;
    const admits = (at: number): boolean => {
      const base = { turn: 'solo', session: 'solo', directory, agent: 'solo', model } as const;
      const decided = { kind: 'keep', to: model, code: 'keep.lead' } as const;
      const asked = { type: 'prompt.submitted', ...base, hostLead: null, isExplicit: true, decided } as const;
      // Nothing but the clock is asked: neither guesses nor panic.
      const plain = { ...(get(state.scopes, directory) ?? config), panicProbe: false, guessProbe: false };
      const { state: calm } = step(state, { type: 'scope.configured', directory, config: plain }, at, 0.5);
      const { state: next } = step(calm, asked, at, 0.5);
      return (
        step(next, { type: 'attempt.started', ...base, attempt: 'solo', purpose: 'turn' }, at, 0.5).decisions.length ===
        0
      );
    };
    const found = [admits(until - 1), admits(until)];
    if (until - 1 >= now && found[0]) broken('a model is asked before its countdown ends', { n, model, until, now });
    // Coming back may itself be the change too many: then the flapping rule holds it from that very moment.
    const back = step(state, { type: 'tick' }, until, 0.5).state;
    const isHeld = standingIn(back, directory, model, until).code === 'held.flapping';
    if (!found[1] && !isHeld) broken('a model is refused after its countdown', { n, directory, model, until, now });
  }

  /** An open time that grows has an end. */
  function capped(): void {
    for (const [id, { breaker }] of entries(state.models)) {
      if (breaker.kind !== 'open') continue;
      seen.cap += breaker.until - now > 6 * HOUR ? 1 : 0;
      if (breaker.until - now > DAY) broken('an open circuit is longer than a day', { n, id });
    }
  }

  function noteLanes(before: EngineState): void {
    for (const table of ['models', 'providers'] as const) {
      for (const [id, health] of entries(state[table])) {
        const old = get(before[table], id);
        if (old === health) continue;
        for (const lane of ['limit', 'rest', 'block'] as const)
          if (health[lane] !== null && health[lane] !== (old?.[lane] ?? null)) foundIn.set(`${table}|${id}|${lane}`, n);
      }
    }
  }

  function sentOf(attempt: string) {
    const sent = get(state.attempts, attempt);
    return sent ?? broken('a request is forgotten', { n, attempt });
  }
}

const providerIn = (key: string): string => key.slice(0, key.indexOf('/'));

const directoryOf = (session: string): string => DIRECTORIES[Number(session.slice(1)) % DIRECTORIES.length] as string;

function anyConfig(pick: <T>(list: readonly T[]) => T): ScopeConfig {
  const policy = pick([PRESETS.swift, PRESETS.steady, PRESETS.patient]);
  const breaker = { failureThreshold: pick([1, 2]), windowMs: HOUR, cooldownMs: HOUR, growth: 10 };
  return {
    enabled: true,
    health: { ...DEFAULT_HEALTH, breaker: { ...DEFAULT_HEALTH.breaker, ...breaker } },
    maxFallbackDepth: pick([1, 3, 5]),
    onExhausted: 'error',
    backupModel: pick([null, BACKUP]),
    models: FACTS,
    vendorLock: pick([false, true]),
    maxPriceRatio: pick([null, 2]),
    panicProbe: pick([false, true]),
    guessProbe: true,
    abilities: pick([[], ['hold.start', 'hold.other', 'retry.output', 'continue']] as const),
    agents: { '*': { chain: MODELS.filter((model) => model !== BACKUP), policy } },
  };
}
