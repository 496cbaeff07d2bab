import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../src/engine';
import { accountIn, standingOf, unaccounted } from '../../src/engine';
import { createEngine, NO_KEY, RATE_LIMIT, SERVER_ERROR, scope } from './harness';

const QUOTA: Evidence = { phase: 'body', status: 429, code: 'insufficient_quota', message: 'Spent' };
const CHAIN = ['a/1', 'a@work/1', 'b/2'];

/** A turn of the lead that fails so. @returns where it goes, and what was said of the same model at the other account. */
function fail(evidence: Parameters<ReturnType<typeof createEngine>['fail']>[2], chain = CHAIN) {
  const engine = createEngine(scope({ chain }));
  engine.prompt('t');
  const { action, trace } = engine.fail('t', 'a/1', evidence);
  return { engine, to: 'to' in action ? action.to : null, code: trace.find(({ model }) => model === 'a@work/1')?.code };
}

describe('given one model by two accounts', () => {
  it.each([
    ['is limited', RATE_LIMIT],
    ['has spent its quota', QUOTA],
    ['has its key refused', NO_KEY],
  ])('when the first account %s, then the same model is asked by the other one', (_, evidence) => {
    expect(fail(evidence)).toMatchObject({ to: 'a@work/1', code: 'chain.first' });
  });

  it.each([
    ['it fails at its provider', SERVER_ERROR],
    [
      'its provider cannot be reached',
      { phase: 'headers', message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' } as const,
    ],
    ['it does not begin', { phase: 'watchdog', observed: 'timeout', message: 'silent' } as const],
  ])('when %s, then the other account would meet with the same: the next model is asked', (_, evidence) => {
    const { engine, to, code } = fail(evidence);
    expect([to, code]).toEqual(['b/2', 'account.same']);
    // Nor later in the turn.
    expect(engine.fail('t', 'b/2', SERVER_ERROR).action.kind).toBe('exhausted');
  });

  it('when one account is out, then the other one’s health is its own', () => {
    const { engine } = fail(QUOTA);
    engine.succeed('t', 'a@work/1');
    expect(['a/1', 'a@work/1'].map((model) => standingOf(engine.state(), model, 0).state)).toEqual([
      'cooling',
      'ready',
    ]);
    expect(engine.prompt('t2').action).toMatchObject({ kind: 'redirect', from: 'a/1', to: 'a@work/1' });
  });

  it('when the lead is out for what is not the account’s, then the next message does not try the other one either', () => {
    const engine = createEngine(scope({ chain: CHAIN }));
    engine.prompt('t');
    engine.fail('t', 'a/1', { phase: 'body', status: 404, code: 'model_not_found', message: 'No such model' });
    const { action, trace } = engine.prompt('t2');
    expect([action, trace.map(({ code }) => code)]).toEqual([
      expect.objectContaining({ kind: 'redirect', from: 'a/1', to: 'b/2' }),
      [expect.stringContaining('blocked'), 'account.same', 'chain.first'],
    ]);
  });

  it.each([
    ['a@work/1', 'work', 'a/1'],
    ['a/1', null, 'a/1'],
    ['a/vendor/m@2', null, 'a/vendor/m@2'],
    ['a@work', 'work', 'a'],
  ])('when a model is written %s, then its account is %s', (model, account, plain) => {
    expect([accountIn(model), unaccounted(model)]).toEqual([account, plain]);
  });
});
