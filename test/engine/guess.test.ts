import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../src/engine';
import { DEFAULT_HEALTH } from '../../src/engine/base/config';
import { runs } from '../support/runs';
import { createEngine, HOUR, MINUTE, NETWORK, NO_KEY, RATE_LIMIT, SECOND, SERVER_ERROR, scope } from './harness';

const guessing = (more: Parameters<typeof scope>[0] = {}) =>
  scope({ chain: ['a/1', 'b/1'], guessProbe: true, ...more });
/** As the provider says itself: an hour. */
const SAID: Evidence = { ...RATE_LIMIT, headers: { 'retry-after': '3600' } };

/** Both models are out: the lead since 0 s, the other since 1 s; it is 2 s. */
function allOut(first: Evidence, second: Evidence, more: Parameters<typeof scope>[0] = {}) {
  const engine = createEngine(guessing(more));
  engine.prompt('t');
  engine.fail('t', 'a/1', first);
  engine.after(SECOND).fail('t', 'b/1', second);
  return engine.after(SECOND);
}

describe('given a chain of which all are out, and a person who writes again', () => {
  it('when only our estimates say so and a minute has passed, then the one that is due first is asked', () => {
    const engine = allOut(RATE_LIMIT, RATE_LIMIT).after(MINUTE);
    expect(engine.prompt('u')).toMatchObject({
      code: 'keep.estimate',
      action: { kind: 'keep', to: 'a/1' },
      trace: [{ model: 'a/1', verdict: 'chosen', code: 'chain.estimate' }, { model: 'b/1' }],
    });
    expect(engine.start('u', 'a/1').refusal).toBeNull();
    expect(engine.succeed('u', 'a/1').decisions).toEqual([]);
    expect(engine.shown('a/1').use).toBe('first');
  });

  it('when it is refused once more, then the turn goes on to the other, and ends when that fails as well', () => {
    const engine = allOut(RATE_LIMIT, RATE_LIMIT).after(MINUTE);
    engine.prompt('u');
    expect(engine.fail('u', 'a/1', RATE_LIMIT)).toMatchObject({
      code: 'switch.estimate',
      action: { kind: 'switch', from: 'a/1', to: 'b/1' },
    });
    expect(engine.start('u', 'b/1').refusal).toBeNull();
    expect(engine.fail('u', 'b/1', RATE_LIMIT).action.kind).toBe('exhausted');
    expect(engine.after(SECOND).prompt('v').code).toBe('keep.estimate');
  });

  it('when the circuit of one is probed by another message, then the next message goes to the other', () => {
    const breaker = { ...DEFAULT_HEALTH.breaker, failureThreshold: 1, cooldownMs: HOUR };
    const engine = allOut(SERVER_ERROR, SERVER_ERROR, { health: { ...DEFAULT_HEALTH, breaker } });
    const models = ['u', 'v', 'w'].map((turn) => {
      const { action } = engine.prompt(turn, { session: turn });
      const model = 'to' in action ? action.to : action.kind;
      expect(engine.start(turn, model, { session: turn }).refusal).toBeNull();
      return model;
    });
    expect(models).toEqual(['a/1', 'b/1', 'a/1']);
  });

  it('when a provider has said how long, then nobody is asked against its word', () => {
    const engine = allOut(SAID, SAID).after(MINUTE);
    expect(engine.prompt('u').code).toBe('exhausted.cooling');
  });

  it('when a provider has said it of one alone, then the other is asked', () => {
    const engine = allOut(SAID, RATE_LIMIT).after(MINUTE);
    expect(engine.prompt('u')).toMatchObject({ code: 'redirect.estimate', action: { to: 'b/1' } });
  });

  it('when a provider has said 40 s, less than our estimate, then nobody is asked before that', () => {
    const soon: Evidence = { ...RATE_LIMIT, headers: { 'retry-after': '40' } };
    const engine = createEngine(guessing());
    engine.prompt('t');
    for (const model of ['a/1', 'b/1']) engine.fail('t', model, soon);
    expect(engine.at(40 * SECOND - 1).prompt('u').code).toBe('exhausted.cooling');
    expect(engine.at(40 * SECOND).prompt('v').code).toBe('keep.lead');
  });

  it('when a provider has said 20 minutes of all its models, and then fails without a word, then the 20 minutes stand', () => {
    const quota: Evidence = { ...RATE_LIMIT, code: 'insufficient_quota', headers: { 'retry-after': '1200' } };
    const engine = createEngine(guessing({ chain: ['a/1', 'a/2'] }));
    const late = engine.start('i', 'a/2', { purpose: 'internal' }).attempt;
    engine.prompt('t');
    engine.fail('t', 'a/1', quota);
    engine.failed(late, { ...RATE_LIMIT, code: 'insufficient_quota' });
    expect(engine.at(20 * MINUTE - 1).prompt('u').code).toBe('exhausted.cooling');
    expect(engine.at(20 * MINUTE).prompt('v').code).toBe('keep.lead');
  });

  it('when a provider has said 40 s and the model has answered since, or was reset, then its word is over', () => {
    for (const end of ['answer', 'reset'] as const) {
      const engine = createEngine(guessing({ chain: ['a/1', 'b/1'] }));
      engine.prompt('t');
      for (const model of ['a/1', 'b/1']) engine.fail('t', model, { ...RATE_LIMIT, headers: { 'retry-after': '40' } });
      if (end === 'reset') engine.tell({ type: 'health.reset', target: { all: true }, actor: 'ann' });
      else
        for (const model of ['a/1', 'b/1']) {
          const { attempt } = engine.start(`i${model}`, model, { purpose: 'internal' });
          engine.succeeded(attempt);
        }
      engine.after(SECOND).prompt('u');
      for (const model of ['a/1', 'b/1']) engine.fail('u', model, RATE_LIMIT);
      expect(engine.after(SECOND).prompt('v').code).toBe('keep.estimate');
    }
  });

  it('when our estimate is longer than what the provider has said, then its word stands all the same', () => {
    const health = {
      ...DEFAULT_HEALTH,
      breaker: { ...DEFAULT_HEALTH.breaker, failureThreshold: 1, cooldownMs: 2 * HOUR },
    };
    const engine = createEngine(guessing({ health }));
    engine.prompt('t', { model: 'b/1', isExplicit: true });
    engine.fail('t', 'b/1', SAID);
    engine.prompt('u');
    // Two requests were on their way: one found the limit, the other the fault.
    const limited = engine.start('u', 'a/1');
    const faulty = engine.start('u', 'a/1');
    engine.failed(limited.attempt, SAID);
    engine.failed(faulty.attempt, SERVER_ERROR);
    expect(engine.shown('a/1')).toMatchObject({ state: 'open', until: 2 * HOUR });
    expect(engine.after(MINUTE).prompt('v').code).toBe('exhausted.cooling');
  });

  it('when only a person can mend one, then the other is asked', () => {
    const engine = allOut(NO_KEY, RATE_LIMIT).after(MINUTE);
    expect(engine.prompt('u').code).toBe('redirect.estimate');
  });

  it('when a person holds one out, then it is not asked', () => {
    const engine = allOut(RATE_LIMIT, SAID).after(MINUTE);
    engine.tell({ type: 'health.held', model: 'a/1', state: 'open', forMs: HOUR, actor: 'me' });
    expect(engine.prompt('u').action.kind).toBe('exhausted');
  });

  it('when the one due first may not take the request, then it is not asked', () => {
    const models = { 'b/1': { context: 8_000 } };
    const engine = allOut(NO_KEY, RATE_LIMIT, { models }).after(MINUTE);
    expect(engine.prompt('u', { needs: { contextTokens: 9_000 } }).action.kind).toBe('exhausted');
  });

  it('when a provider could not be reached too often, then a message looks whether it can be again', () => {
    const health = { ...DEFAULT_HEALTH, network: { failureThreshold: 1, cooldownMs: 5 * MINUTE } };
    const engine = createEngine(guessing({ chain: ['a/1', 'a/2'], health }));
    engine.prompt('t');
    engine.fail('t', 'a/1', NETWORK);
    expect(engine.after(SECOND).prompt('u').code).toBe('keep.estimate');
    engine.succeed('u', 'a/1');
    expect(engine.shown('a/1').use).toBe('first');
  });

  it('when the host has not asked for it, then nobody is asked', () => {
    const engine = allOut(RATE_LIMIT, RATE_LIMIT, { guessProbe: false }).after(MINUTE);
    expect(engine.prompt('u').code).toBe('exhausted.cooling');
  });

  it('when their circuits are open and it fails five times, then the open time has not grown by it', () => {
    const breaker = { ...DEFAULT_HEALTH.breaker, failureThreshold: 1, cooldownMs: HOUR, growth: 10 };
    const engine = allOut(SERVER_ERROR, SERVER_ERROR, { health: { ...DEFAULT_HEALTH, breaker } });
    for (const turn of ['u', 'v', 'w', 'x', 'y']) {
      const { code, action } = engine.after(MINUTE).prompt(turn);
      const model = 'to' in action ? action.to : '';
      expect(code).toMatch(/\.estimate$/);
      engine.fail(turn, model, SERVER_ERROR);
      expect(engine.shown(model)).toMatchObject({ state: 'open', until: engine.now() + HOUR });
    }
  });

  it('when the app hears what the companion has decided, then both know the same', () => {
    const [companion, app] = [allOut(RATE_LIMIT, RATE_LIMIT), allOut(RATE_LIMIT, RATE_LIMIT)];
    for (const engine of [companion, app]) engine.after(MINUTE);
    companion.prompt('u');
    app.prompt('u', { decided: { kind: 'keep', to: 'a/1', code: 'keep.estimate' } });
    for (const engine of [companion, app]) engine.fail('u', 'a/1', RATE_LIMIT);
    expect(app.state()).toEqual(companion.state());
  });
});

