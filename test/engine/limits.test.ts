import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../src/engine/state/events';
import { createEngine, NO_KEY, RATE_LIMIT, SERVER_ERROR, scope } from './harness';

const models = {
  'a/1': { context: 100_000, vision: true, vendor: 'alpha', priceIn: 1, priceOut: 1 },
  'b/1': { context: 8_000, vision: false, vendor: 'beta', priceIn: 1, priceOut: 1 },
  'c/1': { context: 200_000, vision: true, vendor: 'alpha', priceIn: 4, priceOut: 4 },
};
const BLIND: Evidence = { phase: 'body', status: 400, message: 'This model does not support image input' };

describe('given a catalogue', () => {
  const code = (engine: ReturnType<typeof createEngine>, evidence: Evidence = SERVER_ERROR) => {
    const decision = engine.fail('t', 'a/1', evidence);
    return [decision.action, decision.trace.find(({ model }) => model === 'b/1')?.code];
  };

  it.each([
    ['an image', { vision: true }, 'needs.vision'],
    ['8,001 tokens', { contextTokens: 8_001 }, 'needs.context'],
  ])(
    'when a request needs %s, then a model that cannot take it is passed over with that reason',
    (_, needs, reason) => {
      const engine = createEngine(scope({ models }));
      engine.prompt('t', { needs });
      expect(code(engine)).toEqual([{ kind: 'switch', from: 'a/1', to: 'c/1', position: 2 }, reason]);
    },
  );

  it('when the lead cannot take it, then another model speaks from the start', () => {
    const engine = createEngine(scope({ models, chain: ['b/1', 'a/1'] }));
    expect(engine.prompt('t', { needs: { vision: true } }).action).toMatchObject({ kind: 'redirect', to: 'a/1' });
  });

  it('when needs are known only with the request, then they count from there', () => {
    const engine = createEngine(scope({ models }));
    engine.prompt('t');
    const { attempt } = engine.start('t', 'a/1', { needs: { contextTokens: 10_000 } });
    expect(engine.failed(attempt, SERVER_ERROR).action).toMatchObject({ to: 'c/1' });
  });

  it('when the vendor is locked, then only the same family stands in', () => {
    const engine = createEngine(scope({ models, vendorLock: true }));
    engine.prompt('t');
    expect(code(engine)).toEqual([{ kind: 'switch', from: 'a/1', to: 'c/1', position: 2 }, 'vendor.locked']);
  });

  it('when a stand-in may cost 3 times the lead, then 4 times is too dear', () => {
    const engine = createEngine(scope({ models, maxPriceRatio: 3, chain: ['a/1', 'c/1'] }));
    engine.prompt('t');
    const decision = engine.fail('t', 'a/1', NO_KEY);
    expect([decision.action.kind, decision.trace[1]?.code]).toEqual(['exhausted', 'price.ceiling']);
  });

  it('when a model cannot take the input after all, then one that can speaks, else it goes back', () => {
    const able = createEngine(scope({ models }));
    able.prompt('t', { needs: { vision: true } });
    expect(able.fail('t', 'a/1', BLIND).action).toMatchObject({ kind: 'switch', to: 'c/1' });
    const none = createEngine(scope({ models, chain: ['a/1', 'b/1'] }));
    none.prompt('t', { needs: { vision: true } });
    expect(none.fail('t', 'a/1', BLIND).action.kind).toBe('pass');
  });
});

describe('given a chain of which all are out, and one that may not stand in is back first', () => {
  const hour: Evidence = { ...RATE_LIMIT, headers: { 'retry-after': '3600' } };
  /** The other is back in five minutes, the lead in an hour. */
  const allOut = (limits: Parameters<typeof scope>[0], needs = {}) => {
    const engine = createEngine(scope({ models, chain: ['a/1', 'b/1'], ...limits }));
    engine.prompt('other', { model: 'b/1', isExplicit: true });
    engine.fail('other', 'b/1', RATE_LIMIT);
    engine.prompt('t', { needs });
    return { engine, end: engine.fail('t', 'a/1', hour).action };
  };

  it.each([
    ['is of another vendor', { vendorLock: true }, {}],
    ['is too dear', { maxPriceRatio: 0.5 }, {}],
    ['is too small', {}, { contextTokens: 9_000 }],
    ['cannot see the picture', {}, { vision: true }],
  ])('when it %s, then nobody waits for it and nobody asks it early', (_, limits, needs) => {
    const { engine, end } = allOut({ ...limits, panicProbe: true }, needs);
    expect(end).toEqual({ kind: 'exhausted', soonest: { model: 'a/1', inMs: 3_600_000 } });
    expect(engine.prompt('next', { needs })).toMatchObject({ code: 'keep.panic', action: { to: 'a/1' } });
  });

  it('when it may, then it is the one that is waited for', () => {
    expect(allOut({}).end).toEqual({ kind: 'exhausted', soonest: { model: 'b/1', inMs: 300_000 } });
  });
});

describe('given panicProbe and every model out', () => {
  const allOut = () => {
    const engine = createEngine(scope({ chain: ['a/1', 'b/1'], panicProbe: true }));
    engine.prompt('t');
    engine.fail('t', 'a/1', RATE_LIMIT);
    engine.after(1_000).fail('t', 'b/1', RATE_LIMIT);
    return engine.after(1_000);
  };

  it('when a message comes, then the one that is back first is asked once, early', () => {
    const engine = allOut();
    expect(engine.prompt('u')).toMatchObject({ code: 'keep.panic', action: { kind: 'keep', to: 'a/1' } });
    const { attempt, refusal } = engine.start('u', 'a/1');
    expect(refusal).toBeNull();
    expect(engine.failed(attempt, RATE_LIMIT).action.kind).toBe('exhausted');
  });

  it('when it answers, then it is healthy at once', () => {
    const engine = allOut();
    engine.prompt('u');
    engine.succeed('u', 'a/1');
    expect(engine.shown('a/1').use).toBe('first');
  });

  it('when its breaker is open, then the early request is its one probe', () => {
    const engine = createEngine(scope({ chain: ['a/1', 'b/1'], panicProbe: true }));
    for (const turn of ['t', 'u', 'v']) {
      engine.prompt(turn);
      engine.fail(turn, 'a/1', SERVER_ERROR);
    }
    engine.fail('v', 'b/1', NO_KEY);
    expect(engine.prompt('w').code).toBe('keep.panic');
    const { attempt } = engine.start('w', 'a/1');
    expect(engine.shown('a/1').state).toBe('probing');
    engine.succeeded(attempt);
    expect(engine.shown('a/1')).toMatchObject({ state: 'ready', use: 'first' });
  });

  it('when every model needs a person, then nobody is asked early', () => {
    const engine = createEngine(scope({ chain: ['a/1', 'b/1'], panicProbe: true }));
    engine.prompt('t');
    engine.fail('t', 'a/1', NO_KEY);
    expect(engine.fail('t', 'b/1', NO_KEY).action.kind).toBe('exhausted');
  });
});
