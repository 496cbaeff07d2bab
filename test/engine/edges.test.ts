import { describe, expect, it } from 'vitest';
import { DEFAULT_HEALTH } from '../../src/engine';
import { DAY, EVIDENCE, HOUR, MINUTE, SECOND, scopeOf, World } from './world';

type Edge = Readonly<{
  /** What ends, exactly at `atMs` after it was arranged. */
  name: string;
  atMs: number;
  arrange: (world: World) => void;
  look: (world: World) => unknown;
  before: unknown;
  after: unknown;
}>;

const fails =
  (evidence: Parameters<World['fail']>[1], times = 1, model = 'a/1') =>
  (world: World): void => {
    for (let count = 0; count < times; count++) world.failingAlone(model, evidence);
  };
const limited = (seconds: number) => ({ ...EVIDENCE.rateLimit, headers: { 'retry-after': String(seconds) } });
const use = (world: World): string => world.standing('a/1').use;
const state = (world: World): string => world.standing('a/1').state;
const code = (world: World): string => world.prompt('edge', { session: 'edge' }).code;

/** A lead that goes out and comes back twice, the last time when it is looked at; no clock brings it back before. */
const flaps = (world: World): void => {
  fails(EVIDENCE.auth)(world);
  comesBack(world);
  fails(EVIDENCE.auth)(world);
};
/** One of OpenCode's own requests, which nobody holds back, is answered. */
const comesBack = (world: World): string => {
  world.succeed(world.start('back', 'a/1', { session: 'back', purpose: 'internal' }).attempt);
  return state(world);
};

/** Opens at the first failure for one minute, twice as long at each further trip. */
const GROWING = {
  ...DEFAULT_HEALTH,
  breaker: { failureThreshold: 1, windowMs: HOUR, cooldownMs: MINUTE, growth: 2 },
};

const EDGES: readonly Edge[] = [
  {
    name: 'the cooldown after a rate limit',
    atMs: 5 * MINUTE,
    arrange: fails(EVIDENCE.rateLimit),
    look: use,
    before: 'out',
    after: 'last',
  },
  {
    name: 'the time a limited model is used last',
    atMs: 15 * MINUTE,
    arrange: fails(EVIDENCE.rateLimit),
    look: use,
    before: 'last',
    after: 'first',
  },
  {
    name: 'a spent quota whose reset nobody names',
    atMs: HOUR,
    arrange: fails(EVIDENCE.quota),
    look: use,
    before: 'out',
    after: 'first',
  },
  {
    name: 'a limit of 20 minutes that the provider names',
    atMs: 20 * MINUTE,
    arrange: fails(limited(20 * 60)),
    look: use,
    before: 'out',
    after: 'first',
  },
  {
    name: 'a limit of 90 days, of which 31 are believed',
    atMs: 31 * DAY,
    arrange: fails(limited((90 * DAY) / SECOND)),
    look: use,
    before: 'out',
    after: 'first',
  },
  {
    name: 'the window of two failures, when a third comes',
    atMs: HOUR,
    arrange: fails(EVIDENCE.serverError, 2),
    look: (world) => fails(EVIDENCE.serverError)(world) ?? state(world),
    before: 'open',
    after: 'resting',
  },
  {
    name: 'the window of a failure that is shown',
    atMs: HOUR,
    arrange: fails(EVIDENCE.serverError),
    look: state,
    before: 'degraded',
    after: 'ready',
  },
  {
    name: 'the open time of a breaker',
    atMs: HOUR,
    arrange: fails(EVIDENCE.serverError, 3),
    look: use,
    before: 'out',
    after: 'first',
  },
  {
    name: 'the lease of a probe',
    atMs: 10 * MINUTE,
    arrange: (world) => {
      fails(EVIDENCE.serverError, 3)(world);
      world.wait(HOUR).start('probe', 'a/1', { session: 'probe' });
    },
    look: state,
    before: 'probing',
    after: 'ready',
  },
  {
    name: 'the open time of a provider that could not be reached',
    atMs: 5 * MINUTE,
    arrange: fails(EVIDENCE.network, 5),
    look: use,
    before: 'out',
    after: 'first',
  },
  {
    name: 'the rest after a failure',
    atMs: MINUTE,
    arrange: fails(EVIDENCE.serverError),
    look: use,
    before: 'last',
    after: 'first',
  },
  {
    name: 'the rest of a provider that could not be reached, for its other models',
    atMs: MINUTE,
    arrange: fails(EVIDENCE.network, 1, 'a/2'),
    look: use,
    before: 'last',
    after: 'first',
  },
  {
    name: 'a hold by a person',
    atMs: 90 * SECOND,
    arrange: (world) =>
      world.tell({ type: 'health.held', model: 'a/1', state: 'open', forMs: 90 * SECOND, actor: 'ann' }),
    look: use,
    before: 'out',
    after: 'first',
  },
  {
    name: 'a pin',
    atMs: 30 * MINUTE,
    arrange: (world) => {
      const pin = { directory: '/project', agent: 'build', model: 'b/1', forMs: 30 * MINUTE };
      world.tell({ type: 'agent.pinned', ...pin, actor: 'ann' });
    },
    look: code,
    before: 'redirect.pinned',
    after: 'keep.lead',
  },
  {
    name: 'a pause',
    atMs: 30 * MINUTE,
    arrange: (world) => world.tell({ type: 'switching.paused', forMs: 30 * MINUTE, actor: 'ann' }),
    look: code,
    before: 'keep.paused',
    after: 'keep.lead',
  },
  {
    name: 'the window of three changes, when a fourth comes',
    atMs: 10 * MINUTE,
    arrange: flaps,
    look: comesBack,
    before: 'held',
    after: 'ready',
  },
  {
    name: 'the hold of a model that flaps',
    atMs: 10 * MINUTE,
    arrange: (world) => {
      flaps(world);
      comesBack(world);
    },
    look: use,
    before: 'out',
    after: 'first',
  },
  {
    name: 'the memory of a trip, when the next one comes',
    atMs: HOUR,
    arrange: (world) => {
      world.configure(scopeOf(['a/1', 'b/1'], { health: GROWING }));
      fails(EVIDENCE.serverError)(world);
      world.wait(MINUTE).answering('probe', 'a/1');
    },
    look: (world) => fails(EVIDENCE.serverError)(world) ?? world.standing('a/1').inMs,
    before: 2 * MINUTE,
    after: MINUTE,
  },
];

describe('given a time that ends at T', () => {
  it.each(EDGES)('when it is $name, then it lasts at T-1 ms and is over at T and at T+1 ms', (edge) => {
    const seen = [-1, 0, 1].map((ms) => {
      const world = new World();
      edge.arrange(world);
      world.wait(edge.atMs + ms);
      return edge.look(world);
    });
    expect(seen).toEqual([edge.before, edge.after, edge.after]);
  });
});
