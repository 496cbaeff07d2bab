import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../src/engine';
import { createEngine, INVALID, MINUTE, RATE_LIMIT, SECOND, scope } from './harness';

const LIMITED: Evidence = { ...RATE_LIMIT, headers: { 'retry-after': '600' } };
const NOT_ISSUED: Evidence = {
  ...INVALID,
  code: 'invalid_request_error',
  message: 'The reasoning `encrypted_content` was not issued to this caller.',
};
const UNPROCESSABLE: Evidence = { phase: 'body', status: 422, message: 'thinking: signature field required' };
const TOO_LONG: Evidence = { ...INVALID, code: 'context_length_exceeded', message: 'Too many tokens' };

/** The lead has run a tool and then meets its limit of 10 minutes. */
function moved(more: Parameters<typeof scope>[0] = {}) {
  const engine = createEngine(scope({ chain: ['a/1', 'b/1', 'c/1', 'd/1'], guessProbe: true, ...more }));
  engine.prompt('t');
  engine.succeed('t', 'a/1');
  expect(engine.fail('t', 'a/1', LIMITED).action).toMatchObject({ kind: 'switch', to: 'b/1' });
  return engine;
}

describe('given a turn that has just been moved to another model', () => {
  it.each([
    ['400', NOT_ISSUED],
    ['422', UNPROCESSABLE],
  ])(
    'when that refuses the conversation with %s, then the next model is asked, and the refusal costs no health',
    (_, refusal) => {
      const engine = moved();
      const before = engine.shown('b/1');
      expect(engine.fail('t', 'b/1', refusal)).toMatchObject({
        code: 'switch.refused',
        action: { kind: 'switch', from: 'b/1', to: 'c/1' },
      });
      expect({ ...engine.shown('b/1'), state: before.state }).toEqual(before);
      expect(engine.succeed('t', 'c/1').decisions).toEqual([]);
    },
  );

  it('when a second one refuses it, then the turn ends, and the lead is the first one back, in its 10 minutes', () => {
    const engine = moved();
    engine.fail('t', 'b/1', NOT_ISSUED);
    const end = engine.fail('t', 'c/1', NOT_ISSUED);
    expect(end).toMatchObject({ code: 'exhausted.refused', action: { kind: 'exhausted' } });
    expect(end.trace.find(({ model }) => model === 'a/1')).toMatchObject({ state: 'cooling', backInMs: 600_000 });
  });

  it('when the conversation is too long for it, then that has the steps of its own kind', () => {
    expect(moved().fail('t', 'b/1', TOO_LONG).code).not.toMatch(/refused/);
  });

  it('when it has answered once and refuses a later request, then that is an invalid request, which no model would take', () => {
    const engine = moved();
    engine.succeed('t', 'b/1');
    expect(engine.fail('t', 'b/1', INVALID)).toMatchObject({ action: { kind: 'pass' } });
  });

  it('when a policy goes on with OpenCode’s own retry, then a second refusal goes there', () => {
    const engine = moved({ onExhausted: 'native' });
    engine.fail('t', 'b/1', NOT_ISSUED);
    expect(engine.fail('t', 'c/1', NOT_ISSUED).action.kind).toBe('pass');
  });
});

describe('given a turn of which no model was changed', () => {
  it('when its lead refuses the request, then OpenCode gets that as it is', () => {
    const engine = createEngine(scope());
    engine.prompt('t');
    expect(engine.fail('t', 'a/1', INVALID).action.kind).toBe('pass');
  });
});

describe('given a model that has refused a conversation', () => {
  it('when the next message comes while the lead is limited, then another model is asked, and that one only when no other is left', () => {
    const engine = moved();
    engine.fail('t', 'b/1', NOT_ISSUED);
    engine.succeed('t', 'c/1');
    // The same model answered before it: c/1 has answered meanwhile, so b/1 reads other words now.
    expect(engine.after(MINUTE).prompt('u').action).toMatchObject({ to: 'b/1' });
    const again = moved();
    again.fail('t', 'b/1', NOT_ISSUED);
    expect(again.after(SECOND).prompt('u')).toMatchObject({
      action: { to: 'c/1' },
      trace: [
        { model: 'a/1' },
        { model: 'b/1', verdict: 'skipped', code: 'chain.refused' },
        { model: 'c/1' },
        { model: 'd/1' },
      ],
    });
  });

  it('when one more message comes after that, then it still comes last, and a refusal of that message is remembered as well', () => {
    const engine = moved();
    engine.fail('t', 'b/1', NOT_ISSUED);
    engine.after(SECOND).prompt('u');
    expect(engine.fail('u', 'c/1', NOT_ISSUED).action).toMatchObject({ kind: 'switch', to: 'd/1' });
    expect(engine.after(SECOND).prompt('v')).toMatchObject({
      action: { to: 'd/1' },
      trace: [{ model: 'a/1' }, { code: 'chain.refused' }, { code: 'chain.refused' }, { model: 'd/1' }],
    });
  });

  it('when its session goes home to a lead that refuses what the other wrote, then the turn moves on all the same', () => {
    const engine = moved();
    engine.succeed('t', 'b/1');
    expect(engine.after(10 * MINUTE).prompt('u')).toMatchObject({ code: 'home.ready', action: { to: 'a/1' } });
    expect(engine.fail('u', 'a/1', NOT_ISSUED)).toMatchObject({ code: 'switch.refused', action: { to: 'b/1' } });
  });

  it('when a new session begins, then it is asked there as ever', () => {
    const engine = moved();
    engine.fail('t', 'b/1', NOT_ISSUED);
    expect(engine.prompt('n', { session: 'new' }).action).toMatchObject({ to: 'b/1' });
  });
});
