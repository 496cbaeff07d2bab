import { describe, expect, it } from 'vitest';
import { onResponse } from '../../../src/plugin/opencode2/request/answer';
import { beginCall } from '../../../src/plugin/opencode2/request/calls';
import type { HttpResponseEvent } from '../../../src/plugin/opencode2/session/types';
import { asking, type InstanceOptions, openInstance, responded } from '../support/opencode2-instance';

const WORD = 'data: {"choices":[{"delta":{"content":"Grüße 🌍"}}]}\n\n';
const THOUGHT = 'data: {"choices":[{"delta":{"reasoning_content":"hm"}}]}\n\n';
const FINISH = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const FAULT = 'data: {"error":{"message":"The server is overloaded.","code":"overloaded"}}\n\n';
const TOO_LONG =
  'data: {"error":{"message":"maximum context length is 8192 tokens","code":"context_length_exceeded"}}\n\n';

/** A stream of these bytes in pieces of `size`, counting how many were asked for; null at the end never ends it. */
function streamOf(text: string, { size = 7, isEndless = false } = {}) {
  const bytes = new TextEncoder().encode(text);
  const state = { pulled: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const at = state.pulled * size;
        if (at >= bytes.length) return isEndless ? new Promise(() => undefined) : controller.close();
        state.pulled++;
        controller.enqueue(bytes.slice(at, at + size));
      },
      cancel() {
        state.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { 'content-type': 'text/event-stream', 'x-kept': 'yes', 'content-length': String(bytes.length) };
  return { response: new Response(body, { headers }), state, bytes };
}

async function respond(event: HttpResponseEvent, options: InstanceOptions = {}) {
  const opened = openInstance(options);
  await beginCall(opened.instance, event);
  await onResponse(opened.instance, event);
  const call = opened.session.calls.get(event.kind);
  return { ...opened, call, ends: () => opened.events.map(({ type }) => type).filter((type) => /^attempt/.test(type)) };
}

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

describe('given an answer in which nothing is wrong', () => {
  it.each([1, 5, 4_096])('when it comes in pieces of %i bytes, then OpenCode gets the same bytes', async (size) => {
    const { response, bytes } = streamOf(THOUGHT + WORD + FINISH, { size });
    const event = responded(response);
    const { ends } = await respond(event);
    expect(await bytesOf(event.response)).toEqual(bytes);
    expect([event.response.status, event.response.headers.get('x-kept')]).toEqual([200, 'yes']);
    expect(ends()).toEqual(['attempt.started', 'attempt.succeeded']);
  });

  it('when a second one comes, then it is not copied, and read no faster than OpenCode reads', async () => {
    const { instance } = openInstance();
    for (const isSecond of [false, true]) {
      const { response, state, bytes } = streamOf(WORD.repeat(20) + FINISH, { size: WORD.length });
      const event = responded(response);
      await beginCall(instance, event);
      await onResponse(instance, event);
      const reader = event.response.body?.getReader();
      await reader?.read();
      if (isSecond) expect(state.pulled).toBeLessThan(5);
      let rest = await reader?.read();
      while (rest && !rest.done) rest = await reader?.read();
      expect([state.pulled * WORD.length >= bytes.length, instance.replaced]).toEqual([true, 'read']);
    }
  });

  it('when OpenCode stops reading before its end, then the provider is let go and nobody has failed', async () => {
    const { response, state } = streamOf(WORD.repeat(50));
    const event = responded(response);
    const { ends } = await respond(event);
    const reader = event.response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await expect.poll(() => state.isCancelled).toBe(true);
    expect(ends()).toEqual(['attempt.started', 'attempt.aborted']);
  });
});

describe('given a refusal', () => {
  it('when it comes, then its status, its hints and its words are told, and OpenCode gets it untouched', async () => {
    const body = { error: { message: 'Slow down, sk-abcdefghijklmnopqrstuvwxyz0123', code: 'rate_limit_exceeded' } };
    const response = Response.json(body, { status: 429, headers: { 'retry-after': '60', 'x-other': 'a' } });
    const event = responded(response);
    const { events, call } = await respond(event);
    const failed = events.find((each) => each.type === 'attempt.failed');
    expect(failed).toMatchObject({ evidence: { status: 429, headers: { 'retry-after': '60' } } });
    expect(JSON.stringify(failed)).not.toMatch(/abcdefghijkl|x-other/);
    expect(call?.decision?.action).toMatchObject({ kind: 'switch', to: 'spare/two' });
    expect([event.response === response, await event.response.json()]).toEqual([true, body]);
  });

  it('when it is an error that calls itself well, then it is a failure all the same', async () => {
    const event = responded(Response.json({ error: { message: 'overloaded', code: 'overloaded' } }));
    expect((await respond(event)).call?.end).toBe('failed');
  });
});

describe('given a stream that brings no answer', () => {
  it.each([
    ['is silent', '', { isEndless: true }, { limits: { firstTokenTimeoutMs: 30 } }],
    ['only says that it is there', ': ping\n\n', { isEndless: true }, { limits: { firstTokenTimeoutMs: 30 } }],
    ['ends at once', '', {}, {}],
    ['stops without a word', FINISH, {}, {}],
    ['brings an error', FAULT, {}, {}],
  ])('when it %s, then OpenCode gets an error it asks about', async (_, text, how, options) => {
    const event = responded(streamOf(text, how).response);
    const { call } = await respond(event, options);
    expect([event.response.status, call?.decision?.action.kind]).toEqual([503, 'switch']);
    expect(await event.response.json()).toMatchObject({ error: { type: 'service_unavailable' } });
  });

  it.each([
    ['a conversation that is too long', TOO_LONG, {}],
    ['a failure nobody can stand in for', FAULT, { chain: ['lead/one'] }],
  ])('when it is %s, then OpenCode gets it as it came', async (_, text, options) => {
    const { response, bytes } = streamOf(text);
    const event = responded(response);
    const { call } = await respond(event, options);
    expect([event.response.status, await bytesOf(event.response)]).toEqual([200, bytes]);
    expect(call?.end).toBe('failed');
  });

  it('when it only thinks and then stops, then the connection breaks before the finish', async () => {
    const event = responded(streamOf(THOUGHT + FINISH, { size: THOUGHT.length }).response);
    const { call } = await respond(event);
    await expect(event.response.text()).rejects.toThrow(/empty/);
    expect(call?.decision?.action.kind).toBe('switch');
  });

  it('when it stalls between two words, then the connection breaks', async () => {
    const event = responded(streamOf(WORD, { isEndless: true }).response);
    const { call } = await respond(event, { limits: { stallTimeoutMs: 30 } });
    await expect(event.response.text()).rejects.toThrow(/timed out/);
    expect(call?.decision?.action.kind).toBe('switch');
  });
});

describe('given an error among the words of an answer', () => {
  it.each([
    ['somebody else can speak, then the connection breaks, which OpenCode asks about', {}, /overloaded/],
    ['nobody else can, then OpenCode reads the error itself', { chain: ['lead/one'] }, null],
  ])('when %s', async (_, options, broken) => {
    const { response, bytes } = streamOf(WORD + FAULT, { size: WORD.length });
    const event = responded(response);
    const { call } = await respond(event, options);
    if (broken) await expect(event.response.text()).rejects.toThrow(broken);
    else expect(await bytesOf(event.response)).toEqual(bytes);
    expect(call?.end).toBe('failed');
  });
});

describe('given what OpenCode asks for itself', () => {
  it.each(['title', 'compaction', 'generate'] as const)(
    'when a %s comes to nothing, then it counts for its model and the bytes stay as they are',
    async (kind) => {
      const { response, bytes } = streamOf(FINISH);
      const event = responded(response, kind);
      const { call } = await respond(event);
      expect(await bytesOf(event.response)).toEqual(bytes);
      expect([call?.end, call?.decision]).toEqual(['failed', null]);
    },
  );
});

describe('given a host that does not let a response be replaced', () => {
  it('when it cannot be set, then the response is whole, and the next one is not looked into', async () => {
    const { response, bytes } = streamOf(WORD + FINISH);
    const event = Object.defineProperty(responded(response), 'response', { get: () => response });
    const { instance } = await respond(event);
    expect([await bytesOf(response), instance.replaced]).toEqual([bytes, 'refused']);
    const next = streamOf(WORD + FINISH);
    const second = responded(next.response);
    await beginCall(instance, asking());
    await onResponse(instance, second);
    expect([second.response === next.response, next.state.pulled]).toEqual([true, 0]);
  });
});
