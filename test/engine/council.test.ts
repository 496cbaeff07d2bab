import { describe, expect, it } from 'vitest';
import type { ScopeConfig } from '../../src/engine';
import { PRESETS } from '../../src/engine/policy/presets';
import { activeOf } from '../../src/engine/tools';
import { createEngine, NO_KEY, RATE_LIMIT, SERVER_ERROR, scope } from './harness';

const ABILITIES: ScopeConfig['abilities'] = ['ask', 'hold.start', 'hold.other', 'retry.output'];
const council = (over: Parameters<typeof scope>[0] = {}) =>
  createEngine(scope({ policy: PRESETS.council, abilities: ABILITIES, ...over }));

const EARLY = { phase: 'stream', observed: 'early_termination', outputChars: 20 } as const;
const EMPTY = { phase: 'stream', observed: 'empty_response' } as const;
const CUT = { phase: 'stream', observed: 'stream_interrupted', outputChars: 20 } as const;

describe('given council and an answer that is no whole one', () => {
  it.each([
    ['stops early', EARLY, 'early_termination'],
    ['holds nothing', EMPTY, 'empty_response'],
    ['breaks off', CUT, 'stream_interrupted'],
  ])('when it %s, then the model is asked once more, and after that the person is', (_, evidence, kind) => {
    const engine = council();
    engine.prompt('t');
    expect([0, 1].map(() => engine.fail('t', 'a/1', evidence))).toMatchObject([
      { code: `hold.${kind}`, action: { kind: 'hold', to: 'a/1', waitMs: 1_000, task: 'retry' } },
      { code: `ask.${kind}`, action: { kind: 'hold', to: 'a/1', waitMs: 60_000, task: 'ask' } },
    ]);
    expect(engine.state().questions).toMatchObject([{ model: 'a/1', to: 'b/1', kind }]);
  });
});

describe('given council and a chain of one', () => {
  it('when its key is refused, then nobody is asked: it is left out, which is told, and the session goes on', () => {
    const engine = council({ chain: ['a/1'] });
    engine.prompt('t');
    expect(engine.fail('t', 'a/1', NO_KEY)).toMatchObject({ code: 'degraded.auth', action: { kind: 'pass' } });
    expect(engine.state().questions).toEqual([]);
    expect(engine.asides().slice(-2)).toMatchObject([
      { type: 'speaker.degraded', agent: 'build', model: 'a/1', kind: 'auth', count: 0, of: 1 },
      { type: 'session.paused' },
    ]);
    expect(engine.prompt('u').code).toBe('exhausted.degraded');
    engine.tell({ type: 'speaker.retried', session: 's', agent: 'build', actor: 'ann' });
    engine.prompt('v');
    expect(engine.start('v', 'a/1').refusal).toBeNull();
  });

  it('when it is limited, then its three retries come first', () => {
    const engine = council({ chain: ['a/1'] });
    engine.prompt('t');
    const codes = [0, 1, 2, 3].map(() => engine.fail('t', 'a/1', RATE_LIMIT).code);
    expect(codes).toEqual([...Array(3).fill('hold.rate_limit'), 'degraded.rate_limit']);
  });

  it('when another agent of the session is well, then only one of two is left out', () => {
    const engine = council({ chain: ['a/1'] });
    engine.prompt('t');
    engine.prompt('u', { session: 'child', parentSession: 's' });
    engine.fail('t', 'a/1', NO_KEY);
    expect(activeOf(engine.state(), 's')).toEqual({ active: 1, total: 2 });
    expect(engine.codes()).not.toContain('session.paused');
  });

  it('when no person can be asked there, then the failure is OpenCode’s, as under every policy', () => {
    const engine = council({ chain: ['a/1'], abilities: [] });
    engine.prompt('t');
    expect(engine.fail('t', 'a/1', SERVER_ERROR)).toMatchObject({ code: 'pass.server_error' });
    expect(engine.codes()).not.toContain('speaker.degraded');
  });

  it('when its policy does not ask, then the failure is OpenCode’s at once', () => {
    const engine = council({ chain: ['a/1'], policy: PRESETS.steady });
    engine.prompt('t');
    expect(engine.fail('t', 'a/1', RATE_LIMIT).code).toBe('pass.rate_limit');
  });
});

describe('given council and retries that are spent', () => {
  const spent = (over: Parameters<typeof scope>[0] = {}) =>
    council({ retryBudget: { perSession: 0, warnAt: 0 }, ...over });

  it('when a model fails, then the person is asked at once, and nobody takes over unasked', () => {
    const engine = spent();
    engine.prompt('t');
    expect(engine.fail('t', 'a/1', SERVER_ERROR)).toMatchObject({ code: 'ask.server_error', action: { task: 'ask' } });
  });

  it('when the failure has no name, which no row asks about, then it goes back, and nobody takes over unasked', () => {
    const engine = spent();
    engine.prompt('t');
    expect(engine.fail('t', 'a/1', { phase: 'body', message: 'Hm' }).code).toBe('pass.budget');
  });

  it('when the policy does not ask, then the next model takes over, as before', () => {
    const engine = spent({ policy: PRESETS.steady });
    engine.prompt('t');
    expect(engine.fail('t', 'a/1', RATE_LIMIT).action).toMatchObject({ kind: 'switch', to: 'b/1' });
  });
});

