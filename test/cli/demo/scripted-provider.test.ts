import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  refusedPort,
  type ScriptedProvider,
  type ScriptedStep,
  startScriptedProvider,
  toolCallThen,
} from '../../../src/demo/scripted-provider';

let provider: ScriptedProvider;

beforeEach(async () => {
  provider = await startScriptedProvider();
});

afterEach(() => provider.close());

function ask(body: unknown = { model: 'm' }, path = '/v1/chat/completions', signal?: AbortSignal): Promise<Response> {
  return fetch(`${provider.url}${path}`, { method: 'POST', body: JSON.stringify(body), ...(signal ? { signal } : {}) });
}

/** What a client sees of an answer: status, the text of its chat deltas, its finish reasons, or where it broke. */
async function observe(response: Response): Promise<unknown> {
  let received = '';
  let end = 'complete';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body as ReadableStream<Uint8Array>)
      received += decoder.decode(chunk, { stream: true });
  } catch {
    end = 'broken';
  }
  const text = [...received.matchAll(/"content":"([^"]*)"/g)].map((match) => match[1]).join('');
  const finish = [...received.matchAll(/"finish_reason":"([^"]*)"/g)].map((match) => match[1]);
  return { status: response.status, text, finish, end };
}

describe('given a model with a list of steps', () => {
  it('when it is asked three times, then the steps follow in order and the last one repeats', async () => {
    provider.script('m', [
      { kind: 'status', status: 429, headers: { 'retry-after': '7' } },
      { kind: 'text', text: 'well again' },
    ]);

    const first = await ask();
    const later = [await observe(await ask()), await observe(await ask())];

    expect({ status: first.status, retryAfter: first.headers.get('retry-after'), later }).toEqual({
      status: 429,
      retryAfter: '7',
      later: Array(2).fill({ status: 200, text: 'well again', finish: ['stop'], end: 'complete' }),
    });
  });

  it('when its answer is held back, then it comes once it is let go, and is noted from then on', async () => {
    let letGo = (): void => undefined;
    const until = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    provider.script('m', [{ kind: 'held', until, of: { kind: 'text', text: 'at last' } }]);
    const answer = ask().then(observe);
    const request = await provider.waitForRequest(({ model }) => model === 'm');
    expect(request.respondedAt).toBeNull();
    letGo();
    expect(await answer).toMatchObject({ text: 'at last', end: 'complete' });
    expect(request.respondedAt).not.toBeNull();
  });

  const outcomes: readonly (readonly [ScriptedStep, unknown])[] = [
    [
      { kind: 'cut', text: 'some words' },
      { status: 200, text: 'some words', finish: [], end: 'broken' },
    ],
    [
      { kind: 'noFinish', text: 'some words' },
      { status: 200, text: 'some words', finish: [], end: 'complete' },
    ],
    [
      { kind: 'length', text: 'some words' },
      { status: 200, text: 'some words', finish: ['length'], end: 'complete' },
    ],
    [
      { kind: 'cutCall', name: 'write', arguments: '{"half' },
      { status: 200, text: '', finish: [], end: 'broken' },
    ],
    [
      { kind: 'thinking', text: 'some thoughts' },
      { status: 200, text: '', finish: ['stop'], end: 'complete' },
    ],
    [
      { kind: 'sseError', message: 'odd', text: 'some words' },
      { status: 200, text: 'some words', finish: [], end: 'complete' },
    ],
    [
      { kind: 'torn', of: { kind: 'text', text: 'some words — entire' } },
      { status: 200, text: 'some words — entire', finish: ['stop'], end: 'complete' },
    ],
    [{ kind: 'emptyBody' }, { status: 200, text: '', finish: [], end: 'complete' }],
    [{ kind: 'emptyStop' }, { status: 200, text: '', finish: ['stop'], end: 'complete' }],
    [{ kind: 'html' }, { status: 200, text: '', finish: [], end: 'complete' }],
    [{ kind: 'jsonError' }, { status: 200, text: '', finish: [], end: 'complete' }],
    [
      { kind: 'sseError', message: 'odd' },
      { status: 200, text: '', finish: [], end: 'complete' },
    ],
  ];
  for (const [step, outcome] of outcomes) {
    it(`when the step is ${step.kind}, then the client sees just that`, async () => {
      provider.script('m', [step]);

      expect(await observe(await ask())).toEqual(outcome);
    });
  }

  it('when a cut that waits for a minute is released, then it happens at once', async () => {
    provider.script('m', [{ kind: 'cut', text: 'some words', afterMs: 60_000 }]);
    const response = await ask();

    provider.release('m');

    expect(await observe(response)).toMatchObject({ text: 'some words', end: 'broken' });
  });

  it('when the step is a reset, then the client gets no answer at all', async () => {
    provider.script('m', [{ kind: 'reset' }]);

    await expect(ask()).rejects.toThrow('fetch failed');
    expect(provider.requests('m')).toMatchObject([{ aborted: false }]);
  });

  it('when a hanging request is given up by its client, then it is recorded as aborted and never answered', async () => {
    provider.script('m', [{ kind: 'hang' }]);
    const giveUp = new AbortController();
    const asked = ask({ model: 'm' }, '/v1/chat/completions', giveUp.signal).catch(() => 'gave up');
    await provider.waitForRequest(({ model }) => model === 'm');

    giveUp.abort();

    expect(await provider.waitForRequest(({ aborted }) => aborted)).toMatchObject({ model: 'm', respondedAt: null });
    expect(await asked).toBe('gave up');
  });
});

