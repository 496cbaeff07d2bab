import { describe, expect, it } from 'vitest';
import type { Decision, Evidence, Policy } from '../../src/engine';
import { ABILITIES, DEFAULT_HEALTH } from '../../src/engine/base/config';
import { definePolicies } from '../../src/engine/policy/policy-definitions';
import { PRESETS } from '../../src/engine/policy/presets';
import { runSeed, runs } from '../support/runs';
import { BAD_GATEWAY, createEngine, MINUTE, NETWORK, RATE_LIMIT, SECOND, SERVER_ERROR, scope } from './harness';
import { seeded } from './naive';

const FAILURES = {
  limit: RATE_LIMIT,
  hint: { ...RATE_LIMIT, headers: { 'retry-after': '3' } },
  overloaded: { phase: 'body', status: 529, message: 'Overloaded' },
  crash: SERVER_ERROR,
  gateway: BAD_GATEWAY,
  timeout: { phase: 'watchdog', observed: 'timeout' },
  network: NETWORK,
  cut: { phase: 'stream', observed: 'early_termination', outputChars: 10 },
  empty: { phase: 'stream', observed: 'empty_response' },
  lost: { phase: 'stream', observed: 'stream_interrupted', outputChars: 10 },
} as const satisfies Record<string, Evidence>;
type Failing = keyof typeof FAILURES;
const KINDS = Object.keys(FAILURES) as Failing[];

const published = { rate_limit: ['retry:3', 'switch'], network_transient: ['retry:3', 'switch'] };
const { policies } = definePolicies({ published: { rows: published } });
type Case = Readonly<{
  policy: Policy;
  /** Requests to the same model after its first failure, by kind; 0 for all others. */
  again: Partial<Record<Failing, number>>;
  /** The most of any kind: what a failing turn takes from its provider's bucket. */
  most: number;
}>;
const CASES: Readonly<Record<string, Case>> = {
  swift: { policy: PRESETS.swift, again: { hint: 1, cut: 1 }, most: 1 },
  steady: {
    policy: PRESETS.steady,
    again: { limit: 3, hint: 3, overloaded: 3, gateway: 3, timeout: 3, network: 3, lost: 1 },
    most: 3,
  },
  patient: { policy: PRESETS.patient, again: { cut: 3, empty: 3, lost: 3 }, most: 3 },
  published: { policy: policies.published as Policy, again: { limit: 3, hint: 3, network: 3, cut: 1 }, most: 3 },
};
const CHAINS = [
  ['a/1', 'b/1'],
  ['a/1', 'a/2', 'b/1'],
  ['a/1', 'b/1', 'c/1', 'a/2'],
  ['a/1', 'a/2'],
];
const PER_SESSION = 30;
/** Models that fail are asked again with the next message. */
const BREAKER = { ...DEFAULT_HEALTH.breaker, failureThreshold: 1_000 };
const HEALTH = {
  ...DEFAULT_HEALTH,
  breaker: BREAKER,
  cooldownMs: 0,
  restMs: 0,
  network: { failureThreshold: 1_000, cooldownMs: 0 },
};
const AGAIN: readonly unknown[] = ['hint', 'retry', 'continue'];

type Seen = { turns: number; full: number; provider: number; session: number; wrong: string[] };

