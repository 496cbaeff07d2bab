import { describe, expect, it } from 'vitest';
import { DEFAULT_HEALTH, type HealthNumbers } from '../../src/engine';
import { restoreState, saveState } from '../../src/engine/tools';
import { viewOf } from '../../src/engine/view';
import { DIRECTORY, EVIDENCE, HOUR, MINUTE, outline, scopeOf, World } from './world';

const OTHER = '/other';

const health = (breaker: Partial<HealthNumbers['breaker']>): HealthNumbers => ({
  ...DEFAULT_HEALTH,
  breaker: { ...DEFAULT_HEALTH.breaker, ...breaker },
});

/** One directory with the default numbers, another one with others for the same model. */
function differing(breaker: Partial<HealthNumbers['breaker']>, chain = ['a/1', 'b/1']): World {
  const world = new World(chain);
  world.configure(scopeOf(chain, { health: health(breaker) }), OTHER);
  return world;
}

const failing = (world: World, directory: string): void => {
  const id = `x${world.now}-${world.decisions.length}-${directory}`;
  world.fail(world.start(id, 'a/1', { session: id, directory }).attempt, EVIDENCE.serverError);
};

describe('given two directories with different breaker numbers for the same model', () => {
  it('when the patient one fails twice where the other opens at two, then it opens', () => {
    const world = differing({ failureThreshold: 2 });
    failing(world, DIRECTORY);
    failing(world, DIRECTORY);
    expect(world.standing('a/1').state).toBe('open');
  });

  it('when the strict one fails last, then the other’s longer open time counts', () => {
    const world = differing({ cooldownMs: 2 * MINUTE });
    for (let count = 0; count < 3; count++) failing(world, OTHER);
    expect(world.standing('a/1')).toMatchObject({ state: 'open', inMs: HOUR });
  });

  it('when the window of one is longer, then a failure counts as long as that: at T-1 ms, not at T and T+1 ms', () => {
    const world = differing({ windowMs: 2 * HOUR });
    failing(world, DIRECTORY);
    const states = [2 * HOUR - 1, 1, 1].map((ms) => world.wait(ms) && world.standing('a/1').state);
    expect(states).toEqual(['degraded', 'ready', 'ready']);
  });

  it('when it is shown, then the surface names the number that counts', () => {
    const world = differing({ failureThreshold: 2 });
    failing(world, DIRECTORY);
    expect(viewOf(world.state, 0).models.find(({ model }) => model === 'a/1')?.failureThreshold).toBe(2);
  });

  it('when the stricter one is closed, switched off or has the model in no chain, then it has no say', () => {
    const opens = (change: (world: World) => void): string => {
      const world = differing({ failureThreshold: 1 });
      change(world);
      failing(world, DIRECTORY);
      return world.standing('a/1').state;
    };
    const strict = health({ failureThreshold: 1 });
    expect([
      opens(() => {}),
      opens((world) => world.tell({ type: 'scope.closed', directory: OTHER })),
      opens((world) => world.configure(scopeOf(['a/1'], { enabled: false, health: strict }), OTHER)),
      opens((world) => world.configure(scopeOf(['c/1'], { health: strict }), OTHER)),
      opens((world) => world.configure(scopeOf(['c/1'], { backupModel: 'a/1', health: strict }), OTHER)),
    ]).toEqual(['open', 'resting', 'resting', 'resting', 'open']);
  });

  it('when the state is stored and taken in, also as an older engine stored it, then the stricter still counts', () => {
    const world = differing({ failureThreshold: 2 });
    failing(world, DIRECTORY);
    const { strict, ...old } = JSON.parse(JSON.stringify(saveState(world.state, world.now))).state;
    const saved = { format: 'understudy.engine', v: 1, state: old };
    world.state = restoreState(saved, world.now).state;
    failing(world, DIRECTORY);
    expect([strict.flat().length, world.standing('a/1').state]).toEqual([2, 'open']);
  });
});

describe('given a directory that is closed', () => {
  it('when a message comes all the same, then it has no chain, and what stands against its models stays', () => {
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.tell({ type: 'scope.closed', directory: DIRECTORY });
    expect([outline(world.prompt('t1')), world.standing('a/1'), viewOf(world.state, 0).chains]).toEqual([
      { kind: 'keep', to: 'a/1', code: 'keep.lead' },
      { state: 'cooling', use: 'out', code: 'limit.rate_limit', inMs: 5 * MINUTE },
      [],
    ]);
  });

  it('when a request of it fails after that, then it is the model’s failure and OpenCode’s business', () => {
    const world = new World();
    world.prompt('t1');
    const { attempt } = world.start('t1', 'a/1');
    world.tell({ type: 'scope.closed', directory: DIRECTORY });
    expect(outline(world.fail(attempt, EVIDENCE.rateLimit))).toEqual({ kind: 'pass', code: 'pass.rate_limit' });
    expect(world.standing('a/1').inMs).toBe(5 * MINUTE);
  });

  it('when it is opened again, then its chain is back', () => {
    const world = new World();
    world.tell({ type: 'scope.closed', directory: DIRECTORY });
    world.configure(scopeOf(['a/1', 'b/1']));
    expect(world.prompt('t1').trace.map(({ model }) => model)).toEqual(['a/1', 'b/1']);
  });
});
