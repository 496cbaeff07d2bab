import { describe, expect, it } from 'vitest';
import type { Ability } from '../../../src/engine/base/config';
import { entries, get } from '../../../src/engine/base/table';
import { PRESETS } from '../../../src/engine/policy/presets';
import { activeOf } from '../../../src/engine/tools';
import { BAD_GATEWAY, createEngine, INVALID, NO_KEY, SERVER_ERROR, scope } from '../harness';

const council = (maxRetries = 3) =>
  createEngine(scope({ policy: PRESETS.council, abilities: ['ask', 'defer', 'hold.other'], maxRetries }));
const answer = (yes: boolean) => ({ type: 'question.answered', yes, actor: 'ann' }) as const;

describe('given council and a model that keeps failing', () => {
  it('when retries are spent, then it is deferred, then the person is asked', () => {
    const engine = council();
    engine.prompt('t');
    const actions = [0, 1, 2, 3, 4].map(() => engine.fail('t', 'a/1', BAD_GATEWAY).action);
    expect(actions).toEqual([
      { kind: 'hold', to: 'a/1', waitMs: 1_000, task: 'retry' },
      { kind: 'hold', to: 'a/1', waitMs: 2_000, task: 'retry' },
      { kind: 'hold', to: 'a/1', waitMs: 4_000, task: 'retry' },
      { kind: 'hold', to: 'a/1', waitMs: 0, task: 'defer' },
      { kind: 'hold', to: 'a/1', waitMs: 60_000, task: 'ask' },
    ]);
    expect(engine.codes()).toContain('question.put');
  });

  it('when the host can neither defer nor ask, then the failure goes back and nobody is degraded', () => {
    const engine = createEngine(scope({ policy: PRESETS.council, maxRetries: 0 }));
    engine.prompt('t');
    expect(engine.fail('t', 'a/1', BAD_GATEWAY).action.kind).toBe('pass');
    expect(activeOf(engine.state(), 's')).toEqual({ active: 1, total: 1 });
  });
});

describe('given a question', () => {
  const asked = () => {
    const engine = council();
    engine.prompt('t');
    const decision = engine.fail('t', 'a/1', NO_KEY);
    expect(decision).toMatchObject({ code: 'ask.auth', action: { task: 'ask' } });
    return engine;
  };

  it('when the person says yes, then the next model takes over', () => {
    const engine = asked();
    const { decisions } = engine.after(5_000).tell(answer(true));
    expect(decisions).toMatchObject([{ attempt: 'x1', action: { kind: 'switch', from: 'a/1', to: 'b/1' } }]);
    expect(engine.state().questions).toEqual([]);
    expect(engine.start('t', 'b/1').refusal).toBeNull();
  });

  it('when the person says yes and nobody else can speak, then the same model is asked, whatever stands against it', () => {
    const engine = asked();
    engine.tell({ type: 'health.isolated', model: 'b/1', actor: 'ann' });
    engine.tell({ type: 'health.isolated', model: 'c/1', actor: 'ann' });
    expect(engine.tell(answer(true)).decisions).toMatchObject([{ action: { kind: 'hold', to: 'a/1', task: 'retry' } }]);
    expect(engine.start('t', 'a/1').refusal).toBeNull();
  });

  it('when the person says no, then the speaker is degraded, and as the last one pauses the session', () => {
    const engine = asked();
    expect(engine.tell(answer(false)).decisions).toMatchObject([{ code: 'declined.auth', action: { kind: 'pass' } }]);
    expect(engine.asides().slice(-2)).toMatchObject([
      { type: 'speaker.degraded', agent: 'build', count: 0, of: 1 },
      { type: 'session.paused' },
    ]);
    expect(engine.prompt('u')).toMatchObject({ code: 'exhausted.degraded', action: { kind: 'exhausted' } });
    expect(activeOf(engine.state(), 's')).toEqual({ active: 0, total: 1 });
  });

  it('when the person said no, then neither that turn nor the next one asks anybody, until /retry', () => {
    const engine = asked();
    engine.tell(answer(false));
    expect(engine.start('t', 'a/1').refusal?.code).toBe('exhausted.degraded');
    engine.prompt('u');
    expect(engine.start('u', 'a/1').refusal).toMatchObject({
      code: 'exhausted.degraded',
      action: { kind: 'exhausted' },
    });
    engine.tell({ type: 'speaker.retried', session: 's', agent: 'build', actor: 'ann' });
    engine.prompt('v');
    expect(engine.start('v', 'b/1').refusal).toBeNull();
  });

  it('when nobody answers, then it nudges at 30 s and skips at 60 s, woken at those times', () => {
    const engine = asked();
    expect(engine.wakeAt()).toBe(30_000);
    expect(engine.at(29_999).tick().facts).toEqual([]);
    expect(engine.at(30_000).tick().facts).toMatchObject([{ type: 'question.nudged' }]);
    expect(engine.wakeAt()).toBe(60_000);
    expect(engine.at(59_999).tick().decisions).toEqual([]);
    const { decisions, facts } = engine.at(60_000).tick();
    expect(decisions).toMatchObject([{ attempt: 'x1', code: 'skipped.auth', action: { kind: 'pass' } }]);
    expect(facts.map(({ type }) => type)).toEqual(['question.skipped', 'speaker.degraded', 'session.paused']);
  });

  it('when the turn ends first, then the question is withdrawn', () => {
    const engine = asked();
    engine.tell({ type: 'session.idle', session: 's' });
    expect(engine.state().questions).toEqual([]);
    expect(engine.tell(answer(true)).facts).toMatchObject([{ type: 'event.ignored', code: 'question.unknown' }]);
  });

  it('when the machine slept over it, then it is put anew', () => {
    const engine = asked();
    engine.at(1_000).tell({ type: 'host.resumed', asleepMs: 3_600_000 });
    expect(engine.at(60_999).tick().decisions).toEqual([]);
    expect(engine.at(61_000).tick().decisions).toMatchObject([{ code: 'skipped.auth' }]);
  });
});

