import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../src/engine';
import { runs } from '../support/runs';
import { createEngine, HOUR, MINUTE, NO_KEY, RATE_LIMIT, SECOND, SERVER_ERROR, scope } from './harness';

const CHAIN = ['a/1', 'b/1', 'c/1'];
const asking = (evidence: Evidence, seconds: number): Evidence => ({
  ...evidence,
  headers: { 'retry-after': String(seconds) },
});
const QUOTA: Evidence = { ...RATE_LIMIT, code: 'insufficient_quota' };
const OVERLOADED: Evidence = { phase: 'body', status: 529, message: 'Overloaded' };
const UNAVAILABLE: Evidence = { phase: 'body', status: 503, message: 'Service unavailable' };
const DEFAULTS = () => scope({ chain: CHAIN, guessProbe: true });

/** The lead has failed at 0 s and the next model has answered, with every number at its default. */
function failed(evidence: Evidence) {
  const engine = createEngine(DEFAULTS());
  engine.prompt('t');
  engine.fail('t', 'a/1', evidence);
  engine.succeed('t', 'b/1');
  return engine;
}

const modelOf = ({ action }: ReturnType<ReturnType<typeof createEngine>['prompt']>) =>
  'to' in action ? action.to : action.kind;

describe('given a provider that gives the time of its return, and the default numbers', () => {
  it.each([
    ['a rate limit of 75 s, shorter than our 5 minutes', RATE_LIMIT, 75],
    ['a rate limit of 1 h, longer than our 15 minutes', RATE_LIMIT, 3_600],
    ['a quota of 20 minutes, shorter than our hour', QUOTA, 1_200],
    ['a quota of 6 days', QUOTA, 518_400],
    ['an overload of 90 s', OVERLOADED, 90],
    ['an outage of 10 minutes', UNAVAILABLE, 600],
    ['an internal error of 2 minutes', SERVER_ERROR, 120],
  ])(
    'when it is %s, then the primary is first choice again at that moment, and is not asked before',
    (_, evidence, s) => {
      const engine = failed(asking(evidence, s));
      expect(engine.shown('a/1')).toMatchObject({ state: 'cooling', use: 'out', until: s * SECOND });
      expect(modelOf(engine.at(s * SECOND - 1).prompt('u'))).toBe('b/1');
      engine.succeed('u', 'b/1');
      expect(engine.at(s * SECOND).prompt('v')).toMatchObject({ code: 'home.ready', action: { to: 'a/1' } });
      expect(engine.shown('a/1').use).toBe('first');
    },
  );

  it('when it gives none, then our own 5 minutes count, and our own 15 until it is first choice again', () => {
    const engine = failed(RATE_LIMIT);
    expect(engine.shown('a/1')).toMatchObject({ use: 'out', until: 5 * MINUTE });
    expect(engine.at(5 * MINUTE).shown('a/1')).toMatchObject({ use: 'last', until: 15 * MINUTE });
    expect(engine.at(15 * MINUTE).shown('a/1').use).toBe('first');
  });

  it('when our estimate stood and the provider gives a time now, then its time replaces the estimate', () => {
    const engine = failed(RATE_LIMIT);
    const { attempt } = engine.at(MINUTE).start('i', 'a/1', { purpose: 'internal' });
    engine.failed(attempt, asking(RATE_LIMIT, 75));
    expect(engine.shown('a/1')).toMatchObject({ use: 'out', until: MINUTE + 75 * SECOND });
    expect(engine.at(MINUTE + 75 * SECOND).shown('a/1').use).toBe('first');
  });

  it('when it gave an hour and now gives 10 s, then the hour stands: it belongs to another window', () => {
    const engine = failed(asking(RATE_LIMIT, 3_600));
    const { attempt } = engine.at(MINUTE).start('i', 'a/1', { purpose: 'internal' });
    engine.failed(attempt, asking(RATE_LIMIT, 10));
    expect(engine.shown('a/1').until).toBe(HOUR);
  });

  it('when it has three failures with a time, then no circuit opens: each was announced', () => {
    const engine = createEngine(DEFAULTS());
    for (const turn of ['t', 'u', 'v']) {
      engine.prompt(turn);
      engine.fail(turn, 'a/1', asking(UNAVAILABLE, 100));
      engine.succeed(turn, 'b/1');
      engine.after(3 * MINUTE);
    }
    expect(engine.shown('a/1').use).toBe('first');
  });

  it('when the limit returns as soon as its time is over, then the cooldown doubles from the second return on, and an answer ends that', () => {
    const engine = createEngine(DEFAULTS());
    const untils = [0, 1, 2, 3, 4].map((n) => {
      engine.prompt(`t${n}`);
      engine.fail(`t${n}`, 'a/1', asking(UNAVAILABLE, 20));
      const { until } = engine.shown('a/1');
      engine.succeed(`t${n}`, 'b/1');
      const inMs = (until ?? 0) - engine.now();
      engine.at(until ?? 0);
      return inMs / SECOND;
    });
    expect(untils).toEqual([20, 20, 40, 80, 160]);
    engine.prompt('w');
    engine.succeed('w', 'a/1');
    engine.prompt('x');
    engine.fail('x', 'a/1', asking(UNAVAILABLE, 20));
    expect(engine.shown('a/1').until).toBe(engine.now() + 20 * SECOND);
  });
});

