import { describe, expect, it } from 'vitest';
import { ABILITIES } from '../../../src/engine/base/config';
import type { Decision } from '../../../src/engine/base/decision';
import type { PolicyStep } from '../../../src/engine/base/policy';
import { PRESETS } from '../../../src/engine/policy/presets';
import type { Evidence } from '../../../src/engine/state/events';
import {
  BAD_GATEWAY,
  createEngine,
  MINUTE,
  NETWORK,
  NO_KEY,
  RATE_LIMIT,
  SECOND,
  SERVER_ERROR,
  scope,
} from '../harness';

const said = ({ action, code }: Decision) => [code, action];
const hold = (to: string, waitMs: number, task: string) => ({ kind: 'hold', to, waitMs, task });
const CUT: Evidence = { phase: 'stream', observed: 'early_termination', outputChars: 10 };
const EMPTY: Evidence = { phase: 'stream', observed: 'empty_response' };
const TOO_LONG: Evidence = { phase: 'body', status: 400, code: 'context_length_exceeded', message: 'too long' };

describe('given steady and a model behind a bad gateway', () => {
  it('when it fails four times, then it is asked again after 1, 2 and 4 s, and then the next one speaks', () => {
    const engine = createEngine(scope({ policy: PRESETS.steady }));
    engine.prompt('t');
    const decisions = [0, 1, 2, 3].map(() => engine.fail('t', 'a/1', BAD_GATEWAY));
    expect(decisions.map(said)).toEqual([
      ['hold.server_error', hold('a/1', 1_000, 'retry')],
      ['hold.server_error', hold('a/1', 2_000, 'retry')],
      ['hold.server_error', hold('a/1', 4_000, 'retry')],
      ['switch.server_error', { kind: 'switch', from: 'a/1', to: 'b/1', position: 1 }],
    ]);
    expect(engine.shown('a/1')).toMatchObject({ state: 'resting', use: 'last' });
  });

  it('when an answer comes in between, then it is asked three times again', () => {
    const engine = createEngine(scope({ policy: PRESETS.steady }));
    engine.prompt('t');
    engine.fail('t', 'a/1', BAD_GATEWAY);
    engine.fail('t', 'a/1', BAD_GATEWAY);
    engine.succeed('t', 'a/1');
    expect(engine.fail('t', 'a/1', BAD_GATEWAY).action).toEqual(hold('a/1', 1_000, 'retry'));
  });

  it('when maxRetries is 1, then it is asked again once', () => {
    const engine = createEngine(scope({ policy: PRESETS.steady, maxRetries: 1 }));
    engine.prompt('t');
    expect([0, 1].map(() => engine.fail('t', 'a/1', BAD_GATEWAY).action.kind)).toEqual(['hold', 'switch']);
  });

  it.each([
    ['a plain 500', SERVER_ERROR],
    ['an answer that was already read', { ...BAD_GATEWAY, outputChars: 5 }],
  ])('when it is %s, then the next one speaks at once', (_, evidence) => {
    const engine = createEngine(scope({ policy: PRESETS.steady }));
    engine.prompt('t');
    expect(engine.fail('t', 'a/1', evidence).action.kind).toBe('switch');
  });

  it('when OpenCode itself is asking again, then no retry comes on top, until the next answer', () => {
    const engine = createEngine(scope({ policy: PRESETS.steady }));
    engine.prompt('t');
    engine.tell({ type: 'host.retrying', turn: 't' });
    expect(engine.fail('t', 'a/1', BAD_GATEWAY).action.kind).toBe('switch');
    engine.succeed('t', 'b/1');
    expect(engine.fail('t', 'b/1', BAD_GATEWAY).action.kind).toBe('hold');
  });

  it.each([
    [60_000, 'hold'],
    [60_001, 'switch'],
  ])('when the provider asks for %i ms, then the turn answers with a %s', (ms, kind) => {
    const engine = createEngine(scope({ policy: PRESETS.steady }));
    engine.prompt('t');
    const decision = engine.fail('t', 'a/1', { ...RATE_LIMIT, headers: { 'retry-after-ms': `${ms}` } });
    expect(decision.action.kind).toBe(kind);
  });
});

