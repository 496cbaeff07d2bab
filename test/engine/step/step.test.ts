import { describe, expect, it } from 'vitest';
import { initialState, type Step, step } from '../../../src/engine';
import { get } from '../../../src/engine/base/table';
import { changesIn } from '../asides';
import { EVIDENCE, HOUR, MINUTE, World } from '../world';

const told = ({ facts }: Pick<Step, 'facts'>): unknown =>
  facts.map((fact) =>
    fact.type === 'model.changed'
      ? `${fact.model} ${fact.from} -> ${fact.to} (${fact.code}, ${fact.forMs})`
      : fact.type,
  );

/** Steps from wake-up to wake-up until nothing is due. @returns when it woke, and what it then told. */
function sleepThrough(world: World): unknown[] {
  const seen: unknown[] = [];
  for (let at = world.last?.wakeAt ?? null; at !== null; at = world.last?.wakeAt ?? null) {
    world.now = at;
    seen.push([at, told(world.tick())]);
  }
  return seen;
}

describe('given an engine with nothing to wait for', () => {
  it('when it starts, is configured and a turn is answered, then no wake-up is due', () => {
    const world = new World();
    const first = world.last?.wakeAt;
    world.prompt('t1');
    world.answering('t1', 'a/1');
    expect([step(initialState, { type: 'tick' }, 0, 0).wakeAt, first, world.last?.wakeAt]).toEqual([null, null, null]);
  });

  it('when it ticks, then the state is the very same', () => {
    const world = new World();
    const before = world.state;
    world.wait(HOUR).tick();
    expect(world.state).toBe(before);
  });
});

describe('given a model that hit its limit at 0:00', () => {
  it('when it sleeps from wake-up to wake-up, then it wakes at 5:00 and 15:00 and tells each change once', () => {
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    expect(sleepThrough(world)).toEqual([
      [5 * MINUTE, [`a/1 cooling -> resting (rest.rate_limit, ${10 * MINUTE})`]],
      [15 * MINUTE, ['a/1 resting -> ready (null, null)']],
    ]);
  });

  it('when it is woken 1 ms early, then nothing has changed and the same moment is due', () => {
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    const { facts, wakeAt } = world.wait(5 * MINUTE - 1).tick();
    expect({ facts, wakeAt }).toEqual({ facts: [], wakeAt: 5 * MINUTE });
  });

  it('when it hits, then the change is told with its reason and its time', () => {
    const world = new World();
    const { attempt } = world.start('t1', 'a/1');
    world.fail(attempt, EVIDENCE.rateLimit);
    expect(changesIn(world.last?.facts)).toEqual([
      {
        type: 'model.changed',
        model: 'a/1',
        from: 'ready',
        to: 'cooling',
        code: 'limit.rate_limit',
        kind: 'rate_limit',
        forMs: 5 * MINUTE,
      },
    ]);
  });
});

describe('given a model whose breaker trips', () => {
  it('when it sleeps from wake-up to wake-up, then rest and trip end on their moment', () => {
    const world = new World();
    for (let count = 0; count < 3; count++) world.wait(MINUTE).failingAlone('a/1', EVIDENCE.serverError);
    expect(sleepThrough(world)).toEqual([
      [4 * MINUTE, []],
      [3 * MINUTE + HOUR, ['a/1 open -> ready (null, null)']],
    ]);
  });

  it('when one failure grows an hour old, then the wake-up at that moment tells that it is ready', () => {
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.serverError);
    expect(sleepThrough(world)).toEqual([
      [MINUTE, ['a/1 resting -> degraded (breaker.counting, null)']],
      [HOUR, ['a/1 degraded -> ready (null, null)']],
    ]);
  });
});

describe('given a provider whose quota is spent', () => {
  it('when three of its models are known, then all three changes are told', () => {
    const world = new World();
    for (const model of ['a/1', 'a/2', 'a/3']) world.answering(model, model);
    world.failing('t1', 'a/2', EVIDENCE.quota);
    expect((told({ facts: changesIn(world.last?.facts) }) as string[]).sort()).toEqual([
      `a/1 ready -> cooling (limit.quota, ${HOUR})`,
      `a/2 ready -> cooling (limit.quota, ${HOUR})`,
      `a/3 ready -> cooling (limit.quota, ${HOUR})`,
    ]);
  });

  it('when the hour is over, then one wake-up tells of all three', () => {
    const world = new World();
    for (const model of ['a/1', 'a/2', 'a/3']) world.answering(model, model);
    world.failing('t1', 'a/2', EVIDENCE.quota);
    world.now = world.last?.wakeAt ?? 0;
    expect([world.now, (told(world.tick()) as string[]).length]).toEqual([HOUR, 3]);
  });
});

describe('given 1,000 models that all cool until different moments', () => {
  it('when it wakes for each, then each is told at its own moment', () => {
    const world = new World();
    for (let count = 0; count < 1_000; count++) {
      world.now = count;
      world.failingAlone(`p${count}/m`, { ...EVIDENCE.rateLimit, headers: { 'retry-after': '3600' } });
    }
    const moments = sleepThrough(world) as [number, string[]][];
    expect([moments.length, moments.every(([at, facts]) => facts.length === 1 && at >= HOUR)]).toEqual([1_000, true]);
  });
});

describe('given chance outside [0, 1)', () => {
  it.each([-0.1, 1, Number.NaN])('when it is %d, then it is the caller’s bug and the message repeats it', (random) => {
    expect(() => step(initialState, { type: 'tick' }, 0, random)).toThrow(
      new RangeError(`random must be in [0, 1), got ${random}`),
    );
  });
});