describe('given a loop that sends a message right after each error, in a chain that only our estimates keep out', () => {
  const abilities = ['hold.start'] as const;
  /** Each message comes `pauseMs` after the end of the one before. @returns the waits in ms, 0 for those that went at once. */
  function waits(pauseMs: number, count: number, more: Parameters<typeof scope>[0] = { abilities }) {
    const engine = allOut(RATE_LIMIT, RATE_LIMIT, more);
    engine.tell({ type: 'session.idle', session: 's' });
    return Array.from({ length: count }, (_, n) => {
      const turn = `u${n}`;
      const { action } = engine.after(pauseMs).prompt(turn);
      const model = 'to' in action ? action.to : action.kind;
      const { refusal } = engine.start(turn, model);
      const held = refusal?.action.kind === 'hold' ? refusal.action.waitMs : 0;
      if (refusal) {
        expect(refusal).toMatchObject({ code: 'hold.loop', action: { to: model, task: 'soonest' } });
        expect(
          engine
            .state()
            .speakers.flat()
            .flatMap(([, { waits }]) => waits?.isLoop ?? []),
        ).toEqual([true]);
        expect(engine.after(held).start(turn, model).refusal).toBeNull();
      }
      engine.tell({ type: 'session.idle', session: 's' });
      return held;
    });
  }

  it('when they come 1 s after each other, then two go at once and each further one waits 15 s and is then sent', () => {
    expect(waits(SECOND, 5)).toEqual([0, 0, 15_000, 15_000, 15_000]);
  });

  it('when they come 5 s after each other, then none waits', () => {
    expect(waits(5 * SECOND - 1, 4)).toEqual([0, 0, 15_000, 15_000]);
    expect(waits(5 * SECOND, 4)).toEqual([0, 0, 0, 0]);
  });

  it('when the host cannot hold a request, then none waits', () => {
    expect(waits(SECOND, 4, {})).toEqual([0, 0, 0, 0]);
  });

  it('when a model is usable again, then the count begins anew', () => {
    const engine = allOut(RATE_LIMIT, RATE_LIMIT, { abilities });
    for (const turn of ['u', 'v']) {
      engine.tell({ type: 'session.idle', session: 's' });
      engine.after(SECOND).prompt(turn);
    }
    engine.tell({ type: 'health.reset', target: { all: true }, actor: 'ann' });
    engine.prompt('w');
    engine.fail('w', 'a/1', RATE_LIMIT);
    engine.fail('w', 'b/1', RATE_LIMIT);
    engine.tell({ type: 'session.idle', session: 's' });
    engine.after(SECOND).prompt('x');
    expect(engine.start('x', 'a/1').refusal).toBeNull();
  });
});