describe('given steady and one provider out of reach', () => {
  it('when it stays so, then it retries three times, and the next model answers', () => {
    const engine = createEngine(scope({ policy: PRESETS.steady, chain: ['a/1', 'b/1'] }));
    engine.prompt('t');
    const actions = [0, 1, 2, 3].map(() => engine.after(10 * SECOND).fail('t', 'a/1', NETWORK).action);
    expect(actions).toEqual([
      hold('a/1', 1_000, 'retry'),
      hold('a/1', 2_000, 'retry'),
      hold('a/1', 4_000, 'retry'),
      { kind: 'switch', from: 'a/1', to: 'b/1', position: 1 },
    ]);
  });

  it('when no other model is left, then the last one is asked again after 60 and 120 s, and the chain has ended', () => {
    const engine = createEngine(scope({ policy: PRESETS.steady, chain: ['a/1', 'a/2'] }));
    engine.prompt('t');
    for (let n = 0; n < 4; n++) engine.after(10 * SECOND).fail('t', 'a/1', NETWORK);
    const actions = Array.from({ length: 6 }, () => engine.after(10 * SECOND).fail('t', 'a/2', NETWORK).action);
    expect(actions.slice(3)).toEqual([
      hold('a/2', 60_000, 'restart'),
      hold('a/2', 120_000, 'restart'),
      expect.objectContaining({ kind: 'exhausted' }),
    ]);
  });
});

describe('given patient', () => {
  it('when the host can wait for another model, then that one speaks after 30 s; else at once', () => {
    const able = createEngine(scope({ policy: PRESETS.patient, abilities: ['hold.other'] }));
    able.prompt('t');
    expect(said(able.fail('t', 'a/1', SERVER_ERROR))).toEqual(['hold.server_error', hold('b/1', 30_000, 'wait')]);
    expect(able.state().turns.flat()[0]?.[1]).toMatchObject({ model: 'b/1', switches: 1 });
    const plain = createEngine(scope({ policy: PRESETS.patient }));
    plain.prompt('t');
    expect(plain.fail('t', 'a/1', SERVER_ERROR).action.kind).toBe('switch');
  });

  it('when a router knows no provider, then it switches without a wait', () => {
    const engine = createEngine(scope({ policy: PRESETS.patient, abilities: ['hold.other'] }));
    engine.prompt('t');
    const decision = engine.fail('t', 'a/1', { phase: 'body', status: 503, message: 'No available providers' });
    expect(decision.action.kind).toBe('switch');
  });

  it.each([
    [500, 'hold'],
    [501, 'pass'],
  ])('when an answer ends early after %i characters, then the turn answers with a %s', (outputChars, kind) => {
    const engine = createEngine(scope({ policy: PRESETS.patient, abilities: ['continue'] }));
    engine.prompt('t');
    expect(engine.fail('t', 'a/1', { ...CUT, outputChars }).action.kind).toBe(kind);
  });

  it('when answers stay empty, then the model is told to continue three times before the next one speaks', () => {
    const engine = createEngine(scope({ policy: PRESETS.patient, abilities: ['continue'] }));
    engine.prompt('t');
    const actions = [0, 1, 2, 3].map(() => engine.fail('t', 'a/1', EMPTY).action);
    expect(actions.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => hold('a/1', 0, 'continue')));
    expect(actions[3]?.kind).toBe('switch');
  });
});

describe('given a row of its own that waits', () => {
  const waiting = (...steps: PolicyStep[]) =>
    createEngine(scope({ policy: { ...PRESETS.swift, server_error: steps } }));
  const wait = { step: 'wait', ms: 30_000 } as const;

  it('when it retries after its wait, then each retry comes after the wait and a pause of its own', () => {
    const engine = waiting(wait, { step: 'retry', n: 2 }, { step: 'switch' });
    engine.prompt('t');
    expect([0, 1].map(() => engine.fail('t', 'a/1', SERVER_ERROR).action)).toEqual([
      hold('a/1', 31_000, 'retry'),
      hold('a/1', 32_000, 'retry'),
    ]);
  });

  it('when it only waits, then it asks the same model once more and then gives the failure back', () => {
    const engine = waiting(wait);
    engine.prompt('t');
    expect([0, 1].map(() => engine.fail('t', 'a/1', SERVER_ERROR).action)).toEqual([
      hold('a/1', 30_000, 'wait'),
      { kind: 'pass' },
    ]);
  });
});