describe('given a chain of which all models are unavailable by our estimates alone', () => {
  /** All have failed within a second. */
  function allOut(...evidence: readonly Evidence[]) {
    const engine = createEngine(DEFAULTS());
    engine.prompt('t');
    for (const [n, each] of evidence.entries()) engine.after(100).fail('t', CHAIN[n] ?? '', each);
    return engine;
  }

  it('when a message comes 1 ms later, then it goes to the model that is due first', () => {
    const engine = allOut(RATE_LIMIT, RATE_LIMIT, RATE_LIMIT);
    expect(engine.after(1).prompt('u')).toMatchObject({ code: 'keep.estimate', action: { to: 'a/1' } });
    expect(engine.start('u', 'a/1').refusal).toBeNull();
  });

  it('when four messages of four sessions come at once, then none is refused', () => {
    const engine = allOut(RATE_LIMIT, RATE_LIMIT, RATE_LIMIT);
    for (const turn of ['u', 'v', 'w', 'x']) {
      const model = modelOf(engine.after(1).prompt(turn, { session: turn }));
      expect(CHAIN).toContain(model);
      expect(engine.start(turn, model, { session: turn }).refusal).toBeNull();
    }
  });

  it('when a provider gave a time for one of them, then the message goes to another', () => {
    const engine = allOut(asking(RATE_LIMIT, 60), RATE_LIMIT, NO_KEY);
    expect(engine.after(1).prompt('u')).toMatchObject({ code: 'redirect.estimate', action: { to: 'b/1' } });
  });

  it('when all need a person, and a provider has given a time for the lead meanwhile, then that is not asked before', () => {
    const engine = allOut(NO_KEY, NO_KEY, NO_KEY);
    expect(engine.prompt('u').code).toBe('keep.blocked');
    engine.fail('u', 'a/1', asking(RATE_LIMIT, 60));
    expect(engine.after(1).prompt('v').action.kind).toBe('exhausted');
    expect(engine.after(MINUTE).prompt('w').code).toBe('keep.blocked');
  });

  it('when providers gave a time for all of them, then the message ends with the time of the first', () => {
    const engine = allOut(asking(RATE_LIMIT, 600), asking(RATE_LIMIT, 900), asking(RATE_LIMIT, 300));
    expect(engine.after(1).prompt('u').action).toMatchObject({ kind: 'exhausted', soonest: { model: 'c/1' } });
  });
});