/** Plays turns of some sessions and checks each decision against plain counts. */
function play(name: string, seed: number, seen: Seen): void {
  const { policy, again, most } = CASES[name] as Case;
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const chain = pick(CHAINS);
  const failingTurns = pick([1, 3, 10]);
  const retryBudget = { perSession: PER_SESSION, warnAt: 20, failingTurns };
  const config = { chain, policy, abilities: [...ABILITIES], maxFallbackDepth: 10, health: HEALTH, retryBudget };
  const engine = createEngine(scope(config));
  const sessions = pick([2, 40]);
  const kindsSeen = pick([KINDS, [pick(KINDS)]]);
  const answers = pick([0, 0.1, 0.3]);
  /** Failing turns taken from each provider's bucket, and the moment of the last one. */
  const buckets = new Map<string, { used: number; at: number }>();
  const spent = new Map<string, number>();
  const providerOf = (model: string): string => model.slice(0, model.indexOf('/'));
  const costOf = (model: string): number =>
    1 / (most * chain.filter((each) => providerOf(each) === providerOf(model)).length);
  const usedAt = (model: string): number => {
    const { used, at } = buckets.get(providerOf(model)) ?? { used: 0, at: 0 };
    return Math.max(0, used - (failingTurns * (engine.now() - at)) / (10 * MINUTE));
  };

  for (let n = 0; n < 40; n++) {
    engine.after(Math.round(random() * pick([SECOND, MINUTE, 5 * MINUTE])));
    playTurn(`t${n}`, `s${n % sessions}`);
  }

  function playTurn(turn: string, session: string): void {
    const kinds = new Map<string, Failing>();
    const taken = new Map<string, number>();
    let action: Decision['action'] | undefined = engine.prompt(turn, { session }).action;
    seen.turns++;
    while (action && 'to' in action) {
      const model = action.to;
      const { attempt, refusal } = engine.start(turn, model, { session });
      if (refusal) {
        action = refusal.action;
        continue;
      }
      engine.after(3 * SECOND);
      if (random() < answers) {
        engine.succeeded(attempt);
        buckets.delete(providerOf(model));
        spent.delete(session);
        return;
      }
      const kind = kinds.get(model) ?? pick(kindsSeen);
      kinds.set(model, kind);
      const decision = engine.failed(attempt, FAILURES[kind]);
      check(decision, { turn, session, model, kind, taken });
      action = decision.action;
      if (action.kind === 'hold') engine.after(action.task === 'restart' ? SECOND : action.waitMs);
    }
  }

  type Failed = Readonly<{ turn: string; session: string; model: string; kind: Failing; taken: Map<string, number> }>;

  function check({ action, trace }: Decision, { turn, session, model, kind, taken }: Failed): void {
    const before = taken.get(model) ?? 0;
    const isDue = before < (again[kind] ?? 0);
    const isAgain = action.kind === 'hold' && action.to === model && AGAIN.includes(action.task ?? 'hint');
    const budget = trace.find(({ code }) => code.startsWith('budget.'))?.code ?? null;
    const level = usedAt(model) + costOf(model) - failingTurns;
    const expected = !isDue ? null : (spent.get(session) ?? 0) >= PER_SESSION ? 'budget.session' : level > 1e-6;
    const isRight = expected === true ? budget === 'budget.provider' : budget === (expected || null);
    if (!isRight || isAgain !== (isDue && budget === null))
      seen.wrong.push(JSON.stringify({ name, seed, turn, model, kind, before, budget, expected, level, action }));
    if (!isAgain) {
      if (budget === 'budget.provider') seen.provider++;
      else if (budget === 'budget.session') seen.session++;
      else if (isDue || before > 0) seen.full++;
      return;
    }
    taken.set(model, before + 1);
    spent.set(session, (spent.get(session) ?? 0) + 1);
    buckets.set(providerOf(model), { used: usedAt(model) + costOf(model), at: engine.now() });
  }
}

/** Of each policy: 10,000 of all four where all runs are played. */
const HISTORIES = runs(2_500);

describe(`given ${HISTORIES} random histories of 40 turns (seed ${runSeed})`, () => {
  it.each(Object.keys(CASES))(
    'when they are played with %s, then each failing turn gets the retries of its policy, or its decision names the budget',
    (name) => {
      const seen: Seen = { turns: 0, full: 0, provider: 0, session: 0, wrong: [] };
      for (let n = 0; n < HISTORIES; n++) play(name, runSeed + n, seen);
      expect(seen.wrong.slice(0, 3)).toEqual([]);
      expect(seen.full).toBeGreaterThan(150);
      expect(seen.provider).toBeGreaterThan(20);
    },
  );
});
