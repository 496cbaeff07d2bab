import {
  type Decision,
  type EngineEvent,
  type EngineState,
  type Evidence,
  initialState,
  keyIn,
  type ModelId,
  type Step,
  step,
} from '../../src/engine';
import { entries, get } from '../../src/engine/base/table';
import { standingIn } from '../../src/engine/state/read';
import type { Turn } from '../../src/engine/state/state';
import { exportHealth } from '../../src/engine/tools';
import { seeded } from './naive';
import {
  ACTOR,
  AGENTS,
  anyConfig,
  BOOKS,
  DIRECTORIES,
  directoryOf,
  FACTS,
  FAILURES,
  HINTS,
  MODELS,
  plainly,
  TERMS,
  TOO_LONG,
  WAITS,
} from './rules-world';
import { DAY, EVIDENCE, HOUR, MINUTE, SECOND } from './world';

/** How often a rule had something to say, so that a proof speaks of something. */
export type Seen = Record<(typeof SEEN)[number], number>;
const SEEN = [
  ...(['heals', 'countdown', 'soonest', 'fit', 'wait', 'cap', 'budget', 'isolated', 'guess'] as const),
  ...(['held', 'paused', 'alone', 'native', 'shadow', 'synced', 'accepted', 'closed'] as const),
  ...(['larger', 'flap'] as const),
] as const;
export const nothingSeen = (): Seen => Object.fromEntries(SEEN.map((what) => [what, 0])) as Seen;

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
  let state: EngineState = initialState;
  let now = 0;
  let n = 0;
  let wakeAt: number | null = null;

  const isLong = random() < 0.1;
  // Within some ten minutes models come and go.
  const paces = random() < 0.3 ? WAITS.filter((ms) => ms <= 20 * SECOND) : WAITS;
  const tell = (event: EngineEvent): Step => {
    const before = state;
    const result = step(state, event, now, random());
    ({ state, wakeAt } = result);
    for (const decision of result.decisions) {
      if (event.type === 'question.answered' && decision.action.kind === 'switch') seen.accepted++;
      checkPause(decision, event);
      checkChoice(decision);
    }
    if (state.models !== before.models || state.providers !== before.providers) {
      noteLanes(before);
      capped(before);
    }
    return result;
  };
  for (const directory of DIRECTORIES) {
    const books = BOOKS[directory as keyof typeof BOOKS];
    tell({ type: 'scope.configured', directory, config: { ...config, ...(books ? { books } : {}) } });
  }
  for (n = 1; n <= steps; n++) {
    now = wakeAt !== null && random() < 0.1 ? Math.max(now, wakeAt) : now + pick(paces);
    const running = entries(state.attempts).map(([id]) => id);
    const turns = entries(state.turns).map(([id]) => id);
    const what = random();
    if (what < 0.2 || turns.length === 0) prompt();
    else if (what < 0.48) start(pick(turns));
    else if (what < 0.72 && running.length > 0) fail(pick(running));
    else if (what < 0.81 && running.length > 0) succeed(pick(running));
    else if (what < 0.84 && running.length > 0) stop(pick(running));
    else if (what < 0.86) idle(pick(SESSIONS));
    else if (what < 0.865) close(pick(SESSIONS));
    else if (what < 0.93) person(random());
    else if (what < 0.94) hearOfOthers();
    else tell({ type: 'tick' });
    if (n % 8 === 0) countdown(pick(DIRECTORIES));
    for (const [session, retried] of spent) {
      const told = get(state.budgets, session)?.retries ?? 0;
      if (told !== retried)
        broken('a retry that was handed back, or made, is not counted', { n, session, told, retried });
    }
  }

  function prompt(): void {
    const session = pick(SESSIONS);
    const agent = pick(AGENTS);
    const directory = directoryOf(session);
    const needs = { contextTokens: pick([10, 10, 50_000]), vision: random() < 0.3, tools: random() < 0.3 };
    const turn = `t${n}`;
    const { decisions } = tell({
      ...{ type: 'prompt.submitted', turn, session, directory, agent, needs },
      ...{ model: 'a/lead', hostLead: 'a/lead', isExplicit: false },
    });
    for (const decision of decisions) guessed(decision, directory);
  }

  function start(turn: string): void {
    const known = get(state.turns, turn);
    if (!known) return;
    const { session, directory, model, agent } = known;
    const attempt = `x${n}`;
    const event = { type: 'attempt.started', attempt, turn, session, directory, agent, model } as const;
    const isOut = isTaken(model);
    tell({ ...event, purpose: 'turn' });
    if (isOut) noteTaken(agent, model);
    if (!get(state.attempts, attempt)) return;
    if (isOut) broken('a model that a person has taken out is asked', { n, agent, model });
    sentIn.set(attempt, n);
  }

  /** True if a person keeps a model from being asked, by what they have said in this history. */
  function isTaken(model: ModelId): boolean {
    const { isolatedBy = [], hold = null } = get(state.manual, model) ?? {};
    return isolatedBy.length > 0 || (hold?.by === ACTOR && hold.state === 'open' && now < (hold.until ?? Infinity));
  }

  function noteTaken(agent: string, model: ModelId): void {
    seen[get(state.manual, model)?.isolatedBy.length ? 'isolated' : 'held']++;
    if (agent === 'alone' || agent === 'none') seen.alone++;
    if (config.onExhausted === 'native') seen.native++;
  }

  function fail(attempt: string): void {
    const { turn, directory, model, session } = sentOf(attempt);
    const key = keyIn(state, directory, model);
    const hint = random() < 0.6 ? pick(HINTS) : null;
    const basis = isLong && random() < 0.5 ? TOO_LONG : pick(FAILURES);
    const evidence: Evidence =
      hint !== null && basis.status === 429 ? { ...basis, headers: { 'retry-after': hint } } : basis;
    const before = state;
    const { decisions } = tell({ type: 'attempt.failed', attempt, evidence, durationMs: 5 });
    const decision = decisions.find((each) => each.turn === turn);
    const saidMs = evidence.headers ? Number(hint) * SECOND : 0;
    const about = decision?.failure?.scope === 'provider' ? providerIn(key) : key;
    // A turn that waits for a short time has not failed; a later time of the provider stands.
    const isKept = get(about === key ? state.models : state.providers, about)?.limit?.source === 'provider';
    if (saidMs > 0 && decision?.failure && isKept) words.set(about, Math.max(words.get(about) ?? 0, now + saidMs));
    for (const [id, { limit }] of entries(before.models)) {
      const after = get(state.models, id)?.limit;
      const isReplaced = limit?.source === 'estimate' && after?.source === 'provider';
      if (limit && limit.until > now && (after?.until ?? 0) < limit.until && !isReplaced)
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
    // An answer has reset the count meanwhile.
    if (spent.get(session)) spent.set(session, (spent.get(session) ?? 0) - 1);
  }

  function succeed(attempt: string): void {
    const { directory, model, turn, session } = sentOf(attempt);
    const before = state;
    const since = sentIn.get(attempt) ?? 0;
    const sentAt = get(state.attempts, attempt)?.at;
    tell({ type: 'attempt.succeeded', attempt, durationMs: 5, firstTokenMs: 1, outputChars: 9 });
    for (const id of [...retries.keys()]) if (id.startsWith(`${turn}|`)) retries.delete(id);
    owed.delete(turn);
    spent.delete(session);
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

  /** What people do, each sort of it as often as it needs to meet the others. */
  function person(what: number): void {
    const model = pick(MODELS);
    const about = { model, actor: ACTOR } as const;
    if (state.questions.length > 0 && random() < 0.5) tell({ type: 'question.answered', yes: true, actor: ACTOR });
    else if (what < 0.15) tell({ type: 'health.isolated', ...about });
    else if (what < 0.4) tell({ type: 'health.released', ...about });
    else if (what < 0.6) hold(model);
    else if (what < 0.68) tell({ type: 'switching.paused', forMs: pick([MINUTE, HOUR]), actor: ACTOR });
    else if (what < 0.74) tell({ type: 'switching.resumed', actor: ACTOR });
    else if (what < 0.84) pin();
    else if (what < 0.94) tell({ type: 'question.answered', yes: random() < 0.7, actor: ACTOR });
    else tell({ type: 'speaker.retried', session: pick(SESSIONS), agent: null, actor: ACTOR });
  }

  function hold(model: ModelId): void {
    const held = pick(['open', 'open', 'closed', null] as const);
    tell({ type: 'health.held', model, state: held, forMs: pick(TERMS), actor: ACTOR });
  }

  function pin(): void {
    const model = pick([...MODELS, null]);
    const agent = pick(AGENTS);
    tell({ type: 'agent.pinned', directory: pick(DIRECTORIES), agent, model, forMs: HOUR, actor: ACTOR });
  }

  /** Another host, which knew what we know, has had a model fail, and its view comes here. */
  function hearOfOthers(): void {
    const [directory, model] = [pick(DIRECTORIES), pick(MODELS)];
    const who = { attempt: 'there', turn: 'there', session: 'there', directory, agent: 'build', model } as const;
    const evidence = pick([EVIDENCE.rateLimit, EVIDENCE.serverError, EVIDENCE.auth, EVIDENCE.network]);
    const sent = step(state, { type: 'attempt.started', ...who, purpose: 'internal' }, now, 0.5);
    const failed = { type: 'attempt.failed', attempt: 'there', evidence, durationMs: 5 } as const;
    const there = step(sent.state, failed, now, 0.5).state;
    seen.synced++;
    tell({ type: 'health.synced', health: exportHealth(there, now) });
  }

  function close(session: string): void {
    for (const [turn, of] of [...owed]) if (of === session) owed.delete(turn);
    spent.delete(session);
    seen.closed++;
    tell({ type: 'session.closed', session });
  }

  /** While switching is paused no turn moves, but for whom a person says yes to. */
  function checkPause({ action, code }: Decision, { type }: EngineEvent): void {
    const { until } = state.pause ?? {};
    if (until === undefined || now >= (until ?? Infinity) || type === 'question.answered') return;
    seen.paused++;
    if (action.kind === 'switch' || action.kind === 'redirect' || action.kind === 'home')
      broken('a turn moves while switching is paused', { n, action, code });
  }

  /** Whoever the engine itself chooses may take the request, is not isolated, and is back when it says so. */
  function checkChoice({ action, code, turn: id }: Decision): void {
    const turn = get(state.turns, id);
    if (code === 'switch.larger') seen.larger++;
    if (action.kind === 'switch' && !/^(?:switch|redirect)\.pinned/.test(code) && isTaken(action.to))
      broken('a turn is sent to a model that a person has taken out', { n, action, code });
    if (!turn || code.endsWith('.pinned')) {
      checkPinned(action);
      return;
    }
    if (action.kind === 'exhausted' && action.soonest) {
      const { model, inMs } = action.soonest;
      seen.soonest++;
      const { until, use, source } = standingIn(state, turn.directory, model, now);
      const isTrue =
        inMs === 0 ? use !== 'out' || source === 'estimate' : until !== null && use === 'out' && until - now === inMs;
      if (!isTrue) broken('who is back first is named with another time', { n, code, model });
      checkFit(turn, model, code);
    }
    if (!('to' in action) || action.to === turn.lead) return;
    if (action.kind === 'hold' && (action.task ?? 'hint') !== 'soonest' && action.task !== 'wait') return;
    checkFit(turn, action.to, code);
  }

  function checkPinned(action: Decision['action']): void {
    if ('to' in action && action.kind !== 'keep' && isTaken(action.to))
      broken('a pinned agent is sent to a model that a person has taken out', { n, action });
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

  /** A guess refuses no person, and no guess overrules what a provider has said. */
  function guessed({ action, code, trace, turn }: Decision, directory: string): void {
    const reach = trace.filter(({ code: why }) => !/^(?:needs|vendor|price)\./.test(why));
    const isGuess = (model: ModelId): boolean => {
      const key = keyIn(state, directory, model);
      const { use, source, until, code: why } = standingIn(state, directory, model, now);
      const isOurs = use === 'out' && source === 'estimate' && until !== null && why !== 'held.open';
      const isAwaited = entries(state.speakers).some(
        ([, { waits }]) => waits?.isGiven && waits.model === model && now < (waits.until ?? 0),
      );
      const providers = get(state.providers, providerIn(key))?.limit;
      const isSaid = providers?.source === 'provider' && now < providers.until;
      return isOurs && why !== null && !isSaid && !isAwaited && wordUntil(key) <= now;
    };
    if (code === 'exhausted.cooling' && reach.some(({ model }) => isGuess(model)))
      broken('a guess refuses a person', { n, turn, trace });
    if (!code.endsWith('.estimate') || !('to' in action)) return;
    seen.guess++;
    const key = keyIn(state, directory, action.to);
    if (wordUntil(key) > now) broken('a guess overrules a provider', { n, key, until: wordUntil(key), now });
  }

  /** What is shown as the end of being out is the moment at which a request is let through. */
  function countdown(directory: string): void {
    const out = MODELS.flatMap((model) => {
      const { use, until } = standingIn(state, directory, model, now);
      return use === 'out' && until !== null ? [{ model, until }] : [];
    });
    if (out.length === 0) return;
    const { model, until } = pick(out);
    seen.countdown++;
    if (config.health.shadow) seen.shadow++;
    const plain = plainly(get(state.scopes, directory) ?? config);
    const { state: calm } = step(state, { type: 'scope.configured', directory, config: plain }, now, 0.5);
    const admits = (at: number): boolean => {
      const base = { turn: 'solo', session: 'solo', directory, agent: 'solo', model } as const;
      const decided = { kind: 'keep', to: model, code: 'keep.lead' } as const;
      // Nothing but the clock is asked: nobody has paused anything.
      const others: EngineEvent[] = [
        { type: 'switching.resumed', actor: ACTOR },
        { type: 'prompt.submitted', ...base, hostLead: null, isExplicit: true, decided },
      ];
      const ready = others.reduce((known, event) => step(known, event, at, 0.5).state, calm);
      const asked = { type: 'attempt.started', ...base, attempt: 'solo', purpose: 'turn' } as const;
      return get(step(ready, asked, at, 0.5).state.attempts, 'solo') !== undefined;
    };
    const found = [admits(until - 1), admits(until)];
    if ((get(state.flaps, keyIn(state, directory, model))?.length ?? 0) > 1) seen.flap++;
    // Coming back is a change as well: it must not be the one too many.
    const back = step(state, { type: 'tick' }, until, 0.5).state;
    const { code } = standingIn(back, directory, model, until);
    if (code === 'held.flapping') broken('a model is held when its countdown ends', { n, model, until, now });
    if (until - 1 >= now && found[0]) broken('a model is asked before its countdown ends', { n, model, until, now });
    if (!found[1]) broken('a model is refused after its countdown', { n, directory, model, until, now });
  }

  /** An open time that grows has an end. */
  function capped(before: EngineState): void {
    for (const [id, { breaker }] of entries(state.models)) {
      if (breaker.kind !== 'open' || breaker === get(before.models, id)?.breaker) continue;
      seen.cap += breaker.until - now > 6 * HOUR ? 1 : 0;
      if (breaker.until - now > DAY) broken('an open circuit is longer than a day', { n, id });
    }
  }

  function noteLanes(before: EngineState): void {
    for (const table of ['models', 'providers'] as const) {
      for (const [id, health] of entries(state[table])) {
        const old = get(before[table], id);
        if (old === health) continue;
        // What another host says anew has been found out when it was.
        for (const lane of ['limit', 'rest', 'block'] as const)
          if (health[lane] !== null && health[lane].since !== old?.[lane]?.since)
            foundIn.set(`${table}|${id}|${lane}`, n);
      }
    }
  }

  function sentOf(attempt: string) {
    const sent = get(state.attempts, attempt);
    return sent ?? broken('a request is forgotten', { n, attempt });
  }
}

const SESSIONS = ['s0', 's1', 's2'];
const providerIn = (key: string): string => key.slice(0, key.indexOf('/'));
