import { describe, expect, it } from 'vitest';
import { agentsIn, eventIn, isAsDocumented, modelsIn, sessionIn } from '../../../src/plugin/opencode2/session/border';

const model = { providerID: 'lead', id: 'one' };

describe('given what a host sends as an event', () => {
  it('when it is one that is listened to, then it is read, without what nobody asks for', () => {
    const data = { sessionID: 'ses_1', assistantMessageID: 'msg_1', agent: 'build', model, text: 'SECRET' };
    expect(eventIn({ id: 'evt_1', created: 1, type: 'session.step.started', data })).toEqual({
      type: 'session.step.started',
      data: { sessionID: 'ses_1', assistantMessageID: 'msg_1', agent: 'build', model },
    });
  });

  it.each([
    ['unknown', { type: 'session.text.delta', data: { sessionID: 'ses_1' } }],
    ['without its session', { type: 'session.deleted', data: {} }],
    ['of the older shape', { type: 'session.deleted', properties: { sessionID: 'ses_1' } }],
    ['no object', 'session.deleted'],
    ['nothing', undefined],
  ])('when it is %s, then it is ignored', (_, value) => {
    expect(eventIn(value)).toBeNull();
  });
});

describe('given what a hook is handed', () => {
  it.each([
    ['prompt', { sessionID: 's', messageID: 'm' }, true],
    ['prompt', { sessionID: 's' }, false],
    ['model.request', { sessionID: 's', agent: 'build', model, kind: 'primary' }, true],
    ['model.request', { sessionID: 's', agent: 'build', model: 'lead/one', kind: 'primary' }, false],
    ['http.response', { sessionID: 's', agent: 'build', model, kind: 'primary', response: {} }, false],
    ['retry', { sessionID: 's', agent: 'build', model, attempt: 2, error: {}, decision: { retry: true } }, false],
    ['unheard.of', { sessionID: 's' }, false],
  ])('when %s gets %j, then it is as documented: %s', (hook, event, expected) => {
    expect(isAsDocumented(hook, event)).toBe(expected);
  });
});

describe('given what a host lists', () => {
  it('when it stands in `data` or by itself, then it is read, and what is no entry is left out', () => {
    const list = [{ ...model, name: 'One' }, { id: 'without provider' }, null];
    expect([modelsIn(list), modelsIn({ data: list }), modelsIn('nothing')]).toEqual([[model], [model], []]);
    expect(agentsIn([{ id: 'build', model }, { id: 'plan' }])).toEqual([{ id: 'build', model }, { id: 'plan' }]);
  });

  it('when a session is asked for, then it is one, or none', () => {
    const info = { id: 'ses_1', agent: 'build', model };
    expect([sessionIn({ data: info }), sessionIn(info), sessionIn(null)]).toEqual([info, info, null]);
  });
});