describe('given swift', () => {
  it.each([
    ['5000', 'hold'],
    ['5001', 'switch'],
  ])('when a rate limit asks for %s ms, then the turn answers with a %s', (ms, kind) => {
    const engine = createEngine();
    engine.prompt('t');
    expect(engine.fail('t', 'a/1', { ...RATE_LIMIT, headers: { 'retry-after-ms': ms } }).action.kind).toBe(kind);
  });

  it('when an answer ends early after output, then it is continued once, where the host can do that', () => {
    const engine = createEngine(scope({ abilities: ['continue'] }));
    engine.prompt('t');
    expect([0, 1].map(() => engine.fail('t', 'a/1', CUT).action.kind)).toEqual(['hold', 'switch']);
    const plain = createEngine();
    plain.prompt('t');
    expect(plain.fail('t', 'a/1', CUT).action.kind).toBe('switch');
  });

  it('when the request is too long, then it is compacted once, and then a larger model speaks', () => {
    const models = { 'a/1': { context: 8_000 }, 'b/1': { context: 8_000 }, 'c/1': { context: 9_000 } };
    for (const abilities of [[], [...ABILITIES]]) {
      const engine = createEngine(scope({ abilities, models }));
      engine.prompt('t');
      const [first, second] = [0, 1].map(() => engine.fail('t', 'a/1', TOO_LONG)) as [Decision, Decision];
      expect(first.action).toEqual(abilities.length === 0 ? { kind: 'pass' } : hold('a/1', 0, 'compact'));
      expect(said(second)).toEqual(['switch.larger', { kind: 'switch', from: 'a/1', to: 'c/1', position: 2 }]);
    }
  });

  it('when nothing is known of sizes, then a request that stays too long goes back', () => {
    const engine = createEngine();
    engine.prompt('t');
    expect([0, 1].map(() => engine.fail('t', 'a/1', TOO_LONG).action.kind)).toEqual(['pass', 'pass']);
  });

  it('when a provider map gives the failure its own steps, then those are taken', () => {
    const engine = createEngine();
    engine.prompt('t');
    const steps = [{ step: 'return' }] as const;
    expect(engine.fail('t', 'a/1', { ...SERVER_ERROR, steps }).code).toBe('pass.server_error');
  });

  it('when an answer ends for a reason that no list names, then it counts as answered, and the reason is noted', () => {
    const engine = createEngine();
    engine.prompt('t');
    const { attempt } = engine.start('t', 'a/1');
    const answered = { type: 'attempt.succeeded', attempt, durationMs: 1, firstTokenMs: 1, outputChars: 5 } as const;
    const { facts } = engine.tell({ ...answered, unknownEnd: 'because' });
    expect(facts.find(({ type }) => type === 'attempt.ended')).toMatchObject({ outcome: 'answered' });
    expect(engine.asides()).toEqual([{ type: 'phrase.unknown', model: 'a/1', text: 'finish reason: because' }]);
    expect(engine.shown('a/1').state).toBe('ready');
  });

  it('when a failure is unknown, then it goes back and its words go to the inbox', () => {
    const engine = createEngine();
    engine.prompt('t');
    expect(engine.fail('t', 'a/1', { phase: 'body', message: 'the moon is full' }).action.kind).toBe('pass');
    expect(engine.asides()).toEqual([{ type: 'phrase.unknown', model: 'a/1', text: 'the moon is full' }]);
  });

  it.each([
    ['a 400 says nothing known', { status: 400, message: 'the moon is full' }, ['phrase.unknown']],
    ['a 422 says nothing known', { status: 422, message: 'the moon is full' }, ['phrase.unknown']],
    ['a 400 has a code of ours', { status: 400, code: 'invalid_request_error', message: 'no' }, []],
    ['a 400 speaks of a limit', { status: 400, message: 'rate limit reached' }, []],
    ['a map names it', { status: 400, message: 'moon', mapped: { kind: 'invalid_request' } }, []],
    ['a 405 speaks for itself', { status: 405, message: 'the moon is full' }, []],
  ] as const)('when %s, then its words go to the inbox only where none of them is known', (_, said, codes) => {
    const engine = createEngine();
    engine.prompt('t');
    engine.fail('t', 'a/1', { phase: 'body', ...said });
    expect(engine.asides().map(({ type }) => type)).toEqual(codes);
  });
});

