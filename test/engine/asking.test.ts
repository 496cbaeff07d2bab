import { describe, expect, it } from 'vitest';
import type { Ability } from '../../src/engine/config';
import { PRESETS } from '../../src/engine/presets';
import { entries, get } from '../../src/engine/table';
import { activeOf } from '../../src/engine/tools';
import { BAD_GATEWAY, createEngine, INVALID, NO_KEY, SERVER_ERROR, scope } from './harness';

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
    expect(engine.notes().slice(-2)).toMatchObject([
      { code: 'speaker.degraded', agent: 'build', count: 0, of: 1 },
      { code: 'session.paused' },
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
    expect(engine.at(29_999).tick().notes).toEqual([]);
    expect(engine.at(30_000).tick().notes).toMatchObject([{ code: 'question.nudged' }]);
    expect(engine.wakeAt()).toBe(60_000);
    expect(engine.at(59_999).tick().decisions).toEqual([]);
    const { decisions, notes } = engine.at(60_000).tick();
    expect(decisions).toMatchObject([{ attempt: 'x1', code: 'skipped.auth', action: { kind: 'pass' } }]);
    expect(notes.map(({ code }) => code)).toEqual(['question.skipped', 'speaker.degraded', 'session.paused']);
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
    const put = () => engine.notes().filter(({ code }) => code === 'question.put').length;
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

  it('when the row for what stands against it does not ask, then nobody is asked', () => {
    const engine = out({ phase: 'body', status: 403, message: 'You do not have permission to use this model' });
    expect(engine.prompt('t').code).toBe('redirect.permission');
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
