import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { initialState, step } from '../../../src/engine';
import { PRESETS } from '../../../src/engine/policy/presets';
import { restoreState, STATE_VERSION, saveState } from '../../../src/engine/tools';
import { createEngine, DIRECTORY, MINUTE, NO_KEY, RATE_LIMIT, SERVER_ERROR, scope } from '../harness';

/** An engine in which every part of the state holds something. */
const busy = () => {
  const engine = createEngine(scope({ policy: PRESETS.council, abilities: ['ask', 'defer'] }));
  engine.prompt('t');
  engine.fail('t', 'b/1', SERVER_ERROR);
  engine.fail('t', 'c/1', { phase: 'headers', code: 'ECONNREFUSED' });
  engine.fail('t', 'a/1', NO_KEY);
  engine.prompt('u', { session: 'other' });
  engine.start('u', 'b/1', { session: 'other' });
  engine.tell({ type: 'health.held', model: 'c/1', state: 'open', forMs: 10 * MINUTE, actor: 'ann' });
  engine.tell({ type: 'agent.pinned', directory: DIRECTORY, agent: 'plan', model: 'b/1', forMs: MINUTE, actor: 'ann' });
  engine.tell({ type: 'switching.paused', forMs: 30_000, actor: 'ann' });
  return engine;
};
const stored = (engine: ReturnType<typeof createEngine>): unknown =>
  JSON.parse(JSON.stringify(saveState(engine.state(), engine.now())));

describe('given a state that was stored', () => {
  it('when it is taken in by the same clock, then nothing is lost', () => {
    const engine = busy().after(1_000);
    const { state, damage } = restoreState(stored(engine), engine.now());
    const { troubled, ...rest } = state;
    const { troubled: oldTroubled, ...old } = JSON.parse(JSON.stringify(engine.state()));
    expect([JSON.parse(JSON.stringify(rest)), damage]).toEqual([old, null]);
    expect([rest.streaks.flat().length, troubled.length > 0]).toEqual([3, oldTroubled.length > 0]);
  });

  it('when version 0.1.0 stored it, with the share of retries, then it loads, and a new bucket is full', () => {
    const engine = busy();
    const saved = stored(engine) as { state: Record<string, unknown> };
    const { streaks, ...older } = saved.state;
    const traffic = [{ minute: 1, firsts: 4, retries: 3 }];
    const { state, damage } = restoreState({ ...saved, state: { ...older, traffic } }, engine.now());
    expect([damage, (streaks as unknown[]).flat().length, state.streaks.flat()]).toEqual([null, 3, []]);
  });

  it('when another clock takes it in, then a bucket is as old and as empty as before', () => {
    const engine = createEngine(scope({ policy: PRESETS.steady }));
    engine.prompt('t');
    engine.fail('t', 'a/1', RATE_LIMIT);
    const { state } = restoreState(stored(engine.after(MINUTE)), 5_000_000);
    expect(state.streaks.flat()).toEqual([['a', { kind: 'rate_limit', used: 1 / 3, at: 5_000_000 - MINUTE }]]);
  });

  it('when it is taken in by another clock, then what is left of each time is the same', () => {
    const engine = createEngine();
    engine.prompt('t');
    engine.at(1_000).fail('t', 'a/1', RATE_LIMIT);
    engine.at(61_000);
    const { state } = restoreState(stored(engine), 5_000_000);
    const at = (now: number) => createEngine(scope(), state).at(now).shown('a/1').state;
    expect([5_239_999, 5_240_000, 5_240_001].map(at)).toEqual(['cooling', 'resting', 'resting']);
  });

  it('when a model became ready while nobody was there, then the first tick tells it', () => {
    const engine = createEngine();
    engine.prompt('t');
    engine.fail('t', 'a/1', RATE_LIMIT);
    const saved = stored(engine);
    const { state } = restoreState(saved, 0);
    const { facts } = step(state, { type: 'tick' }, 300_000, 0.5);
    expect(facts).toMatchObject([{ type: 'model.changed', model: 'a/1', from: 'cooling', to: 'resting' }]);
  });

  it('when a circuit is open for a year in it, then it is open for as long as any configuration holds one open', () => {
    const engine = createEngine();
    for (const turn of ['t', 'u', 'v']) {
      engine.prompt(turn);
      engine.fail(turn, 'a/1', SERVER_ERROR);
    }
    const saved = JSON.parse(
      JSON.stringify(stored(engine)).replace('"until":3600000,"trips"', '"until":31536000000,"trips"'),
    );
    const { state, damage } = restoreState(saved, 0);
    const at = (now: number) => createEngine(scope(), state).at(now).shown('a/1').state;
    expect([damage, at(23 * 60 * MINUTE), at(24 * 60 * MINUTE + 1)]).toEqual([null, 'open', 'ready']);
  });

  it('when it was written by a newer engine, then the engine starts anew and says so', () => {
    const newer = { ...saveState(busy().state(), 0), v: STATE_VERSION + 1 };
    expect(restoreState(newer, 0)).toEqual({ state: initialState, damage: 'state.newer' });
  });

  it.each([null, undefined, 7, 'text', [], {}, { format: 'understudy.engine' }, { format: 'other', v: 1, state: {} }])(
    'when it is %j, then the engine starts anew and says so',
    (saved) => {
      expect(restoreState(saved, 0)).toEqual({ state: initialState, damage: 'state.damaged' });
    },
  );

  it('when any one value of it is damaged, then it is refused or the engine goes on with it without a throw', () => {
    const saved = stored(busy());
    const paths = pathsOf(saved);
    fc.assert(
      fc.property(fc.nat(paths.length - 1), fc.constantFrom(null, 'x', -1, {}, [], true, [[]]), (at, value) => {
        const damaged = JSON.parse(JSON.stringify(saved));
        put(damaged, paths[at] ?? [], value);
        const { state } = restoreState(damaged, 1_000);
        const engine = createEngine(scope(), state);
        engine.at(2_000).tick();
        engine.prompt('w');
        engine.fail('w', 'a/1', SERVER_ERROR);
        expect(['blocked', 'degraded', 'resting', 'held', 'cooling', 'open', 'ready', 'unseen', 'probing']).toContain(
          engine.shown('a/1').state,
        );
      }),
      { numRuns: 500 },
    );
  });
});

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const own = Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]));
  return path.length === 0 ? own : [path, ...own];
}

function put(target: unknown, path: Path, value: unknown): void {
  let at = target as Record<string, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
  at[path.at(-1) as string] = value;
}