describe('given a turn with nobody left', () => {
  const quota = (ms: number): Evidence => ({
    phase: 'body',
    code: 'insufficient_quota',
    headers: { 'retry-after-ms': `${ms}` },
  });

  it.each([
    [30_000, 'hold'],
    [30_001, 'exhausted'],
  ])('when the only soon model is back in %i ms, then the turn answers with: %s', (ms, kind) => {
    const engine = createEngine(scope({ chain: ['a/1', 'b/1'] }));
    engine.prompt('t');
    engine.fail('t', 'a/1', NO_KEY);
    expect(engine.fail('t', 'b/1', quota(ms)).action.kind).toBe(kind);
  });

  it('when it has held for that model once, then it ends', () => {
    const engine = createEngine(scope({ chain: ['a/1', 'b/1'] }));
    engine.prompt('t');
    engine.fail('t', 'a/1', NO_KEY);
    expect(engine.fail('t', 'b/1', quota(10_000)).action).toEqual(hold('b/1', 10_000, 'soonest'));
    expect(engine.after(10_000).fail('t', 'b/1', quota(10_000)).action.kind).toBe('exhausted');
  });

  it('when the soonest is another model, then only a host that can wait for it does', () => {
    for (const [abilities, kind] of [[['hold.other'], 'hold'] as const, [[], 'exhausted'] as const]) {
      const engine = createEngine(scope({ chain: ['a/1', 'b/1'], abilities }));
      engine.prompt('t');
      engine.fail('t', 'a/1', quota(10_000));
      expect(engine.fail('t', 'b/1', NO_KEY).action.kind).toBe(kind);
    }
  });

  it('when a message comes before that time, then a host that can hold a request does so before it is sent', () => {
    const engine = createEngine(scope({ chain: ['a/1', 'b/1'], abilities: ['hold.start', 'hold.other'] }));
    engine.prompt('t');
    engine.fail('t', 'b/1', NO_KEY);
    expect(engine.fail('t', 'a/1', quota(40_000)).action.kind).toBe('exhausted');
    engine.after(21_000);
    expect(engine.prompt('u').code).toBe('keep.soon');
    expect(engine.start('u', 'a/1').refusal?.action).toEqual(hold('a/1', 19_000, 'soonest'));
    expect(engine.after(19_000).start('u', 'a/1').refusal).toBeNull();
  });
});