describe('given any history of failures, messages and pauses', () => {
  const fault = fc.constantFrom(RATE_LIMIT, SAID, SERVER_ERROR, NETWORK, NO_KEY);
  const move = fc.record({ waitMs: fc.constantFrom(0, 1, 5_000, 15_000, MINUTE, 10 * MINUTE), fault });

  it('when messages come, then no model is asked by a guess against a provider’s word', () => {
    fc.assert(
      fc.property(fc.array(move, { minLength: 5, maxLength: 60 }), (moves) => {
        const engine = createEngine(guessing({ chain: ['a/1', 'a/2', 'b/1'] }));
        moves.forEach(({ waitMs, fault }, n) => {
          engine.after(waitMs);
          const { action, code } = engine.prompt(`t${n}`);
          const model = 'to' in action ? action.to : null;
          if (model === null) return;
          if (code.endsWith('.estimate')) {
            const { limit } = engine
              .state()
              .models.flat()
              .find(([name]) => name === model)?.[1] ?? { limit: null };
            const isAgainstWord = limit?.source === 'provider' && limit.until > engine.now();
            if (isAgainstWord) expect.fail(`${model} is asked: ${JSON.stringify(limit)}`);
          }
          const { attempt, refusal } = engine.start(`t${n}`, model);
          if (refusal !== null) expect.fail(`${model} is refused: ${JSON.stringify(refusal)}`);
          engine.failed(attempt, fault);
        });
      }),
      { numRuns: runs(10_000) },
    );
  });
});
