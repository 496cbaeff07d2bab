import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { refusedPort, type ScriptedStep } from '../../../../src/demo/scripted-provider';
import { standingOf } from '../../../../src/engine';
import { goOn } from '../../../../src/plugin/answer/terminator';
import { guardedFetch } from '../../../../src/plugin/opencode1/request/guard';
import {
  ask,
  bodyOf,
  CHAT_PATH,
  journalOf,
  openDouble,
  openProvider,
  play,
  realFetch,
  textIn,
} from '../../support/opencode-double';
import { retriedBy } from '../../support/retry-patterns';

const ANSWER: ScriptedStep = { kind: 'text', text: 'UNDERSTUDY ANSWERS' };
const LIMITED: ScriptedStep = { kind: 'status', status: 429 };
const EMPTY_TURN = goOn('chat', { isBegun: false, openBlock: null }, '');
const visible = (text: string): string => text.replaceAll('\u2060', '');

/** A provider whose lead does one thing and whose understudy answers. */
async function scripted(lead: ScriptedStep | readonly ScriptedStep[], spare: ScriptedStep = ANSWER) {
  const provider = await openProvider();
  provider.script('one', [lead].flat() as ScriptedStep[]);
  provider.script('two', [spare]);
  const counts = () => [provider.requests('one').length, provider.requests('two').length];
  return { provider, url: provider.url + CHAT_PATH, counts };
}

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('given a lead that answers 429', () => {
  it('when it is asked, then OpenCode gets an empty turn, and the message names the understudy in place', async () => {
    const { url, counts } = await scripted(LIMITED);
    const double = openDouble();
    double.submit();
    const response = await ask(double, { url });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/event-stream',
      EMPTY_TURN,
    ]);
    expect([counts(), double.model(), journalOf(double.brain)]).toEqual([
      [1, 0],
      'spare/two',
      ['attempt.started', 'attempt.failed', 'switch.carried'],
    ]);
    expect(double.user()).toEqual({
      id: 'msg_1',
      sessionID: 'ses_1',
      role: 'user',
      agent: 'build',
      model: { providerID: 'spare', modelID: 'two' },
      system: 'Be kind.',
      tools: { webfetch: false },
      time: { created: 1 },
    });
    expect(double.prompts).toEqual([
      {
        path: { id: 'ses_1' },
        body: {
          messageID: 'msg_1',
          noReply: true,
          agent: 'build',
          model: { providerID: 'lead', modelID: 'one' },
          parts: [],
        },
      },
    ]);
  });

  it.each([
    ['of an unknown version', '', '"name":"understudy_go_on"'],
    ['1.18.34', '1.18.34', '"type":"response.incomplete"'],
  ])('when the wire is responses and OpenCode is %s, then the empty turn holds %3$s', async (_, version, end) => {
    const { provider } = await scripted(LIMITED);
    const double = openDouble();
    double.control.opencode = version;
    double.submit();
    const response = await ask(double, { url: `${provider.url}/v1/responses` });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/event-stream',
      expect.stringContaining(end),
    ]);
  });

  it('when OpenCode refuses the re-point, then it gets the failure as it came, and nobody else is asked', async () => {
    const { url, counts } = await scripted(LIMITED);
    const double = openDouble();
    double.control.refusal = { name: 'BadRequest' };
    double.submit();
    const response = await ask(double, { url });
    expect([response.status, counts(), double.model()]).toEqual([429, [1, 0], 'lead/one']);
    expect(double.brain.since(0).at(-1)?.event).toMatchObject({ type: 'switch.carried', from: 'lead/one', ok: false });
  });
});

describe('given a lead that went out while the turn was elsewhere', () => {
  /** A turn that began before another session found its lead limited. */
  async function overtaken() {
    const { url, counts } = await scripted(LIMITED);
    const double = openDouble();
    double.submit();
    await ask(double, { url, over: { isInternal: true, agent: 'title' } });
    return { url, counts, double };
  }

  it('when its request is about to leave, then it is not sent and the understudy is next', async () => {
    const { url, counts, double } = await overtaken();
    const response = await ask(double, { url });
    expect([await response.text(), counts(), double.model()]).toEqual([EMPTY_TURN, [1, 0], 'spare/two']);
  });

  it('when OpenCode refuses the re-point then, then the turn ends with words that say so', async () => {
    const { url, counts, double } = await overtaken();
    double.control.refusal = { name: 'BadRequest' };
    const response = await ask(double, { url });
    const text = await response.text();
    expect([response.status, counts(), retriedBy(text)]).toEqual([400, [1, 0], null]);
    expect(visible(text)).toContain('OpenCode did not switch to the next model of this chain');
  });
});

