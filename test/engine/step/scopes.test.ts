import { describe, expect, it } from 'vitest';
import { type AgentPlan, DEFAULT_HEALTH, type HealthNumbers, SWIFT } from '../../../src/engine';
import { viewOf } from '../../../src/engine/state/view';
import { restoreState, saveState } from '../../../src/engine/tools';
import { DIRECTORY, EVIDENCE, HOUR, MINUTE, outline, scopeOf, World } from '../world';

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
  it('when the patient one fails where the other opens at one, then it is counted by its own: at 2 and 3 failures', () => {
    const world = differing({ failureThreshold: 1 });
    const states = [1, 2, 3].map(() => {
      failing(world, DIRECTORY);
      return world.standing('a/1').state;
    });
    expect(states).toEqual(['resting', 'resting', 'open']);
  });

  it('when the strict one fails, then it is counted by its own: it opens at one', () => {
    const world = differing({ failureThreshold: 1 });
    failing(world, OTHER);
    expect(world.standing('a/1').state).toBe('open');
  });

  it('when one opens, then for its own time', () => {
    const opensFor = (directory: string): number | null => {
      const world = differing({ cooldownMs: 2 * MINUTE });
      for (let count = 0; count < 3; count++) failing(world, directory);
      return world.standing('a/1').inMs;
    };
    expect([opensFor(OTHER), opensFor(DIRECTORY)]).toEqual([2 * MINUTE, HOUR]);
  });

  it('when the window of the other is longer, then a failure counts as long as its own: at T-1 ms, not at T', () => {
    const world = differing({ windowMs: 2 * HOUR });
    failing(world, DIRECTORY);
    const states = [HOUR - 1, 1].map((ms) => world.wait(ms) && world.standing('a/1').state);
    expect(states).toEqual(['degraded', 'ready']);
  });

  it('when it is shown, then the surface names the number of the directory that failed last', () => {
    const world = differing({ failureThreshold: 2 });
    const shown = (): number | undefined =>
      viewOf(world.state, 0).models.find(({ model }) => model === 'a/1')?.failureThreshold;
    failing(world, DIRECTORY);
    const first = shown();
    failing(world, OTHER);
    expect([first, shown()]).toEqual([3, 2]);
  });
});

/** One directory with an agent for each plan, all with the same chain. */
function agreeing(plans: Readonly<Record<string, Partial<AgentPlan>>>): World {
  const plan = { chain: ['a/1', 'b/1'], policy: SWIFT };
  const agents = Object.fromEntries(Object.entries(plans).map(([name, own]) => [name, { ...plan, ...own }]));
  return new World([], { agents });
}

/** The lead of an agent fails so many times, each time in a session of its own. */
function failingFor(world: World, agent: string, times: number): string {
  for (let count = 0; count < times; count++) {
    const id = `${agent}-${world.decisions.length}`;
    world.prompt(id, { session: id, agent });
    world.fail(world.start(id, 'a/1', { session: id, agent }).attempt, EVIDENCE.serverError);
  }
  return world.standing('a/1').state;
}

const shownOf = (world: World, model: string): number | undefined =>
  viewOf(world.state, world.now).models.find((row) => row.model === model)?.failureThreshold;

describe('given agents of one directory with breaker numbers of their own', () => {
  const oracle = { breaker: { failureThreshold: 2, cooldownMs: 10 * MINUTE } };

  it('when an agent fails, then its own threshold and open time count: at 1 and 2 failures', () => {
    const world = agreeing({ oracle, build: {} });
    expect([failingFor(world, 'oracle', 1), failingFor(world, 'oracle', 1)]).toEqual(['resting', 'open']);
    expect(world.standing('a/1').inMs).toBe(10 * MINUTE);
  });

  it('when another agent fails as often, then it is counted with the numbers of the directory: at 2 and 3 failures', () => {
    const world = agreeing({ oracle, build: {} });
    expect([failingFor(world, 'build', 2), failingFor(world, 'build', 1)]).toEqual(['resting', 'open']);
    expect(world.standing('a/1').inMs).toBe(HOUR);
  });

  it('when it is shown, then with the strictest of the agents that name the model, and of no other', () => {
    const lax = { breaker: { failureThreshold: 9, cooldownMs: MINUTE } };
    const shown = (plans: Readonly<Record<string, Partial<AgentPlan>>>): unknown => {
      const world = agreeing(plans);
      return [failingFor(world, 'lax', 1), shownOf(world, 'a/1')];
    };
    expect([shown({ lax }), shown({ lax, build: {} }), shown({ lax, oracle })]).toEqual([
      ['resting', 9],
      ['resting', 3],
      ['resting', 2],
    ]);
    expect(shown({ lax, oracle: { ...oracle, chain: ['c/1'] } })).toEqual(['resting', 9]);
  });

  it('when another directory is stricter still, then that does not count here', () => {
    const world = agreeing({ oracle });
    world.configure(scopeOf(['a/1'], { health: health({ failureThreshold: 1 }) }), OTHER);
    expect([failingFor(world, 'oracle', 1), shownOf(world, 'a/1')]).toEqual(['resting', 2]);
  });

  it('when the state is stored and taken in, then the numbers of the agents still count', () => {
    const world = agreeing({ oracle });
    failingFor(world, 'oracle', 1);
    const { state, ...saved } = JSON.parse(JSON.stringify(saveState(world.state, world.now)));
    // An older engine stored no such numbers.
    const { strict, ...old } = state;
    expect(strict.flat()).toHaveLength(2);
    world.state = restoreState({ ...saved, state: old }, world.now).state;
    expect([shownOf(world, 'a/1'), failingFor(world, 'oracle', 1)]).toEqual([2, 'open']);
  });
});

