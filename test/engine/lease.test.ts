import { describe, expect, it } from 'vitest';
import { DEFAULT_HEALTH } from '../../src/engine/base/config';
import { asSeenBy, isGranted, isProbeDue, leftToAnother, returnDue } from '../../src/engine/tools';
import { createEngine, HOUR, MINUTE, SECOND, SERVER_ERROR, scope } from './harness';

/** An engine whose lead a/1 has failed three times, an hour ago and a minute. */
function worn(isShadow = false) {
  const engine = createEngine(scope({ health: { ...DEFAULT_HEALTH, shadow: isShadow } }));
  for (const turn of ['t', 'u', 'v']) {
    engine.prompt(turn);
    engine.fail(turn, 'a/1', SERVER_ERROR);
  }
  return engine;
}
const isDue = (engine: ReturnType<typeof worn>, model: string) => isProbeDue(engine.state(), model, engine.now());

describe('given a model whose breaker has opened', () => {
  it('when its time has come, then a request would be its probe; before that, or while one is out, it would not', () => {
    const engine = worn();
    const before = isDue(engine, 'a/1');
    engine.at(HOUR + MINUTE);
    const due = [isDue(engine, 'a/1'), isDue(engine, 'b/1')];
    engine.prompt('w');
    engine.start('w', 'a/1');
    expect([before, due, isDue(engine, 'a/1')]).toEqual([false, [true, false], false]);
  });

  it('when breakers only watch, then no request is a probe', () => {
    expect(isDue(worn(true).at(HOUR + MINUTE), 'a/1')).toBe(false);
  });
});

describe('given a probe that is granted to the life p1', () => {
  const granted = () => {
    const engine = worn().at(HOUR + MINUTE);
    engine.tell({ type: 'lease.requested', model: 'a/1', epoch: 'p1' });
    return engine;
  };

  it('when p1 looks, then the probe is still to be made; for everybody else it is under way', () => {
    const engine = granted();
    const due = ['p1', 'p2'].map((epoch) => isProbeDue(asSeenBy(engine.state(), epoch), 'a/1', engine.now()));
    const theirs = ['p1', 'p2'].map((epoch) => isGranted(engine.state(), 'a/1', epoch, engine.now()));
    expect([due, theirs]).toEqual([
      [true, false],
      [true, false],
    ]);
  });

  it('when p1 makes it from what it saw, then both hosts have the same health', () => {
    const app = granted();
    const place = { turn: 'w', session: 's', directory: '/project', agent: 'build', model: 'a/1' } as const;
    const event = { type: 'attempt.started', attempt: 'x', ...place, purpose: 'internal', epoch: 'p1' } as const;
    const host = createEngine(scope(), asSeenBy(app.state(), 'p1')).at(app.now());
    app.tell(event);
    host.tell({ ...event, epoch: 'p9' });
    expect(host.state().models).toEqual(app.state().models);
  });

  it('when ten minutes have passed without it, then the grant is over', () => {
    const engine = granted();
    const end = engine.now() + 10 * MINUTE;
    expect([isGranted(engine.state(), 'a/1', 'p1', end - 1), isGranted(engine.state(), 'a/1', 'p1', end)]).toEqual([
      true,
      false,
    ]);
  });
});

describe('given a model that its provider has limited for an hour', () => {
  /** @param scope who else is limited with it. */
  const limited = (message = 'slow down') => {
    const engine = createEngine();
    engine.prompt('t');
    engine.fail('t', 'a/1', { phase: 'headers', status: 429, headers: { 'retry-after': '3600' }, message });
    return engine;
  };
  const due = (engine: ReturnType<typeof limited>, model = 'a/1') => returnDue(engine.state(), model, engine.now());

  it('when the hour is over, then the next request to it is the first since then, until one is answered', () => {
    const engine = limited();
    const end = engine.now() + HOUR;
    const before = due(engine.at(end - 1));
    const after = [due(engine.at(end)), due(engine, 'b/1')];
    engine.succeed('u', 'a/1');
    expect([before, after, due(engine)]).toEqual([null, ['a/1', null], null]);
  });

  it('when another machine asks it first, then it is used last for five seconds, and first again after that or after an answer', () => {
    const engine = limited();
    engine.at(engine.now() + HOUR);
    const leave = () =>
      engine.tell({ type: 'fleet.heard', health: leftToAnother(engine.state(), 'a/1', engine.now()) });
    leave();
    expect([engine.shown('a/1').state, engine.shown('a/1').use, due(engine)]).toEqual(['resting', 'last', null]);
    expect(engine.prompt('v').action).toMatchObject({ to: 'b/1' });
    expect(engine.at(engine.now() + 5 * SECOND - 1).shown('a/1').use).toBe('last');
    expect([engine.at(engine.now() + 1).shown('a/1').use, due(engine)]).toEqual(['first', 'a/1']);
    leave();
    engine.succeed('w', 'a/1');
    expect(engine.shown('a/1').use).toBe('first');
  });

  it('when nothing was limited, then nothing is left to another machine', () => {
    const { models, providers } = leftToAnother(createEngine().state(), 'a/1', 0);
    expect([models, providers]).toEqual([[], []]);
  });
});