describe('given every way a lead can fail before it speaks', () => {
  const steps: readonly (readonly [string, ScriptedStep])[] = [
    ['429', LIMITED],
    ['401', { kind: 'status', status: 401 }],
    ['402', { kind: 'status', status: 402 }],
    ['404', { kind: 'status', status: 404 }],
    ['500', { kind: 'status', status: 500 }],
    ['503', { kind: 'status', status: 503 }],
    ['529', { kind: 'status', status: 529 }],
    ['reset', { kind: 'reset' }],
    ['silence without headers', { kind: 'hang' }],
    ['silence after headers', { kind: 'hangAfterHeaders' }],
    ['an error as its only event', { kind: 'sseError', message: 'The model is overloaded' }],
    ['an empty body', { kind: 'emptyBody' }],
    ['an empty answer', { kind: 'emptyStop' }],
    ['a page', { kind: 'html' }],
    ['an error in a 200', { kind: 'jsonError' }],
  ];
  it.each(steps)('when it is %s, then the understudy finishes the turn and each was asked once', async (_, step) => {
    const { url, counts } = await scripted(step);
    const isSilent = step.kind === 'hang' || step.kind === 'hangAfterHeaders';
    const double = openDouble({ limits: { firstTokenTimeoutMs: isSilent ? 400 : 5_000 } });
    expect([await play(double, { url }), counts()]).toEqual([
      expect.objectContaining({ text: 'UNDERSTUDY ANSWERS', status: 200, steps: 2 }),
      [1, 1],
    ]);
  });

  it('when nobody listens at its port, then the turn moves on', async () => {
    const double = openDouble();
    double.submit();
    const response = await ask(double, { url: (await refusedPort()) + CHAT_PATH });
    expect([await response.text(), double.model()]).toEqual([EMPTY_TURN, 'spare/two']);
  });
});

describe('given a limit that ends within a moment', () => {
  const SOON: ScriptedStep = { kind: 'status', status: 429, headers: { 'retry-after-ms': '20' } };

  it('when it is over, then the same model answers and OpenCode saw one request', async () => {
    const { url, counts } = await scripted([SOON, { kind: 'text', text: 'LEAD ANSWERS' }]);
    const double = openDouble();
    expect([await play(double, { url }), counts(), journalOf(double.brain)]).toEqual([
      expect.objectContaining({ text: 'LEAD ANSWERS', steps: 1 }),
      [2, 0],
      ['attempt.started', 'attempt.failed', 'attempt.started', 'attempt.succeeded'],
    ]);
  });

  it('when it is limited again, then it was waited for once and the understudy answers', async () => {
    const { url, counts } = await scripted(SOON);
    const double = openDouble();
    expect([(await play(double, { url })).text, counts()]).toEqual(['UNDERSTUDY ANSWERS', [2, 1]]);
  });

  it('when the request’s body is a stream, then OpenCode’s next step asks the same model', async () => {
    const { url, counts } = await scripted(SOON);
    const double = openDouble();
    double.submit();
    const body = new Blob([bodyOf('lead/one')]).stream();
    const response = await ask(double, { url, init: { method: 'POST', body, duplex: 'half' } as RequestInit });
    expect([await response.text(), counts(), double.model(), double.prompts, double.turn().drops]).toEqual([
      EMPTY_TURN,
      [1, 0],
      'lead/one',
      [],
      [{ model: 'lead/one', isKept: false }],
    ]);
  });

  it('when the user stops the turn during the wait, then nobody is asked again', async () => {
    const { url, counts } = await scripted({ kind: 'status', status: 429, headers: { 'retry-after-ms': '4000' } });
    const double = openDouble();
    const user = new AbortController();
    double.submit();
    const held = new Promise<void>((resolve) => {
      double.brain.onEntry(({ event }) => event.type === 'attempt.failed' && resolve());
    });
    const pending = ask(double, { url, init: { method: 'POST', body: bodyOf('lead/one'), signal: user.signal } });
    await held;
    user.abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
    expect([counts(), double.prompts.length]).toEqual([[1, 0], 0]);
  });
});