describe('given budgets', () => {
  it('when a retry of an unreached provider cannot be paid, then another provider answers instead', () => {
    const engine = createEngine(scope({ policy: PRESETS.steady, retryBudget: { perSession: 0, warnAt: 0 } }));
    engine.prompt('t');
    expect(engine.fail('t', 'a/1', NETWORK).action).toMatchObject({ kind: 'switch', to: 'b/1' });
  });

  it('when the budgets forbid the retry, then the model that failed says which of them, and nobody else does', () => {
    const reason = (engine: ReturnType<typeof createEngine>, evidence = BAD_GATEWAY) => {
      const { code, trace } = engine.fail('t', 'a/1', evidence);
      return [code, ...trace.map((entry) => `${entry.verdict} ${entry.code}`)];
    };
    const spent = createEngine(scope({ policy: PRESETS.steady, retryBudget: { perSession: 0, warnAt: 0 } }));
    spent.prompt('t');
    const switched = ['chosen chain.first', 'skipped chain.later'];
    expect(reason(spent)).toEqual(['switch.server_error', 'failed budget.session', ...switched]);
    const swift = createEngine(scope({ retryBudget: { perSession: 0, warnAt: 0 } }));
    swift.prompt('t');
    const short = { ...RATE_LIMIT, headers: { 'retry-after': '3' } };
    expect(reason(swift, short)).toEqual(['switch.rate_limit', 'failed budget.session', ...switched]);
    const retryBudget = { perSession: 30, warnAt: 20, failingTurns: 1 };
    const busy = createEngine(scope({ policy: PRESETS.steady, retryBudget }));
    busy.prompt('o');
    for (let n = 0; n < 3; n++) busy.fail('o', 'a/1', BAD_GATEWAY);
    busy.prompt('t');
    expect(reason(busy)).toEqual(['switch.server_error', 'failed budget.provider', ...switched]);
    const asking = createEngine(
      scope({ policy: PRESETS.council, abilities: ['ask'], retryBudget: { perSession: 0, warnAt: 0 } }),
    );
    asking.prompt('t');
    expect(reason(asking).slice(0, 2)).toEqual(['ask.server_error', 'failed budget.session']);
  });

  it('when the model of last resort is the one that may not be asked again, then it is named as well', () => {
    const retryBudget = { perSession: 0, warnAt: 0 };
    const engine = createEngine(scope({ policy: PRESETS.steady, chain: ['a/1'], backupModel: 'z/1', retryBudget }));
    engine.prompt('t');
    engine.fail('t', 'a/1', NO_KEY);
    expect(engine.fail('t', 'z/1', BAD_GATEWAY).trace).toMatchObject([
      { model: 'a/1', code: 'chain.tried' },
      { model: 'z/1', position: 1, verdict: 'failed', code: 'budget.session', state: 'resting', backInMs: null },
    ]);
  });

  it('when no budget stands against it, or it would not have been asked again anyway, then none is named', () => {
    const codes = (policy: keyof typeof PRESETS, evidence: Evidence, perSession: number) => {
      const engine = createEngine(scope({ policy: PRESETS[policy], retryBudget: { perSession, warnAt: 0 } }));
      engine.prompt('t');
      return engine.fail('t', 'a/1', evidence).trace.map(({ code }) => code);
    };
    const usual = ['chain.tried', 'chain.first', 'chain.later'];
    expect(codes('swift', SERVER_ERROR, 0)).toEqual(usual);
    expect(codes('steady', NO_KEY, 0)).toEqual(usual);
    expect(codes('swift', { ...RATE_LIMIT, headers: { 'retry-after': '60' } }, 0)).toEqual(usual);
    expect(codes('steady', { ...RATE_LIMIT, headers: { 'retry-after': '600' } }, 0)).toEqual(usual);
    expect(codes('steady', BAD_GATEWAY, 1)[0]).toBe('chain.tried');
  });

  it('when a sub-agent retries, then its root pays, is warned once and then refused', () => {
    const retryBudget = { perSession: 2, warnAt: 1 };
    const engine = createEngine(scope({ policy: PRESETS.steady, retryBudget }));
    engine.prompt('root');
    const child = { session: 'child', parentSession: 's' };
    engine.prompt('t', child);
    const kinds = [0, 1, 2].map(() => {
      const { attempt } = engine.start('t', 'a/1', child);
      return engine.failed(attempt, BAD_GATEWAY).action.kind;
    });
    expect(kinds).toEqual(['hold', 'hold', 'switch']);
    expect(engine.asides()).toEqual([
      { type: 'budget.warned', session: 's', agent: 'build', count: 1, of: 2 },
      { type: 'budget.spent', session: 's', agent: 'build', count: 2, of: 2 },
      expect.anything(),
    ]);
  });

  it('when the retry is stopped or fails for the request’s own sake, then it is handed back', () => {
    const engine = createEngine(scope({ policy: PRESETS.steady }));
    engine.prompt('t');
    engine.fail('t', 'a/1', BAD_GATEWAY);
    const spent = () => engine.state().budgets.flat()[0]?.[1].retries;
    expect(spent()).toBe(1);
    const { attempt } = engine.start('t', 'a/1');
    engine.tell({ type: 'attempt.aborted', attempt });
    expect(spent()).toBe(0);
    expect(engine.state().streaks.flat()[0]?.[1].used).toBe(0);
  });

  it('when a title of the same turn is stopped meanwhile, then the retry stays paid', () => {
    const engine = createEngine(scope({ policy: PRESETS.steady }));
    engine.prompt('t');
    engine.fail('t', 'a/1', BAD_GATEWAY);
    const { attempt } = engine.start('t', 'a/1', { purpose: 'internal' });
    engine.tell({ type: 'attempt.aborted', attempt });
    expect(engine.state().budgets.flat()[0]?.[1].retries).toBe(1);
  });
});