describe('given two speakers of one conversation that both ask', () => {
  const both = () => {
    const engine = council();
    engine.prompt('t');
    engine.prompt('u', { session: 'child', parentSession: 's', agent: 'build' });
    engine.fail('t', 'a/1', NO_KEY);
    const { attempt } = engine.start('u', 'b/1', { session: 'child' });
    engine.failed(attempt, { ...NO_KEY });
    return engine;
  };

  it('when the first is answered, then the second is put; one question at a time', () => {
    const engine = both();
    const put = () => engine.asides().filter(({ type }) => type === 'question.put').length;
    expect([engine.state().questions.length, put()]).toEqual([2, 1]);
    engine.after(1_000).tell(answer(false));
    expect([engine.state().questions.length, put()]).toEqual([1, 2]);
    expect(activeOf(engine.state(), 's')).toEqual({ active: 1, total: 2 });
  });

  it('when both are declined, then the session is paused until /retry brings one back', () => {
    const engine = both();
    engine.tell(answer(false));
    engine.tell(answer(false));
    expect(engine.codes().at(-1)).toBe('session.paused');
    engine.tell({ type: 'speaker.retried', session: 's', agent: null, actor: 'ann' });
    expect(engine.codes().slice(-3)).toEqual(['speaker.restored', 'speaker.restored', 'session.resumed']);
    expect(engine.prompt('v').code).not.toBe('exhausted.degraded');
    const again = engine.tell({ type: 'speaker.retried', session: 's', agent: 'build', actor: 'ann' });
    expect(again.facts).toMatchObject([{ code: 'speaker.unknown' }]);
  });
});

describe('given council and a failure of the request itself', () => {
  it('when it is invalid, then nobody is asked', () => {
    const engine = council();
    engine.prompt('t');
    expect(engine.fail('t', 'a/1', INVALID).action.kind).toBe('pass');
    expect(engine.fail('t', 'a/1', { ...SERVER_ERROR, observed: 'aborted' })).toBeUndefined();
    expect(engine.state().questions).toEqual([]);
  });
});