describe('given a user who stops the turn', () => {
  const withSignal = (signal: AbortSignal): RequestInit => ({ method: 'POST', body: bodyOf('lead/one'), signal });

  it('when it was before the request left, then the stop surfaces and nothing switches', async () => {
    const { url, counts } = await scripted(LIMITED);
    const double = openDouble();
    double.submit();
    await expect(ask(double, { url, init: withSignal(AbortSignal.abort()) })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect([counts(), double.prompts.length, journalOf(double.brain)]).toEqual([
      [0, 0],
      0,
      ['attempt.started', 'attempt.aborted'],
    ]);
  });

  it('when the lead hangs, then the stop surfaces and nobody is blamed', async () => {
    const { url, provider, counts } = await scripted({ kind: 'hang' });
    const double = openDouble();
    const user = new AbortController();
    double.submit();
    const pending = ask(double, { url, init: withSignal(user.signal) });
    await provider.waitForRequest(({ model }) => model === 'one');
    user.abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
    expect([
      counts(),
      journalOf(double.brain),
      standingOf(double.brain.state(), 'lead/one', double.brain.now()).failures,
    ]).toEqual([[1, 0], ['attempt.started', 'attempt.aborted'], 0]);
  });

  it('when the re-point is under way, then the stop surfaces and the next step is never begun', async () => {
    const { url, counts } = await scripted(LIMITED);
    const double = openDouble();
    const user = new AbortController();
    double.submit();
    double.control.before = async () => user.abort();
    await expect(ask(double, { url, init: withSignal(user.signal) })).rejects.toMatchObject({ name: 'AbortError' });
    expect([counts(), double.turn().drops]).toEqual([[1, 0], []]);
  });

  it('when it is with a reason of its own, then that reason surfaces', async () => {
    const { url } = await scripted({ kind: 'hang' });
    const double = openDouble();
    double.submit();
    const reason = new Error('stopped by hand');
    await expect(ask(double, { url, init: withSignal(AbortSignal.abort(reason)) })).rejects.toBe(reason);
  });
});

/** As OpenCode's own classes name themselves. */
const named = (name: string): Error => Object.assign(new Error(`${name} after 30 ms`), { name });

describe('given a time limit of OpenCode’s own', () => {
  it.each([
    ['timeout', new DOMException('The operation timed out.', 'TimeoutError')],
    ['headerTimeout', named('ProviderHeaderTimeoutError')],
    ['chunkTimeout', named('ProviderResponseStreamError')],
  ])('when %s ends a request, then its model has timed out and the understudy is next', async (_, reason) => {
    const { url, provider, counts } = await scripted({ kind: 'hang' });
    const double = openDouble();
    const limit = new AbortController();
    double.submit();
    const pending = ask(double, { url, init: { method: 'POST', body: bodyOf('lead/one'), signal: limit.signal } });
    await provider.waitForRequest(({ model }) => model === 'one');
    limit.abort(reason);
    expect([await (await pending).text(), counts(), double.model()]).toEqual([EMPTY_TURN, [1, 0], 'spare/two']);
    const failed = double.brain.since(0).find(({ event }) => event.type === 'attempt.failed')?.event;
    expect(failed).toMatchObject({ evidence: { phase: 'watchdog', observed: 'timeout' } });
  });

  it('when it ends the request of an agent without an understudy, then OpenCode gets its own error back', async () => {
    const { url, provider } = await scripted({ kind: 'hang' });
    const double = openDouble({ chain: ['lead/one'] });
    const limit = new AbortController();
    double.submit();
    const pending = ask(double, { url, init: { method: 'POST', body: bodyOf('lead/one'), signal: limit.signal } });
    await provider.waitForRequest(({ model }) => model === 'one');
    const reason = named('ProviderHeaderTimeoutError');
    limit.abort(reason);
    await expect(pending).rejects.toBe(reason);
  });
});

describe('given a silence that is OpenCode’s business', () => {
  it('when no token came in time and nobody can stand in, then OpenCode’s own retry goes on', async () => {
    const { url } = await scripted({ kind: 'hang' });
    const double = openDouble({ chain: ['lead/one'], limits: { firstTokenTimeoutMs: 60 } });
    double.submit();
    const error = (await ask(double, { url }).catch((cause: unknown) => cause)) as Error;
    expect([error.message, retriedBy(error.message)]).toEqual([
      'The response timed out: no first token within 60 ms',
      expect.any(RegExp),
    ]);
  });
});

describe('given a chain with nobody left', () => {
  it('when the last one fails, then the turn ends with one calm sentence', async () => {
    const { url, counts } = await scripted({ ...LIMITED, headers: { 'retry-after': '90' } }, LIMITED);
    const double = openDouble();
    const { status, body, steps } = await play(double, { url });
    expect([status, steps, counts(), retriedBy(body)]).toEqual([400, 2, [1, 1], null]);
    expect(visible(body)).toMatch(
      /all models of this chain are unavailable \(one is rate limited; two is rate limited\)\. \w+ is back first, about \d\d:\d\d \(\w+ \w+\)\./,
    );
  });

  it('when the next message comes, then nobody is asked at all', async () => {
    const { url, counts } = await scripted(LIMITED, LIMITED);
    const double = openDouble();
    await play(double, { url });
    double.nextMessage('msg_2');
    const { status, steps } = await play(double, { url });
    expect([status, steps, counts()]).toEqual([400, 1, [1, 1]]);
  });

  it('when the configuration leaves the end to OpenCode, then it gets the provider’s own error', async () => {
    const { url } = await scripted(LIMITED, { kind: 'status', status: 503, body: 'down' });
    const double = openDouble({ scope: { onExhausted: 'native' } });
    expect(await play(double, { url })).toMatchObject({ status: 503, body: 'down' });
  });
});

describe('given failures that are the request’s own', () => {
  it('when it is refused as invalid, then OpenCode gets the same words and status, calm, and nothing switches', async () => {
    const body = { error: { message: 'max_tokens must be at most 65000', type: 'invalid_request_error' } };
    const { url, counts } = await scripted({ kind: 'status', status: 400, body });
    const double = openDouble();
    const played = await play(double, { url });
    expect([played.status, retriedBy(played.body), visible(played.body), counts()]).toEqual([
      400,
      null,
      JSON.stringify(body),
      [1, 0],
    ]);
  });

  it('when the context is too long, then OpenCode gets it byte by byte, and compacts', async () => {
    const body = { error: { message: 'maximum context length is 65000 tokens', code: 'context_length_exceeded' } };
    const { url, counts } = await scripted({ kind: 'status', status: 400, body });
    const played = await play(openDouble(), { url });
    expect([played.status, played.body, counts()]).toEqual([400, JSON.stringify(body), [1, 0]]);
  });
});

describe('given a body that is not a stream', () => {
  it('when a whole JSON answer was asked for, then it passes as it is and counts as a success', async () => {
    const url = await listen((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'r1' });
      response.end('{"choices":[{"message":{"content":"Hi"}}]}');
    });
    const double = openDouble();
    double.submit();
    const response = await ask(double, { url: url + CHAT_PATH, init: { method: 'POST', body: '{"model":"one"}' } });
    expect([response.headers.get('x-request-id'), await response.text(), journalOf(double.brain)]).toEqual([
      'r1',
      '{"choices":[{"message":{"content":"Hi"}}]}',
      ['attempt.started', 'attempt.succeeded'],
    ]);
  });

  it('when a google stream fails with a list of one error, then that error is read', async () => {
    const url = await listen((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('[{"error":{"code":429,"message":"Quota","status":"RESOURCE_EXHAUSTED"}}]');
    });
    const double = openDouble();
    double.submit();
    await ask(double, { url: `${url}/v1beta/models/one:streamGenerateContent` });
    const failed = double.brain.since(0).find(({ event }) => event.type === 'attempt.failed')?.event;
    expect(failed).toMatchObject({
      evidence: { status: 429, code: 'RESOURCE_EXHAUSTED', message: 'Quota' },
      decided: { kind: 'switch' },
    });
  });

  it.each([
    ['text/plain', 'data: '],
    ['application/json', 'event: message\ndata: '],
    ['application/octet-stream', ': hello\n\ndata: '],
    ['', '\n\r\ndata: '],
  ])(
    'when a stream calls itself %j, then its first bytes say what it is, and it is followed',
    async (type, opening) => {
      const text = `${opening}${JSON.stringify({ choices: [{ delta: { content: 'LEAD ANSWERS' } }] })}\n\n`;
      const stop = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\n`;
      const url = await listen((_, response) => {
        response.writeHead(200, type === '' ? {} : { 'content-type': type });
        for (const byte of text + stop) response.write(byte);
        response.end();
      });
      const double = openDouble();
      double.submit();
      const response = await ask(double, { url: url + CHAT_PATH });
      expect([response.headers.get('content-type'), await response.text()]).toEqual(['text/event-stream', text + stop]);
      expect(double.brain.since(0).at(-1)?.event).toMatchObject({ type: 'attempt.succeeded', outputChars: 12 });
    },
  );

  it('when it is no stream although it says nothing of itself, then the turn moves on', async () => {
    const url = await listen((_, response) => {
      response.writeHead(200);
      response.end('date: yesterday');
    });
    const double = openDouble();
    double.submit();
    const response = await ask(double, { url: url + CHAT_PATH });
    expect([await response.text(), double.model()]).toEqual([EMPTY_TURN, 'spare/two']);
  });

  it('when a body without a type begins and falls silent, then no token came in time', async () => {
    const url = await listen((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('da');
    });
    const double = openDouble({ limits: { firstTokenTimeoutMs: 60 } });
    double.submit();
    expect(await (await ask(double, { url: url + CHAT_PATH })).text()).toBe(EMPTY_TURN);
    const failed = double.brain.since(0).find(({ event }) => event.type === 'attempt.failed')?.event;
    expect(failed).toMatchObject({ evidence: { observed: 'timeout' } });
  });

  it('when a binary stream of an unread wire is answered, then it passes as it is', async () => {
    const url = await listen((_, response) => {
      response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
      response.end(Buffer.from([0, 1, 2, 255]));
    });
    const double = openDouble();
    double.submit();
    const response = await ask(double, { url, over: { npm: '@ai-sdk/amazon-bedrock' } });
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 1, 2, 255]);
  });
});

describe('given the header that names a request', () => {
  async function headersSeen(init: RequestInit): Promise<IncomingHttpHeaders> {
    let seen: IncomingHttpHeaders = {};
    const url = await listen((request, response) => {
      seen = request.headers;
      response.end('{}');
    });
    const double = openDouble();
    double.submit();
    await ask(double, { url: url + CHAT_PATH, init: { method: 'POST', body: '{}', ...init } });
    return seen;
  }

  it('when the request leaves, then it is gone and the others are there', async () => {
    const seen = await headersSeen({
      headers: { 'X-Understudy': '7', authorization: 'Bearer k', 'x-session-id': 's' },
    });
    expect([seen['x-understudy'], seen.authorization, seen['x-session-id']]).toEqual([undefined, 'Bearer k', 's']);
  });

  it('when the request is signed over all its headers, then it stays', async () => {
    const seen = await headersSeen({
      headers: { 'x-understudy': '7', authorization: 'AWS4-HMAC-SHA256 Credential=x' },
    });
    expect(seen['x-understudy']).toBe('7');
  });
});

describe('given a re-point that OpenCode has undone', () => {
  it('when the model that was left is asked again, then the provider is not, and the message is pointed again', async () => {
    const { url, counts } = await scripted(LIMITED);
    const double = openDouble();
    double.submit();
    await ask(double, { url });
    double.setModel('lead/one');
    const response = await ask(double, { url });
    expect([await response.text(), counts(), double.model(), double.turn().drops.length]).toEqual([
      EMPTY_TURN,
      [1, 0],
      'spare/two',
      2,
    ]);
  });

  it('when that happens nine times in a row, then the ninth ends the turn with one calm error', async () => {
    const { url, counts } = await scripted(LIMITED);
    const double = openDouble();
    double.submit();
    await ask(double, { url });
    const statuses: number[] = [];
    let last = '';
    for (let lost = 0; lost < 9; lost++) {
      double.setModel('lead/one');
      const response = await ask(double, { url });
      statuses.push(response.status);
      last = await response.text();
    }
    expect([statuses, counts(), retriedBy(last)]).toEqual([[...Array(8).fill(200), 400], [1, 0], null]);
    expect(visible(last)).toContain('OpenCode kept calling a model that this turn no longer uses');
  });

  it('when the understudy is asked in between, then the count begins anew', async () => {
    const { url } = await scripted(LIMITED);
    const double = openDouble();
    double.submit();
    await ask(double, { url });
    double.setModel('lead/one');
    await ask(double, { url });
    await (await ask(double, { url })).text();
    expect(double.turn().lost).toBe(0);
  });
});

describe('given requests that are OpenCode’s own', () => {
  const TITLE = { isInternal: true, agent: 'title' };

  it('when a title request is limited, then OpenCode gets that as it is, and the model cools for everybody', async () => {
    const { url, counts } = await scripted(LIMITED);
    const double = openDouble();
    double.submit();
    const response = await ask(double, { url, over: TITLE });
    expect([response.status, counts(), double.prompts.length, journalOf(double.brain)]).toEqual([
      429,
      [1, 0],
      0,
      ['attempt.started', 'attempt.failed'],
    ]);
    expect(standingOf(double.brain.state(), 'lead/one', double.brain.now()).state).toBe('cooling');
  });

  it('when its connection fails, then the throw reaches OpenCode and counts', async () => {
    const double = openDouble();
    double.submit();
    await expect(ask(double, { url: (await refusedPort()) + CHAT_PATH, over: TITLE })).rejects.toThrow('fetch failed');
    expect(journalOf(double.brain)).toEqual(['attempt.started', 'attempt.failed']);
  });

  it('when it succeeds, then that is told at the end of its answer, which is passed on', async () => {
    const { url } = await scripted({ kind: 'text', text: 'A title' });
    const double = openDouble();
    double.submit();
    const response = await ask(double, { url, over: TITLE });
    const before = journalOf(double.brain);
    expect([before, textIn(await response.text()), journalOf(double.brain)]).toEqual([
      ['attempt.started'],
      'A title',
      ['attempt.started', 'attempt.succeeded'],
    ]);
  });

  it.each<[string, ScriptedStep]>([
    ['is silent', { kind: 'hang' }],
    ['is silent after its headers', { kind: 'hangAfterHeaders' }],
    ['stops in the middle', { kind: 'stall', text: 'Half a' }],
    ['is cut', { kind: 'cut', text: 'Half a' }],
  ])(
    'when its answer %s, then its model has failed, OpenCode asks again by itself and nothing switches',
    async (_, step) => {
      const { url } = await scripted(step);
      const double = openDouble({ limits: { firstTokenTimeoutMs: 300, stallTimeoutMs: 300 } });
      double.submit();
      const error = (await ask(double, { url, over: TITLE })
        .then((response) => response.text())
        .catch((cause: unknown) => cause)) as Error;
      expect([retriedBy(error.message), journalOf(double.brain), double.prompts]).toEqual([
        expect.any(RegExp),
        ['attempt.started', 'attempt.failed'],
        [],
      ]);
    },
  );

  it('when the SDK repeats one by itself, then each is an attempt of its own', async () => {
    const { url } = await scripted([LIMITED, { kind: 'text', text: 'A title' }]);
    const double = openDouble();
    double.submit();
    const request = double.request(TITLE);
    for (let sent = 0; sent < 2; sent++) {
      await (
        await guardedFetch(request, realFetch, { input: url, init: { method: 'POST', body: bodyOf('one') } })
      ).text();
    }
    const ids = double.brain.since(0).flatMap(({ event }) => (event.type === 'attempt.started' ? [event.attempt] : []));
    expect([new Set(ids).size, journalOf(double.brain).at(-1)]).toEqual([2, 'attempt.succeeded']);
  });
});

describe('given evidence on its way to the app', () => {
  it('when an error repeats a key, then neither it nor prompts and answers are journalled', async () => {
    const key = 'sk-proj-abcdefghijklmnop1234';
    const body = { error: { message: `Incorrect API key provided: ${key}`, code: 'invalid_api_key' } };
    const { url } = await scripted({ kind: 'status', status: 401, body, headers: { 'set-cookie': 'session=SECRET' } });
    const double = openDouble();
    await play(double, { url, init: { method: 'POST', headers: { authorization: `Bearer ${key}` } } });
    const journal = JSON.stringify(double.brain.since(0));
    expect([key, 'SECRET', 'PROMPT WORDS', 'UNDERSTUDY ANSWERS'].filter((secret) => journal.includes(secret))).toEqual(
      [],
    );
    expect(journal).toContain('Incorrect API key provided');
  });
});