describe('given any history of failures, answers and messages at the default numbers', () => {
  const fault = fc.oneof(
    fc.constantFrom(RATE_LIMIT, QUOTA, SERVER_ERROR, OVERLOADED, NO_KEY),
    fc
      .tuple(fc.constantFrom(RATE_LIMIT, QUOTA, OVERLOADED, UNAVAILABLE), fc.integer({ min: 6, max: 7_200 }))
      .map(([evidence, seconds]) => asking(evidence, seconds)),
    fc.constant(null),
  );
  const move = fc.record({
    waitMs: fc.nat({ max: 40 * MINUTE }),
    faults: fc.array(fault, { minLength: 1, maxLength: 4 }),
  });

  it('when messages come, then a provider’s time is the moment of return, and no estimate refuses a message', () => {
    fc.assert(
      fc.property(fc.array(move, { minLength: 3, maxLength: 25 }), (moves) => {
        const engine = createEngine(DEFAULTS());
        /** The limits of a model and of its provider whose time the provider gave and that have not ended. */
        const timesOf = (model: string) =>
          [...engine.state().models.flat(), ...engine.state().providers.flat()]
            .filter(([name]) => name === model || name === model.split('/')[0])
            .flatMap(([, { limit }]) => (limit?.source === 'provider' && engine.now() < limit.until ? [limit] : []));
        moves.forEach(({ waitMs, faults }, n) => {
          engine.after(waitMs);
          let decision = engine.prompt(`t${n}`);
          for (const fault of faults) {
            const model = modelOf(decision);
            if (!CHAIN.includes(model)) break;
            const [early] = timesOf(model);
            if (early)
              expect.fail(`${model} is asked ${early.until - engine.now()} ms before the time of its provider`);
            const { attempt, refusal } = engine.start(`t${n}`, model);
            if (refusal) expect.fail(`${model} is refused: ${refusal.code}`);
            if (fault === null) {
              engine.succeeded(attempt);
              break;
            }
            decision = engine.failed(attempt, fault);
          }
          for (const model of CHAIN)
            for (const { until, preferAt } of timesOf(model))
              if (preferAt !== until) expect.fail(`${model} returns as last`);
          const isAskable = CHAIN.some((model) => {
            const { use, source } = engine.standing(model);
            return use !== 'out' || (source === 'estimate' && timesOf(model).length === 0);
          });
          const next = engine.prompt(`p${n}`, { session: 'other' });
          if (isAskable && next.action.kind === 'exhausted') expect.fail('a message is refused');
        });
      }),
      { numRuns: runs(10_000) },
    );
  });
});

describe('given a primary whose every limit has a time of its provider', () => {
  const limit = fc.tuple(
    fc.constantFrom(RATE_LIMIT, QUOTA, OVERLOADED, UNAVAILABLE, SERVER_ERROR),
    fc.integer({ min: 61, max: 86_400 }),
    fc.nat({ max: HOUR }),
  );

  it('when it is limited again and again, then it is asked at each of these times, and never a moment before', () => {
    fc.assert(
      fc.property(fc.array(limit, { minLength: 1, maxLength: 8 }), (limits) => {
        const engine = createEngine(DEFAULTS());
        limits.forEach(([evidence, seconds, pauseMs], n) => {
          engine.after(MINUTE + pauseMs).prompt(`t${n}`);
          engine.fail(`t${n}`, 'a/1', asking(evidence, seconds));
          engine.succeed(`t${n}`, 'b/1');
          const back = engine.now() + seconds * SECOND;
          for (const [name, at] of [
            ['early', back - 1],
            ['back', back],
          ] as const) {
            const model = modelOf(engine.at(at).prompt(`${name}${n}`));
            if ((model === 'a/1') !== (name === 'back')) expect.fail(`${name}: ${model} is asked`);
            engine.succeed(`${name}${n}`, model);
          }
        });
      }),
      { numRuns: runs(10_000) },
    );
  });
});