describe('given council and a lead that is out when a message comes', () => {
  const HOUR_LIMIT = { ...NO_KEY, status: 429, message: 'Rate limit reached', headers: { 'retry-after': '3600' } };
  /** Another session has found the lead out a moment ago. */
  const out = (evidence = NO_KEY, abilities: readonly Ability[] = ['ask', 'hold.start', 'hold.other']) => {
    const engine = createEngine(scope({ policy: PRESETS.council, abilities, maxRetries: 0 }));
    engine.failed(engine.start('o', 'a/1', { session: 'other', purpose: 'internal' }).attempt, evidence);
    return engine;
  };

  it.each([
    ['the key is refused', NO_KEY, 'auth'],
    ['it is limited for an hour', HOUR_LIMIT, 'rate_limit'],
  ])(
    'when %s, then the lead stays at the prompt, and the question comes before anything is sent',
    (_, evidence, kind) => {
      const engine = out(evidence);
      expect(engine.prompt('t')).toMatchObject({ code: 'keep.ask', action: { kind: 'keep', to: 'a/1' } });
      const { refusal, attempt } = engine.start('t', 'a/1');
      expect(refusal).toMatchObject({
        attempt: null,
        code: `ask.${kind}`,
        action: { kind: 'hold', to: 'a/1', waitMs: 60_000, task: 'ask' },
      });
      expect(engine.state().questions).toMatchObject([{ turn: 't', attempt: null, model: 'a/1', to: 'b/1', kind }]);
      expect(entries(engine.state().attempts).some(([id]) => id === attempt)).toBe(false);
    },
  );

  it('when the person agrees, then the understudy answers this message and the next, and nobody is asked again', () => {
    const engine = out();
    engine.prompt('t');
    engine.start('t', 'a/1');
    expect(engine.after(5_000).tell(answer(true)).decisions).toMatchObject([
      { turn: 't', attempt: null, code: 'redirect.auth', action: { kind: 'switch', from: 'a/1', to: 'b/1' } },
    ]);
    expect(engine.start('t', 'b/1').refusal).toBeNull();
    expect(get(engine.state().turns, 't')).toMatchObject({ switches: 0, tried: [], model: 'b/1' });
    expect(engine.prompt('u')).toMatchObject({ code: 'redirect.auth', action: { kind: 'redirect', to: 'b/1' } });
  });

  it('when the understudy is out as well by the next message, then the one after it is asked about', () => {
    const engine = out();
    engine.prompt('t');
    engine.start('t', 'a/1');
    engine.tell(answer(true));
    engine.failed(engine.start('t', 'b/1', { purpose: 'internal' }).attempt, NO_KEY);
    expect(engine.prompt('u').code).toBe('keep.ask');
    engine.start('u', 'a/1');
    expect(engine.state().questions).toMatchObject([{ turn: 'u', to: 'c/1' }]);
  });

  it('when the person refuses, or says nothing for 60 s, then the agent is left out and nobody was asked', () => {
    for (const [end, code] of [
      ['no', 'declined.auth'],
      ['nothing', 'skipped.auth'],
    ] as const) {
      const engine = out();
      engine.prompt('t');
      engine.start('t', 'a/1');
      const { decisions } = end === 'no' ? engine.tell(answer(false)) : engine.after(60_000).tick();
      expect(decisions).toMatchObject([{ turn: 't', attempt: null, code, action: { kind: 'pass' } }]);
      expect(engine.prompt('u').code).toBe('exhausted.degraded');
    }
  });

  it('when nobody can put a question there, then the understudy takes the message as before', () => {
    const engine = out(NO_KEY, ['hold.start']);
    expect(engine.prompt('t')).toMatchObject({ code: 'redirect.auth', action: { kind: 'redirect', to: 'b/1' } });
  });

  const REFUSED = { phase: 'body', status: 403, message: 'You do not have permission to use this model' } as const;

  it('when the row for what stands against it gives the failure back, then the person is asked before anybody else speaks', () => {
    const engine = out(REFUSED);
    expect(engine.prompt('t')).toMatchObject({ code: 'keep.ask', action: { kind: 'keep', to: 'a/1' } });
    expect(engine.start('t', 'a/1').refusal?.code).toBe('ask.permission');
    expect(engine.state().questions).toMatchObject([{ model: 'a/1', to: 'b/1', kind: 'permission' }]);
    expect(engine.tell(answer(true)).decisions).toMatchObject([{ code: 'redirect.permission', action: { to: 'b/1' } }]);
    expect(engine.prompt('u')).toMatchObject({ code: 'redirect.permission', action: { kind: 'redirect', to: 'b/1' } });
  });

  it('when that row itself says to switch, then nobody is asked: whoever wrote it has agreed', () => {
    const policy = { ...PRESETS.council, permission: [{ step: 'switch' }] } as const;
    const engine = createEngine(scope({ policy, abilities: ['ask', 'hold.start'], maxRetries: 0 }));
    engine.failed(engine.start('o', 'a/1', { session: 'other', purpose: 'internal' }).attempt, REFUSED);
    expect(engine.prompt('t').code).toBe('redirect.permission');
  });

  it.each([
    ['isolates it', { type: 'health.isolated', model: 'a/1', actor: 'ann' }],
    ['holds it out', { type: 'health.held', model: 'a/1', state: 'open', forMs: null, actor: 'ann' }],
  ] as const)('when a person %s, then that says who does not speak, and they are asked who does', (_, act) => {
    for (const evidence of [null, HOUR_LIMIT, { phase: 'body', status: 403, message: 'Forbidden' } as const]) {
      const engine = evidence ? out(evidence) : createEngine(scope({ policy: PRESETS.council, abilities: ['ask'] }));
      engine.tell(act);
      expect(engine.prompt('t').code).toBe('keep.ask');
      expect(engine.start('t', 'a/1').refusal).toMatchObject({ code: 'ask.unknown', action: { task: 'ask' } });
      expect(engine.state().questions).toMatchObject([{ model: 'a/1', to: 'b/1', kind: 'unknown' }]);
      expect(engine.asides().at(-1)).not.toHaveProperty('kind');
      expect(engine.tell(answer(true)).decisions).toMatchObject([{ code: 'redirect.lead', action: { to: 'b/1' } }]);
      expect(engine.start('t', 'b/1').refusal).toBeNull();
      expect(engine.prompt('u').action).toMatchObject({ kind: 'redirect', to: 'b/1' });
    }
  });

  it('when the one they said yes to is out by then, then what they have taken out is still asked by nobody', () => {
    const engine = createEngine(scope({ policy: PRESETS.council, abilities: ['ask', 'hold.start'] }));
    engine.tell({ type: 'health.isolated', model: 'a/1', actor: 'ann' });
    engine.prompt('t');
    engine.start('t', 'a/1');
    engine.failed(engine.start('o', 'b/1', { session: 'other', purpose: 'internal' }).attempt, NO_KEY);
    expect(engine.tell(answer(true)).decisions).toMatchObject([{ code: 'hold.unknown', action: { to: 'a/1' } }]);
    expect(engine.start('t', 'a/1').refusal?.code).toBe('ask.unknown');
    expect(engine.state().questions).toMatchObject([{ model: 'a/1', to: 'c/1' }]);
  });

  it('when a person has taken the only other one out as well, then nobody is left, and nobody is asked about what they took out', () => {
    const engine = createEngine(scope({ chain: ['a/1', 'b/1'], policy: PRESETS.council, abilities: ['ask'] }));
    for (const model of ['a/1', 'b/1']) engine.tell({ type: 'health.isolated', model, actor: 'ann' });
    expect(engine.prompt('t').code).toBe('exhausted.out');
    expect(engine.start('t', 'a/1').refusal?.code).toBe('exhausted.out');
    expect(engine.state().questions).toEqual([]);
  });

  it('when the person who holds it out says no, then the agent is left out, and no failure is named that was none', () => {
    const engine = createEngine(scope({ policy: PRESETS.council, abilities: ['ask'] }));
    engine.tell({ type: 'health.isolated', model: 'a/1', actor: 'ann' });
    engine.prompt('t');
    engine.start('t', 'a/1');
    expect(engine.tell(answer(false)).decisions).toMatchObject([{ code: 'declined.unknown' }]);
    const told = engine.asides().find(({ type }) => type === 'speaker.degraded');
    expect(told).toMatchObject({ agent: 'build', model: 'a/1', count: 0, of: 1 });
    expect(told).not.toHaveProperty('kind');
  });

  it('when another host has asked, then this one has the same question, and takes the same answer', () => {
    const [one, two] = [out(), out()];
    two.prompt('t', { decided: { kind: 'keep', to: 'a/1', code: one.prompt('t').code } });
    one.start('t', 'a/1');
    const decided = { kind: 'hold', to: 'a/1', waitMs: 60_000, task: 'ask', code: 'ask.auth' } as const;
    two.start('t', 'a/1', { decided });
    expect(two.state().questions).toEqual(one.state().questions);
    expect(two.tell(answer(true)).decisions).toEqual(one.tell(answer(true)).decisions);
    expect(two.state().turns).toEqual(one.state().turns);
  });
});