describe('given agents of one directory with retries of their own', () => {
  it.each([
    [0, 'switch'],
    [1, 'hold'],
    [undefined, 'hold'],
  ])('when the policy asks for three and maxRetries is %s, then the first failure is a %s', (maxRetries, kind) => {
    const policy = { ...SWIFT, server_error: [{ step: 'retry', n: 3 }, { step: 'switch' }] } as const;
    const world = agreeing({ build: { policy, maxRetries } });
    world.prompt('t1');
    expect(world.failing('t1', 'a/1', EVIDENCE.serverError)?.action.kind).toBe(kind);
  });

  it('when the directory allows fewer, then the agent’s own number counts', () => {
    const policy = { ...SWIFT, server_error: [{ step: 'retry', n: 3 }, { step: 'switch' }] } as const;
    const agents = { build: { chain: ['a/1', 'b/1'], policy, maxRetries: 2 } };
    const world = new World([], { agents, maxRetries: 0 });
    world.prompt('t1');
    const kinds = [1, 2, 3].map(() => world.failing('t1', 'a/1', EVIDENCE.serverError)?.action.kind);
    expect(kinds).toEqual(['hold', 'hold', 'switch']);
  });
});

describe('given an agent whose lead is named for it alone', () => {
  const named = (): World => agreeing({ build: {}, oracle: { isNamed: true } });

  it('when the model of the session it is started from comes along, then it is led by its own', () => {
    const world = named();
    world.prompt('t1', { model: 'x/9', isExplicit: true });
    const child = { session: 'child', parentSession: 's', agent: 'oracle', hostLead: null, isExplicit: true };
    expect(outline(world.prompt('t2', { ...child, model: 'x/9' }))).toMatchObject({ kind: 'redirect', to: 'a/1' });
  });

  it('when OpenCode takes any model because it has none for the agent, then it is led by its own', () => {
    const decision = named().prompt('t1', { agent: 'oracle', model: 'x/9', hostLead: null });
    expect(outline(decision)).toMatchObject({ kind: 'redirect', to: 'a/1' });
  });

  it('when a person picks another one, then that leads', () => {
    const decision = named().prompt('t1', { agent: 'oracle', model: 'x/9', hostLead: null, isExplicit: true });
    expect(outline(decision)).toEqual({ kind: 'keep', to: 'x/9', code: 'keep.lead' });
  });

  it('when nobody has named a lead for an agent, then what comes along leads, as before', () => {
    const world = named();
    world.prompt('t1', { model: 'x/9', isExplicit: true });
    const child = { session: 'child', parentSession: 's', agent: 'build', hostLead: null, isExplicit: true };
    expect(outline(world.prompt('t2', { ...child, model: 'x/9' }))).toMatchObject({ kind: 'keep', to: 'x/9' });
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
    expect(outline(world.fail(attempt, EVIDENCE.rateLimit))).toEqual({ kind: 'pass', code: 'pass.no_chain' });
    expect(world.standing('a/1').inMs).toBe(5 * MINUTE);
  });

  it('when it is opened again, then its chain is back', () => {
    const world = new World();
    world.tell({ type: 'scope.closed', directory: DIRECTORY });
    world.configure(scopeOf(['a/1', 'b/1']));
    expect(world.prompt('t1').trace.map(({ model }) => model)).toEqual(['a/1', 'b/1']);
  });
});
