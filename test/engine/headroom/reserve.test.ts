import { describe, expect, it } from 'vitest';
import type { HeadroomRules, ScopeConfig } from '../../../src/engine';
import { SWIFT } from '../../../src/engine';
import { DIRECTORY, HOUR, SECOND, World } from '../world';
import { type Played, playGauntlet } from './gauntlet';
import { bucketOf, type Provider, planOf, type Size } from './providers';
import { numbers, planAt } from './seen';

const RESERVE: HeadroomRules = { act: 'move', moveAt: 0.97, reserve: { plan: { oracle: 0.15 } } };
const AGENTS = ['oracle', ...Array.from({ length: 9 }, (_, at) => `worker${at + 1}`)];
const SEEDS = [1, 2, 3];

/** Nothing is known of it, and it refuses nobody. */
const ample: Provider = { ...bucketOf('requests', 1_000_000), admit: () => ({ ok: true, windows: [] }) };

type Ten = Readonly<{ most: number; requests: 1 | 'some' }>;

/** How full the plan was, in truth, when the fullest request of the oracle and of the others came to it. */
function playTen(seed: number, { most, requests }: Ten): Played & { oracle: number; others: number } {
  const plan = planOf();
  const fullest: Record<string, number> = { 'plan/oracle': 0, 'plan/1': 0 };
  const asked = (model: string): Provider => ({
    ...plan,
    admit(now, size) {
      fullest[model] = Math.max(fullest[model] ?? 0, 1 - plan.left(now));
      return plan.admit(now, size);
    },
  });
  const policy = SWIFT;
  const agents: ScopeConfig['agents'] = {
    oracle: { chain: ['plan/oracle', 'spare/1'], policy },
    '*': { chain: ['plan/1', 'spare/1'], policy },
  };
  const random = numbers(seed);
  const sizeOf = (): Size => ({ input: 3_000, output: 500, most: 2_000, share: most * (0.2 + 0.8 * random()) });
  const played = playGauntlet({
    ...{ turns: requests === 1 ? 2_500 : 1_500, sessions: 10, agents: AGENTS, rules: RESERVE, sizeOf },
    // A turn has one request and up to four more, by this number.
    random: requests === 1 ? () => random() / 5 : random,
    providers: { 'plan/1': asked('plan/1'), 'plan/oracle': asked('plan/oracle'), 'spare/1': ample },
    changes: { agents, maxFallbackDepth: 10 },
  });
  return { ...played, oracle: fullest['plan/oracle'] ?? 0, others: fullest['plan/1'] ?? 0 };
}

describe('given ten agents on one plan, of which the last 15 % are the oracle’s', () => {
  it.each(SEEDS)(
    'when each turn is one request, then no other begins above 85 % and what is under way: run %i',
    (seed) => {
      const most = 0.002;
      const { others, oracle, refused } = playTen(seed, { most, requests: 1 });
      expect(refused).toBe(0);
      // Nine more may be on their way when one begins at 85 %, and what the plan says is rounded.
      expect(others).toBeLessThanOrEqual(0.85 + AGENTS.length * most + 0.0001);
      expect(others).toBeGreaterThan(0.84);
      expect(oracle).toBeGreaterThan(0.96);
      expect(oracle).toBeLessThanOrEqual(0.97 + AGENTS.length * most + 0.0001);
    },
  );

  it.each(SEEDS)('when turns have up to five requests, then the oracle gets what is kept for it: run %i', (seed) => {
    const { others, oracle, refused, moved } = playTen(seed, { most: 0.002, requests: 'some' });
    expect([refused, Object.keys(moved).sort()]).toEqual([0, ['plan/1', 'plan/oracle']]);
    // A turn that has begun is finished: nine of them, with four more requests each.
    expect(others).toBeLessThanOrEqual(0.85 + 9 * 5 * 0.002 + 0.0001);
    expect(oracle).toBeGreaterThan(0.96);
  });
});

describe('given a plan with a reserve and a message of each agent', () => {
  const CHAIN = ['plan/1', 'spare/1'];
  const begin = (used: number, agent: string, headroom: HeadroomRules = RESERVE) => {
    const world = new World(CHAIN, { headroom, abilities: ['hold.start'] });
    const windows = [planAt(used)];
    world.tell({ type: 'headroom.seen', attempt: null, directory: DIRECTORY, model: 'plan/1', windows });
    return world.wait(SECOND).prompt('t', { agent, model: 'plan/1', hostLead: 'plan/1' });
  };
  const codes = (used: number, headroom?: HeadroomRules) => AGENTS.map((agent) => begin(used, agent, headroom).code);
  const nine = (code: string) => Array.from({ length: 9 }, () => code);

  it.each([
    [0.8499, 'keep.lead', 'keep.lead'],
    [0.85, 'keep.lead', 'headroom.reserve'],
    [0.9699, 'keep.lead', 'headroom.reserve'],
    [0.97, 'headroom.plan', 'headroom.plan'],
    [1, 'headroom.plan', 'headroom.plan'],
  ])('when %f are spent, then it is %s for the oracle and %s for all others', (used, oracle, others) => {
    expect(codes(used)).toEqual([oracle, ...nine(others)]);
  });

  it('when it moves for the reserve, then its numbers and the reset are told', () => {
    expect(begin(0.9, 'worker1')).toMatchObject({
      action: { kind: 'redirect', from: 'plan/1', to: 'spare/1' },
      short: { code: 'headroom.reserve', window: 'unified-5h', used: 0.9, until: 2 * HOUR },
    });
  });

  it('when two agents have a reserve, then each begins before the other’s, all others before both', () => {
    const both = { ...RESERVE, reserve: { plan: { oracle: 0.15, worker1: 0.1 } } };
    const at = (used: number) => codes(used, both).slice(0, 3);
    expect([at(0.74), at(0.76), at(0.86), at(0.91)]).toEqual([
      ['keep.lead', 'keep.lead', 'keep.lead'],
      ['keep.lead', 'keep.lead', 'headroom.reserve'],
      ['keep.lead', 'headroom.reserve', 'headroom.reserve'],
      ['headroom.reserve', 'headroom.reserve', 'headroom.reserve'],
    ]);
  });

  it('when the reserve is of another provider, or of something every object has, then nothing is kept', () => {
    for (const reserve of [{ other: { oracle: 0.5 } }, JSON.parse('{"__proto__":{"x":1}}') as object]) {
      expect(codes(0.9, { ...RESERVE, reserve } as HeadroomRules)).toEqual(['keep.lead', ...nine('keep.lead')]);
    }
  });

  it('when all of it is kept for one, then nobody else ever begins on it', () => {
    expect(codes(0, { ...RESERVE, reserve: { plan: { oracle: 1.5 } } })).toEqual([
      'keep.lead',
      ...nine('headroom.reserve'),
    ]);
  });

  it('when a turn has begun below, then it is finished within the reserve', () => {
    const world = new World(CHAIN, { headroom: RESERVE });
    const hears = (used: number, attempt: string | null) => {
      const windows = [planAt(used, { resetInMs: 2 * HOUR - world.now })];
      world.tell({ type: 'headroom.seen', attempt, directory: DIRECTORY, model: 'plan/1', windows });
    };
    for (const used of [0.835, 0.84]) hears(used, null);
    world.prompt('t', { agent: 'worker1', model: 'plan/1', hostLead: 'plan/1' });
    const { attempt } = world.wait(SECOND).start('t', 'plan/1', { agent: 'worker1' });
    hears(0.855, attempt);
    world.succeed(attempt);
    expect(world.start('t', 'plan/1', { agent: 'worker1' }).decision).toBeNull();
  });
});