describe('given council and a request that holds what the lead cannot take', () => {
  const blind = (over: Parameters<typeof scope>[0] = {}) =>
    createEngine(
      scope({
        policy: PRESETS.council,
        abilities: ['ask'],
        models: { 'a/1': { vision: false, context: 1_000 } },
        ...over,
      }),
    );
  const IMAGE = { needs: { vision: true } };

  it('when it is an image, then the person is asked before another model reads it, and a yes has it read', () => {
    const engine = blind();
    expect(engine.prompt('t', IMAGE)).toMatchObject({ code: 'keep.ask', action: { kind: 'keep', to: 'a/1' } });
    const { refusal } = engine.start('t', 'a/1', IMAGE);
    expect(refusal).toMatchObject({ code: 'ask.unsupported_input', action: { task: 'ask' } });
    expect(refusal?.trace[0]).toMatchObject({ model: 'a/1', code: 'needs.vision' });
    expect(engine.state().questions).toMatchObject([{ model: 'a/1', to: 'b/1', kind: 'unsupported_input' }]);
    expect(engine.tell(answer(true)).decisions).toMatchObject([
      { code: 'redirect.unsupported_input', action: { kind: 'switch', to: 'b/1' } },
    ]);
    expect(engine.start('t', 'b/1', IMAGE).refusal).toBeNull();
  });

  it('when the image comes in the middle of the turn, then the request that holds it waits for the answer', () => {
    const engine = blind();
    engine.prompt('t');
    engine.succeed('t', 'a/1');
    expect(engine.start('t', 'a/1', IMAGE).refusal?.code).toBe('ask.unsupported_input');
  });

  it('when nobody else can read it either, then the lead is asked as it is', () => {
    const models = { 'a/1': { vision: false }, 'b/1': { vision: false }, 'c/1': { vision: false } };
    const engine = blind({ models });
    engine.prompt('t');
    expect(engine.start('t', 'a/1', IMAGE).refusal).toBeNull();
  });

  it('when it is only too long, then the lead gets it, nobody else speaks, and OpenCode shortens it', () => {
    const engine = blind();
    const needs = { contextTokens: 2_000 };
    expect(engine.prompt('t', { needs })).toMatchObject({ code: 'keep.ask', action: { to: 'a/1' } });
    const { refusal, attempt } = engine.start('t', 'a/1', { needs });
    expect(refusal).toBeNull();
    const tooLong = { phase: 'body', status: 400, code: 'context_length_exceeded', message: 'too long' } as const;
    expect(engine.failed(attempt, tooLong).action.kind).toBe('pass');
  });

  it('when its policy does not ask, then the next model reads it, as before', () => {
    const engine = blind({ policy: PRESETS.swift });
    expect(engine.prompt('t', IMAGE)).toMatchObject({ code: 'redirect.lead', action: { kind: 'redirect', to: 'b/1' } });
    expect(blind({ policy: PRESETS.swift }).start('u', 'a/1', IMAGE).refusal).toBeNull();
  });
});