describe('given requests over each wire', () => {
  it('when they arrive, then wire, model, path, body and lower-case headers are recorded', async () => {
    const paths = [
      ['/a/v1/chat/completions', 'm'],
      ['/b/v1/messages', 'm'],
      ['/c/v1/responses', 'm'],
      ['/d/v1beta/models/g:streamGenerateContent?alt=sse', undefined],
      ['/e/api/v1/chat/completions', 'm'],
    ] as const;
    for (const [path, model] of paths) await ask({ model }, path);

    expect(provider.requests().map(({ wire, model, path }) => ({ wire, model, path }))).toEqual([
      { wire: 'openai-compatible', model: 'm', path: paths[0][0] },
      { wire: 'anthropic', model: 'm', path: paths[1][0] },
      { wire: 'openai-responses', model: 'm', path: paths[2][0] },
      { wire: 'google', model: 'g', path: paths[3][0] },
      { wire: 'openrouter', model: 'm', path: paths[4][0] },
    ]);
    expect(provider.requests()[0]).toMatchObject({
      body: { model: 'm' },
      headers: { 'content-type': expect.stringContaining('text/plain') },
    });
  });
});

describe('given a sealed answer', () => {
  it.each([
    ['/v1/chat/completions', { reasoning_opaque: 'S-opaque' }, '"thought_signature":"S-call"'],
    ['/v1/messages', { type: 'signature_delta', signature: 'S' }, '"type":"content_block_stop","index":3'],
    ['/v1/responses', { encrypted_content: 'S' }, '"output_index":2'],
    ['/v1beta/models/m:streamGenerateContent', { text: 'HM', thought: true }, '"thoughtSignature":"S-call"'],
    ['/api/v1/chat/completions', { reasoning_opaque: 'S-opaque' }, '"signature":"S"'],
  ])('when it comes over %s, then its thoughts and its call carry the seal of that wire', async (path, seal, call) => {
    const step = { kind: 'sealed', seal: 'S', thinking: 'HM', text: 'I look.' } as const;
    provider.script('m', [{ ...step, call: { name: 'read', arguments: {} } }]);
    const text = await (await ask({ model: 'm' }, path)).text();
    for (const part of [JSON.stringify(seal).slice(1, -1), call]) expect(text).toContain(part);
  });
});

describe('given a model that calls a tool first', () => {
  it('when the conversation holds a tool result, then it answers with text', async () => {
    provider.script('m', toolCallThen('write', { path: 'x' }, { kind: 'text', text: 'done' }));

    const call = await observe(await ask({ model: 'm', messages: [{ role: 'user', content: 'go' }] }));
    const text = await observe(await ask({ model: 'm', messages: [{ role: 'tool', content: 'ok' }] }));

    expect([call, text]).toMatchObject([{ finish: ['tool_calls'] }, { text: 'done', finish: ['stop'] }]);
  });
});

describe('given a model without a script', () => {
  it('when it is asked, then the answer is a 404 that names it', async () => {
    const response = await ask({ model: 'nobody' });

    expect({ status: response.status, body: await response.text() }).toEqual({
      status: 404,
      body: expect.stringContaining('nobody'),
    });
  });
});

describe('given a refused port', () => {
  it('when it is asked, then the connection is refused', async () => {
    const error = await fetch(await refusedPort()).catch((reason: Error) => reason.cause);

    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });
});
