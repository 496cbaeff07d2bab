import { describe, expect, it } from 'vitest';
import { onEnded } from '../../../src/plugin/opencode2/message/rest';
import { onResponse } from '../../../src/plugin/opencode2/request/answer';
import { beginCall } from '../../../src/plugin/opencode2/request/calls';
import { onRetry } from '../../../src/plugin/opencode2/request/retry';
import type { RetryEvent } from '../../../src/plugin/opencode2/session/types';
import { asking, LEAD, openInstance, refOf, responded, SESSION, SPARE } from '../support/opencode2-instance';

const failed = (over: Partial<RetryEvent> = {}): RetryEvent => ({
  sessionID: SESSION,
  agent: 'build',
  model: refOf(LEAD),
  error: { type: 'provider.internal', message: 'Service unavailable', status: 503 },
  attempt: 2,
  decision: { retry: true, delay: 2_000 },
  ...over,
});
const TOO_LONG = { type: 'provider.invalid-request', message: 'maximum context length is 8192 tokens', status: 400 };
const DECLINED = { type: 'provider.content-filter', message: 'declined' };

describe('given a call of a turn that fails', () => {
  it('when no response came by, then OpenCode’s word is told, and the next model is asked at once', async () => {
    const { instance, host, events } = openInstance();
    await beginCall(instance, asking());
    expect(await onRetry(instance, failed())).toEqual({ retry: true, delay: 0 });
    expect(host.model).toEqual(refOf(SPARE));
    expect(events.filter(({ type }) => type === 'attempt.failed')).toHaveLength(1);
  });

  it('when its response came by, then the failure is told once, with what the response said', async () => {
    const { instance, events } = openInstance();
    await beginCall(instance, asking());
    await onResponse(instance, responded(new Response('{}', { status: 429, headers: { 'retry-after': '60' } })));
    expect(await onRetry(instance, failed())).toEqual({ retry: true, delay: 0 });
    const told = events.flatMap((event) => (event.type === 'attempt.failed' ? [event.evidence.status] : []));
    expect(told).toEqual([429]);
  });

  it('when it fails once more with the same word, then what OpenCode proposes stays', async () => {
    const { instance } = openInstance();
    await beginCall(instance, asking());
    await onRetry(instance, failed());
    expect(await onRetry(instance, failed())).toBeNull();
  });

  it.each([
    ['is too long for its model', TOO_LONG],
    ['is declined', DECLINED],
    ['is refused', { type: 'provider.invalid-request', message: 'no', status: 400 }],
  ])('when it %s, then nobody else is asked', async (_, error) => {
    const { instance, host } = openInstance();
    await beginCall(instance, asking());
    expect([await onRetry(instance, failed({ error })), host.set]).toEqual([null, []]);
  });

  it('when nobody is left, then it ends, and the user is told when the session rests', async () => {
    const { instance, host } = openInstance();
    await beginCall(instance, asking());
    await onRetry(instance, failed());
    await beginCall(instance, asking('primary', SPARE));
    expect(await onRetry(instance, failed({ model: refOf(SPARE) }))).toEqual({ retry: false });
    expect(host.said).toEqual([]);
    await onEnded(instance, SESSION, false);
    expect(host.said).toEqual([expect.stringMatching(/^Understudy: .*Your session is safe/)]);
  });

  it('when turns are not to be moved here, then it counts and nothing is touched', async () => {
    const { instance, host } = openInstance();
    instance.actuator.distrust();
    await beginCall(instance, asking());
    expect([await onRetry(instance, failed()), host.set]).toEqual([null, []]);
  });
});

describe('given a call of OpenCode’s own', () => {
  it.each(['title', 'compaction', 'generate'] as const)('when a %s fails, then nothing is moved', async (kind) => {
    const { instance, host, events } = openInstance();
    await beginCall(instance, asking(kind));
    expect([await onRetry(instance, failed({ agent: kind })), host.set]).toEqual([null, []]);
    expect(events.map(({ type }) => type)).toContain('attempt.failed');
  });

  it('when one fails beside a turn under the same name, then the turn is left where it is', async () => {
    const { instance, host } = openInstance();
    await beginCall(instance, asking());
    await beginCall(instance, { ...asking('title'), agent: 'build' });
    expect([await onRetry(instance, failed()), host.set]).toEqual([null, []]);
    const refusal = { ...responded(new Response('{}', { status: 503 }), 'title'), agent: 'build' };
    await onResponse(instance, refusal);
    expect([await onRetry(instance, failed()), host.set]).toEqual([null, []]);
  });

  it('when a turn fails beside one, then what its response said tells them apart', async () => {
    const { instance, host } = openInstance();
    await beginCall(instance, asking());
    await beginCall(instance, { ...asking('title'), agent: 'build' });
    await onResponse(instance, responded(new Response('{}', { status: 503 })));
    expect(await onRetry(instance, failed())).toEqual({ retry: true, delay: 0 });
    expect(host.model).toEqual(refOf(SPARE));
  });
});

describe('given a call nobody has seen', () => {
  it('when it fails, then OpenCode is left alone', async () => {
    const { instance, host } = openInstance();
    expect([await onRetry(instance, failed()), host.set]).toEqual([null, []]);
  });
});

describe('given a model that another session has found out', () => {
  const found = async (isProven: boolean) => {
    const opened = openInstance();
    if (isProven) opened.instance.actuator.prove();
    const other = { ...asking(), sessionID: 'ses_2' };
    await beginCall(opened.instance, other);
    await onResponse(opened.instance, { ...responded(new Response('{}', { status: 401 })), ...other });
    await beginCall(opened.instance, asking());
    return { ...opened, call: opened.session.calls.get('primary') };
  };

  it('when switches have been seen to hold, then it is not asked, and the turn goes on elsewhere', async () => {
    const { instance, host, call } = await found(true);
    expect(call?.isRefused).toBe(true);
    expect(await onRetry(instance, failed({ error: { type: 'provider.transport', message: 'refused' } }))).toEqual({
      retry: true,
      delay: 0,
    });
    expect(host.model).toEqual(refOf(SPARE));
  });

  it('when none has been seen yet, then it is asked, and left when it fails', async () => {
    const { instance, call } = await found(false);
    expect(call?.isRefused).toBe(false);
    await onResponse(instance, responded(new Response('{}', { status: 401 })));
    expect(await onRetry(instance, failed())).toEqual({ retry: true, delay: 0 });
  });

  it('when a person has taken it out, then it is not asked, whether a switch has been seen to hold or not', async () => {
    const { instance, brain, host, session } = openInstance();
    brain.tell({ type: 'health.isolated', model: LEAD, actor: 'panel' });
    await beginCall(instance, asking());
    expect([session.calls.get('primary')?.isRefused, instance.actuator.isProven()]).toEqual([true, false]);
    const error = { type: 'provider.transport', message: 'refused' };
    expect(await onRetry(instance, failed({ error }))).toEqual({ retry: true, delay: 0 });
    expect(host.model).toEqual(refOf(SPARE));
  });
});