describe('given every provider out of reach within two seconds', () => {
  const offline = () => {
    const engine = createEngine();
    engine.prompt('t');
    expect(engine.at(0).fail('t', 'a/1', NETWORK).action.kind).toBe('switch');
    expect(engine.at(500).fail('t', 'b/1', NETWORK).action.kind).toBe('switch');
    return engine;
  };

  it('when the last one fails too, then nobody is blamed and the turn holds for the network', () => {
    const engine = offline();
    const decision = engine.at(2_000).fail('t', 'c/1', NETWORK);
    expect(said(decision)).toEqual(['hold.local_network', hold('c/1', 1_000, 'network')]);
    expect(decision.failure).toMatchObject({ kind: 'local_network', scope: 'machine', lane: 'neutral' });
    expect(['a/1', 'b/1', 'c/1'].map((model) => engine.shown(model).use)).toEqual(['first', 'first', 'first']);
    expect(engine.state().turns.flat()[0]?.[1]).toMatchObject({ switches: 0, tried: [], left: [] });
    expect(engine.codes()).toEqual(['network.down']);
  });

  it('when the last one fails a moment too late, then it is that provider’s failure', () => {
    expect(offline().at(2_001).fail('t', 'c/1', NETWORK).failure?.kind).toBe('network_transient');
  });

  it('when it lasts, then the turn holds ever longer and gives back after 240 s', () => {
    const engine = offline();
    let decision = engine.at(2_000).fail('t', 'c/1', NETWORK);
    const waits: number[] = [];
    for (let n = 0; n < 30 && decision.action.kind === 'hold'; n++) {
      waits.push(decision.action.waitMs);
      decision = engine.after(decision.action.waitMs).fail('t', 'c/1', NETWORK);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, ...Array(6).fill(30_000), 29_000]);
    expect([engine.now(), decision.code]).toEqual([242_000, 'pass.local_network']);
    expect(engine.shown('c/1').state).not.toBe('resting');
  });

  it('when one provider answers, then it is told and failures count again', () => {
    const engine = offline();
    engine.at(2_000).fail('t', 'c/1', NETWORK);
    engine.at(3_000).succeed('t', 'c/1');
    expect(engine.codes()).toContain('network.back');
    expect(engine.at(10_000).fail('t', 'c/1', NETWORK).failure?.kind).toBe('network_transient');
  });
});

describe('given a machine that slept', () => {
  it('when 4 minutes went by uncounted, then a cooldown of 5 ends one minute later, and nothing bursts', () => {
    const engine = createEngine();
    engine.prompt('t');
    engine.fail('t', 'a/1', RATE_LIMIT);
    expect(engine.shown('a/1').until).toBe(5 * MINUTE);
    engine.at(1_000).tell({ type: 'host.resumed', asleepMs: 4 * MINUTE });
    expect(engine.shown('a/1').until).toBe(MINUTE);
    expect(engine.wakeAt()).toBe(MINUTE);
    expect([MINUTE - 1, MINUTE].map((now) => engine.at(now).shown('a/1').use)).toEqual(['out', 'last']);
  });

  it('when a request it slept over fails, then nobody is blamed; the next failure is the provider’s', () => {
    const engine = createEngine();
    engine.prompt('t');
    const { attempt } = engine.start('t', 'a/1');
    engine.at(1_000).tell({ type: 'host.resumed', asleepMs: 60_000 });
    expect(engine.failed(attempt, NETWORK)).toMatchObject({ code: 'hold.local_network' });
    expect(engine.shown('a/1').use).toBe('first');
    expect(engine.at(5_000).fail('t', 'a/1', NETWORK).code).toBe('switch.network_transient');
  });
});
