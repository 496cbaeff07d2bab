import { describe, expect, it } from 'vitest';
import { PRESETS } from '../../../src/engine/policy/presets';
import { preferredAtIn } from '../../../src/engine/state/view';
import { changesIn } from '../asides';
import { createEngine, NETWORK, SERVER_ERROR, scope } from '../harness';
import { EVIDENCE, outline, SECOND, World } from '../world';

const CHAIN = ['a/1', 'a/2', 'b/1', 'c/1'];

/** Provider a could not be reached when a/1 was asked; b/1 took over. */
function unreached(chain = CHAIN): World {
  const world = new World(chain);
  world.prompt('t1');
  world.failing('t1', 'a/1', EVIDENCE.network);
  return world;
}

describe('given a provider that could not be reached', () => {
  it('when the next model of the turn fails for a reason of its own, then its other models come last', () => {
    const world = unreached();
    expect(outline(world.failing('t1', 'b/1', EVIDENCE.serverError))).toMatchObject({ kind: 'switch', to: 'c/1' });
    expect(outline(world.failing('t1', 'c/1', EVIDENCE.serverError))).toMatchObject({ kind: 'switch', to: 'a/2' });
  });

  it('when another message comes, then no model of it is asked first', () => {
    const world = unreached();
    world.answering('t1', 'b/1');
    const decision = world.prompt('t2', { session: 'other' });
    expect([outline(decision), ...decision.trace.map(({ code }) => code)]).toEqual([
      { kind: 'redirect', from: 'a/1', to: 'b/1', position: 2, code: 'redirect.network_transient' },
      'rest.network_transient',
      'rest.network_transient',
      'chain.first',
      'chain.later',
    ]);
  });

  it('when 60 s have passed since the last sign of it, then at 59.999 s its models rest and at 60 s they are asked', () => {
    const world = unreached();
    const uses = [60 * SECOND - 1, 1, 1].map((ms) => world.wait(ms) && world.standing('a/2').use);
    expect(uses).toEqual(['last', 'first', 'first']);
  });

  it('when its other models are shown, then none has another state, and the one that was asked rests', () => {
    const world = new World(CHAIN);
    world.answering('t0', 'a/2');
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.network);
    expect(['a/1', 'a/2', 'a/3'].map((model) => world.standing(model))).toEqual([
      { state: 'resting', use: 'last', code: 'rest.network_transient', inMs: 60 * SECOND },
      { state: 'ready', use: 'last', code: 'rest.network_transient', inMs: null },
      { state: 'unseen', use: 'last', code: 'rest.network_transient', inMs: null },
    ]);
    expect([changesIn(world.last?.facts).length, world.last?.wakeAt]).toEqual([1, 60 * SECOND]);
  });

  it('when one of its models answers, then its others may be asked at once', () => {
    const world = unreached();
    world.answering('t1', 'a/2');
    expect(['a/2', 'a/3'].map((model) => world.standing(model).use)).toEqual(['first', 'first']);
  });

  it('when one of its models refuses a request, then the way is open all the same', () => {
    const world = unreached();
    world.failing('t1', 'a/2', EVIDENCE.serverError);
    expect(['a/2', 'a/3'].map((model) => world.standing(model).use)).toEqual(['last', 'first']);
  });

  it('when a person resets one of its models, then none of them rests', () => {
    const world = unreached();
    world.tell({ type: 'health.reset', target: { model: 'a/1' }, actor: 'ann' });
    expect(['a/1', 'a/2'].map((model) => world.standing(model).use)).toEqual(['first', 'first']);
  });

  it('when the lead is shown, then it is home again when the rest of its provider ends', () => {
    const world = unreached();
    expect(preferredAtIn(world.state, 'a/2', world.now)).toBe(60 * SECOND);
  });
});

describe('given four network failures in a row, of five that open', () => {
  const four = () => {
    const engine = createEngine(scope({ chain: ['a/1', 'b/1', 'c/1'], policy: PRESETS.steady }));
    for (let count = 0; count < 4; count++) {
      const turn = `alone${count}`;
      engine.after(3 * SECOND).tell({ type: 'scope.configured', directory: '/swift', config: scope() });
      const { attempt } = engine.start(turn, 'a/9', { directory: '/swift', session: turn });
      engine.failed(attempt, NETWORK);
    }
    return engine;
  };

  it('when a policy asks the same model again after a fifth, then the four are not forgotten', () => {
    const engine = four();
    engine.after(3 * SECOND).prompt('t');
    expect(engine.fail('t', 'a/1', NETWORK).action.kind).toBe('hold');
    expect(engine.state().providers.flat()[0]?.[1].breaker).toMatchObject({ kind: 'closed', failures: { length: 4 } });
  });

  it('when the machine loses its network, then that neither counts nor clears', () => {
    const engine = four();
    engine.after(3 * SECOND).prompt('t');
    const { attempt } = engine.start('t', 'a/1');
    engine.after(1).tell({ type: 'host.resumed', asleepMs: 1 });
    expect(engine.failed(attempt, NETWORK).failure?.kind).toBe('local_network');
    expect(engine.state().providers.flat()[0]?.[1].breaker).toMatchObject({ kind: 'closed', failures: { length: 4 } });
  });

  it('when the provider answers with an error, then they are forgotten', () => {
    const engine = four();
    engine.after(3 * SECOND).prompt('t');
    engine.fail('t', 'a/1', SERVER_ERROR);
    expect(engine.state().providers.flat()[0]?.[1].breaker).toMatchObject({ kind: 'closed', failures: [] });
  });
});