describe('given council and a model of last resort', () => {
  const last = () => {
    const engine = council({ chain: ['a/1'], backupModel: 'z/1' });
    engine.prompt('t');
    return engine;
  };
  const yes = { type: 'question.answered', yes: true, actor: 'ann' } as const;

  it('when the lead fails in the middle of a turn, then the question is about it, and a yes has it answer', () => {
    const engine = last();
    expect(engine.fail('t', 'a/1', NO_KEY).code).toBe('ask.auth');
    expect(engine.state().questions).toMatchObject([{ model: 'a/1', to: 'z/1', kind: 'auth' }]);
    expect(engine.tell(yes).decisions).toMatchObject([
      { code: 'switch.auth', action: { kind: 'switch', from: 'a/1', to: 'z/1', position: 1 } },
    ]);
    expect(engine.start('t', 'z/1').refusal).toBeNull();
  });

  it('when it fails as well, then nobody is left, and the question names nobody', () => {
    const engine = last();
    engine.fail('t', 'a/1', NO_KEY);
    engine.tell(yes);
    engine.fail('t', 'z/1', NO_KEY);
    expect(engine.state().questions).toMatchObject([{ model: 'z/1', to: null }]);
  });

  it('when it may not take the request, then it is not proposed', () => {
    const engine = council({ chain: ['a/1'], backupModel: 'z/1', vendorLock: true });
    engine.prompt('t');
    engine.fail('t', 'a/1', NO_KEY);
    expect(engine.state().questions).toMatchObject([{ model: 'a/1', to: null }]);
  });
});

describe('given council and a limit that is set while the question is open', () => {
  const PRICES = { 'a/1': { priceIn: 1, priceOut: 1 }, 'b/1': { priceIn: 9, priceOut: 9 } };

  it.each([
    ['another vendor may not answer any more', { vendorLock: true }],
    ['its price is above the ceiling', { maxPriceRatio: 5 }],
    ['it is known by then to be blind', { models: { 'b/1': { vision: false } } }],
  ])('when %s, then a yes has the lead asked once more, and never that model', (_, limit) => {
    const config = scope({ chain: ['a/1', 'b/1'], policy: PRESETS.council, abilities: ABILITIES, models: PRICES });
    const engine = createEngine(config);
    engine.prompt('t', { needs: { vision: true } });
    engine.fail('t', 'a/1', NO_KEY);
    expect(engine.state().questions).toMatchObject([{ model: 'a/1', to: 'b/1' }]);
    engine.after(30_000).configure({ ...config, ...limit });
    expect(engine.tell({ type: 'question.answered', yes: true, actor: 'ann' }).decisions).toMatchObject([
      { code: 'hold.auth', action: { kind: 'hold', to: 'a/1', task: 'retry' } },
    ]);
    expect(engine.start('t', 'a/1').refusal).toBeNull();
  });
});

describe('given council and a yes to a model that is out by then', () => {
  const asked = (policy = PRESETS.council) => {
    const engine = council({ policy });
    const lose = (model: string, evidence = NO_KEY) => {
      engine.failed(engine.start(`u${model}`, model, { session: 'other', agent: 'other' }).attempt, evidence);
    };
    const yes = () => engine.tell({ type: 'question.answered', yes: true, actor: 'ann' }).decisions[0]?.action;
    lose('a/1');
    engine.prompt('t');
    engine.start('t', 'a/1');
    return { engine, lose, yes };
  };

  it('when the request comes again with the lead, then the next one is another question, and nobody is left out', () => {
    const { engine, lose, yes } = asked();
    expect(engine.state().questions).toMatchObject([{ model: 'a/1', to: 'b/1', kind: 'auth' }]);
    expect(yes()).toMatchObject({ kind: 'switch', to: 'b/1' });
    lose('b/1');
    expect(engine.start('t', 'a/1').refusal).toMatchObject({ code: 'ask.auth', action: { task: 'ask' } });
    expect(engine.state().questions).toMatchObject([{ model: 'a/1', to: 'c/1' }]);
    expect(yes()).toMatchObject({ kind: 'switch', to: 'c/1' });
    lose('c/1');
    expect(engine.start('t', 'a/1').refusal?.code).toBe('ask.auth');
    expect(engine.state().questions).toMatchObject([{ model: 'a/1', to: null }]);
    expect([yes(), engine.start('t', 'a/1').refusal]).toMatchObject([{ kind: 'hold', to: 'a/1', task: 'retry' }, null]);
    expect(activeOf(engine.state(), 's')).toEqual({ active: 1, total: 1 });
  });

  it('when the understudy is out for a reason that its own row does not ask about, then that reason is said of it', () => {
    const { engine, lose, yes } = asked({ ...PRESETS.council, rate_limit: [{ step: 'switch' }] });
    yes();
    lose('b/1', RATE_LIMIT);
    engine.start('t', 'b/1');
    expect(engine.state().questions).toMatchObject([{ model: 'b/1', to: 'c/1', kind: 'rate_limit' }]);
  });
});

describe('given a host in which others speak in the same conversation', () => {
  const fails = (steps: 'council' | 'swift') => {
    const config = scope({ chain: ['a/1'], policy: PRESETS[steps], abilities: ['defer'], maxRetries: 1 });
    const engine = createEngine(config);
    engine.prompt('t');
    return [0, 1].map(() => engine.fail('t', 'a/1', SERVER_ERROR).code);
  };

  it('when a model that is alone fails under a policy that defers, then the others speak first', () => {
    expect(fails('council')).toEqual(['hold.server_error', 'defer.server_error']);
  });

  it('when it fails under one that does not, then it is OpenCode’s as ever', () => {
    expect(fails('swift')).toEqual(['pass.server_error', 'pass.server_error']);
  });
});