describe('given four requests to a model whose breaker opens with the third failure', () => {
  const stale = (world: World): unknown[] => world.last?.facts.filter(({ type }) => type === 'breaker.stale') ?? [];

  /** Three have failed; the fourth is under way. */
  const opened = () => {
    const world = new World();
    const attempts = ['t1', 't2', 't3', 't4'].map((turn) => world.start(turn, 'a/1', { session: turn }).attempt);
    const [first = '', second = '', third = '', fourth = ''] = attempts;
    for (const attempt of [first, second, third]) world.fail(attempt, EVIDENCE.serverError);
    return { world, fourth };
  };

  it('when the fourth fails after that, then the breaker stays as it is, and that is told', () => {
    const { world, fourth } = opened();
    const before = world.state.models;
    expect(stale(world)).toEqual([]);
    world.fail(fourth, EVIDENCE.serverError);
    expect(stale(world)).toEqual([{ type: 'breaker.stale', model: 'a/1' }]);
    expect(get(world.state.models, 'a/1')?.breaker).toEqual(get(before, 'a/1')?.breaker);
  });

  it('when the fourth is answered after that, then the breaker stays open, and that is told', () => {
    const { world, fourth } = opened();
    world.succeed(fourth);
    expect(stale(world)).toEqual([{ type: 'breaker.stale', model: 'a/1' }]);
    expect(get(world.state.models, 'a/1')?.breaker.kind).toBe('open');
  });

  it('when the fourth meets a limit, which no breaker counts, then nothing is told of the breaker', () => {
    const { world, fourth } = opened();
    world.fail(fourth, EVIDENCE.rateLimit);
    expect(stale(world)).toEqual([]);
  });

  it('when the fourth ends after a probe has closed the breaker again, then that is told as well', () => {
    for (const end of ['fail', 'succeed'] as const) {
      const { world, fourth } = opened();
      world.wait(HOUR).answering('t5', 'a/1');
      const before = get(world.state.models, 'a/1')?.breaker;
      expect(before?.kind).toBe('closed');
      if (end === 'fail') world.fail(fourth, EVIDENCE.serverError);
      else world.succeed(fourth);
      expect(stale(world), end).toEqual([{ type: 'breaker.stale', model: 'a/1' }]);
      expect(get(world.state.models, 'a/1')?.breaker).toEqual(before);
    }
  });

  it('when a person has reset the model meanwhile, then the fourth moves nothing and nothing is told', () => {
    for (const target of [{ model: 'a/1' }, { provider: 'a' }, { all: true }] as const) {
      for (const end of ['fail', 'succeed'] as const) {
        const { world, fourth } = opened();
        world.tell({ type: 'health.reset', target, actor: 'ann' });
        const before = get(world.state.models, 'a/1')?.breaker;
        if (end === 'fail') world.fail(fourth, EVIDENCE.serverError);
        else world.succeed(fourth);
        expect(stale(world)).toEqual([]);
        expect(get(world.state.models, 'a/1')?.breaker).toEqual(before);
      }
    }
  });

  it('when another model was reset, then it is told', () => {
    const { world, fourth } = opened();
    world.tell({ type: 'health.reset', target: { model: 'b/1' }, actor: 'ann' });
    world.fail(fourth, EVIDENCE.serverError);
    expect(stale(world)).toEqual([{ type: 'breaker.stale', model: 'a/1' }]);
  });

  it('when a later probe is answered, then it closes, and nothing is told', () => {
    const { world } = opened();
    world.wait(HOUR).answering('t5', 'a/1');
    expect(stale(world)).toEqual([]);
    expect(get(world.state.models, 'a/1')?.breaker.kind).toBe('closed');
  });
});

describe('given requests to a provider that five of them have not reached', () => {
  const MODELS = ['a/1', 'a/2', 'a/3', 'a/4', 'a/5', 'a/6'];
  const stale = (world: World): unknown[] => world.last?.facts.filter(({ type }) => type.endsWith('.stale')) ?? [];

  /** The sixth is under way. */
  const unreached = () => {
    const world = new World([...MODELS, 'b/1']);
    world.answering('t0', 'b/1');
    const attempts = MODELS.map((model) => world.start(`t ${model}`, model, { session: model, purpose: 'internal' }));
    for (const { attempt } of attempts.slice(0, 5)) world.wait(MINUTE).fail(attempt, EVIDENCE.network);
    expect(get(world.state.providers, 'a')?.breaker.kind).toBe('open');
    return { world, sixth: attempts[5]?.attempt ?? '' };
  };

  it('when the sixth is answered after that, then the way stays shut, and that is told', () => {
    const { world, sixth } = unreached();
    world.succeed(sixth);
    expect(stale(world)).toEqual([{ type: 'network.stale', model: 'a/6' }]);
    expect(get(world.state.providers, 'a')?.breaker.kind).toBe('open');
  });

  it('when it does not arrive either, after a probe has found the way open again, then it stays open, and that is told', () => {
    const { world, sixth } = unreached();
    world.wait(HOUR).answering('t9', 'a/1');
    const before = get(world.state.providers, 'a')?.breaker;
    expect(before?.kind).toBe('closed');
    world.fail(sixth, EVIDENCE.network);
    expect(stale(world)).toEqual([{ type: 'network.stale', model: 'a/6' }]);
    expect(get(world.state.providers, 'a')?.breaker).toEqual(before);
  });

  it('when a person has reset the provider meanwhile, then nothing is told', () => {
    const { world, sixth } = unreached();
    world.tell({ type: 'health.reset', target: { provider: 'a' }, actor: 'ann' });
    world.fail(sixth, EVIDENCE.network);
    expect(stale(world)).toEqual([]);
  });
});
