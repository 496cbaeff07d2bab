import { describe, expect, it } from 'vitest';
import { beginCall } from '../../../src/plugin/opencode2/request/calls';
import { answerOwn } from '../../../src/plugin/opencode2/request/own';
import { onRetry } from '../../../src/plugin/opencode2/request/retry';
import type { ModelRef } from '../../../src/plugin/opencode2/session/types';
import { asking, LEAD, nameOf, openInstance, refOf, SESSION, SPARE } from '../support/opencode2-instance';

const BODY = JSON.stringify({ messages: [{ role: 'user', content: 'Sum it up.' }] });

/** A summary is asked for; `texts` is what each model gives that is asked beside it, in order. */
async function summary(texts: readonly string[], { isOut = false, isTaken = false } = {}) {
  const asked: string[] = [];
  const generate = {
    text: async ({ model }: Readonly<{ model?: ModelRef }>) => {
      asked.push(model ? nameOf(model) : 'nobody');
      return { text: texts[asked.length - 1] ?? '' };
    },
  };
  const opened = openInstance({
    chain: [LEAD, SPARE, 'third/three'],
    context: { generate },
  });
  const { instance, session, brain } = opened;
  if (isOut) {
    await beginCall(instance, asking());
    const [attempt] = opened.events.flatMap((event) => (event.type === 'attempt.started' ? [event.attempt] : []));
    brain.tell({
      type: 'attempt.failed',
      attempt: attempt ?? '',
      evidence: { phase: 'headers', status: 401 },
      durationMs: 1,
    });
  }
  if (isTaken) brain.tell({ type: 'health.isolated', model: LEAD, actor: 'panel' });
  await beginCall(instance, asking('compaction'));
  const call = session.calls.get('compaction')!;
  let sent = 0;
  const request = new Request('https://lead.example/v1/chat/completions', { method: 'POST', body: BODY });
  const response = await answerOwn(instance, call, {
    request,
    ask: async () => {
      sent++;
      return { phase: 'headers', status: 429, message: 'Slow down' };
    },
  });
  return { ...opened, call, asked, sent, response, text: await response.text() };
}

const about = { sessionID: SESSION, agent: 'compaction', model: refOf(LEAD), attempt: 2 } as const;
const proposed = { retry: true, delay: 2_000 } as const;
const error = { type: 'provider.internal', message: 'x', status: 503 } as const;

describe('given a summary whose model fails', () => {
  it('when the next one gives a text, then that is the answer, and it is nobody’s failure any more', async () => {
    const { text, asked, sent, response, instance, events } = await summary(['THE SUM']);
    expect([response.status, asked, sent]).toEqual([200, [SPARE], 1]);
    expect(text).toContain('THE SUM');
    expect(events.filter(({ type }) => type === 'attempt.failed')).toHaveLength(1);
    // OpenCode has its answer; what it asks about now is another one.
    expect(await onRetry(instance, { ...about, error, decision: proposed })).toBeNull();
    expect(events.filter(({ type }) => type === 'attempt.failed')).toHaveLength(1);
  });

  it('when the next one is silent, then the one after it is asked', async () => {
    const { text, asked } = await summary(['', 'THE SUM']);
    expect(asked).toEqual([SPARE, 'third/three']);
    expect(text).toContain('THE SUM');
  });

  it('when nobody gives a text, then OpenCode gets the failure and is told not to ask again', async () => {
    const { response, call, instance } = await summary([]);
    expect([response.status, call.isHopeless]).toEqual([503, true]);
    expect(await onRetry(instance, { ...about, error, decision: proposed })).toEqual({ retry: false });
  });
});

describe('given a summary whose model is out', () => {
  it('when the next one gives a text, then the model is not asked, and its responses are still put in place', async () => {
    const { text, sent, instance, call, events } = await summary(['THE SUM'], { isOut: true });
    expect([sent, call.end]).toEqual([0, 'answered']);
    expect(text).toContain('THE SUM');
    expect(events.at(-1)).toMatchObject({ type: 'attempt.aborted', attempt: call.id });
    call.held = new Request('https://lead.example/');
    expect(await onRetry(instance, { ...about, error, decision: proposed })).toBeNull();
    expect(instance.replaced).not.toBe('refused');
  });
});

describe('given a summary whose model a person has taken out of use', () => {
  it('when another one gives a text, then that is the answer', async () => {
    const { text, asked, sent } = await summary(['THE SUM'], { isTaken: true });
    expect([asked, sent]).toEqual([[SPARE], 0]);
    expect(text).toContain('THE SUM');
  });

  it('when nobody does, then it is not asked all the same, the error says why, and OpenCode is told not to ask again', async () => {
    const { text, sent, response, instance } = await summary([], { isTaken: true });
    expect([sent, response.status]).toEqual([0, 400]);
    expect(text).toContain('is isolated by you, so no request is sent');
    expect(await onRetry(instance, { ...about, error, decision: proposed })).toEqual({ retry: false });
  });
});
