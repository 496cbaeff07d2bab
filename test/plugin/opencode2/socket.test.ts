import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EngineEvent } from '../../../src/engine';
import { beginCall } from '../../../src/plugin/opencode2/request/calls';
import { onHandshake, onReceive, onSend } from '../../../src/plugin/opencode2/request/socket';
import { asking, openInstance } from '../support/opencode2-instance';

type Sent = Readonly<{ url: string; header: (name: string) => string | null }>;

const URL_OF = 'wss://lead.example/v1/responses';
const REQUEST = '{"type":"response.create","model":"one"}';
const WORD = JSON.stringify({ type: 'response.output_text.delta', delta: 'word' });
const DONE = JSON.stringify({ type: 'response.completed', response: { output: [] } });
const LIMITED = {
  ...{ type: 'error', status: 429, error: { type: 'usage_limit_reached', message: 'Spent', resets_in_seconds: 3_600 } },
  headers: { 'Retry-After': '3600', authorization: 'secret', 'x-codex-primary-used-percent': '100' },
};

/** A web socket as OpenCode's runtime has it. */
class PlayedSocket extends EventTarget {
  readonly heard: string[] = [];
  readonly sent: unknown[] = [];
  constructor() {
    super();
    this.addEventListener('message', (event) => void this.heard.push(String((event as MessageEvent).data)));
  }
  send(data: unknown): void {
    this.sent.push(data);
  }
}

beforeAll(() => vi.stubGlobal('WebSocket', PlayedSocket));
afterAll(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(globalThis, Symbol.for('understudy sockets'));
});

/** A call of the lead that has been sent over a socket, where the host sends it as it was given. */
async function sent({ isSeen = true } = {}) {
  const opened = openInstance({ limits: { firstTokenTimeoutMs: 40, stallTimeoutMs: 40 } });
  const { instance } = opened;
  await beginCall(instance, asking());
  const handshake = { ...asking(), url: URL_OF, headers: {} };
  await onHandshake(instance, handshake);
  onSend(instance, { ...asking(), frame: REQUEST });
  const socket = new PlayedSocket();
  if (isSeen) socket.send(REQUEST);
  const receive = async (frame: string): Promise<string> => {
    const event = { ...asking(), frame };
    await onReceive(instance, event);
    return event.frame;
  };
  const failures = () =>
    opened.events.filter(
      (event): event is Extract<EngineEvent, { type: 'attempt.failed' }> => event.type === 'attempt.failed',
    );
  return { ...opened, handshake, socket, receive, failures };
}

describe('given a request over a web socket', () => {
  it('when an error comes, then its status and its hints are read from the event, and nothing else of its headers', async () => {
    const { receive, failures } = await sent();
    const frame = await receive(JSON.stringify(LIMITED));
    expect(failures().map(({ evidence }) => evidence)).toEqual([
      expect.objectContaining({
        status: 429,
        code: 'usage_limit_reached',
        hintMs: 3_600_000,
        headers: { 'retry-after': '3600' },
      }),
    ]);
    expect(JSON.parse(frame)).toMatchObject({ type: 'error', status: 503, error: { message: 'Spent' } });
  });

  it('when its handshake names an account, then the provider is known to be asked by that one, however its headers are spelt', async () => {
    const { instance } = openInstance();
    const told: unknown[] = [];
    Object.assign(instance.companion, {
      noteAsked: (model: string, { url, header }: Sent) => told.push(model, url, header('authorization')),
    });
    await beginCall(instance, asking());
    await onHandshake(instance, { ...asking(), url: URL_OF, headers: { Authorization: 'Bearer secret' } });
    expect(told).toEqual(['lead/one', URL_OF.replace('wss', 'https'), 'Bearer secret']);
  });

  it('when it is sent, then what is sent is what OpenCode sends', async () => {
    expect((await sent()).socket.sent).toEqual([REQUEST]);
  });

  it('when words come and then its end, then it has answered, and not a letter is changed', async () => {
    const { receive, events, failures } = await sent();
    expect([await receive(WORD), await receive(WORD), await receive(DONE)]).toEqual([WORD, WORD, DONE]);
    expect([failures(), events.at(-1)]).toEqual([
      [],
      expect.objectContaining({ type: 'attempt.succeeded', outputChars: 8 }),
    ]);
  });

  it('when it ends without a word, then an error stands in the place of its end', async () => {
    const { receive, failures } = await sent();
    expect(JSON.parse(await receive(DONE))).toMatchObject({ type: 'error', status: 503 });
    expect(failures()[0]?.evidence.observed).toBe('empty_response');
  });

  it('when nothing comes for too long, then OpenCode reads an error over that socket, once', async () => {
    const { socket, failures } = await sent();
    await expect.poll(() => socket.heard.length).toBe(1);
    expect(JSON.parse(socket.heard[0] ?? '')).toMatchObject({
      ...{ type: 'error', status: 503 },
      error: { message: 'The response timed out: nothing for 40 ms' },
    });
    expect(failures().map(({ evidence }) => evidence.observed)).toEqual(['timeout']);
  });

  it.each(['websocket_connection_limit_reached', 'previous_response_not_found'])(
    'when OpenCode mends %s by itself, then nothing has failed, and what it sends anew is followed',
    async (code) => {
      const { instance, receive, failures } = await sent();
      const frame = JSON.stringify({ type: 'error', status: 400, error: { code, message: 'x' } });
      expect(await receive(frame)).toBe(frame);
      onSend(instance, { ...asking(), frame: REQUEST });
      await receive(WORD);
      await receive(DONE);
      expect(failures()).toEqual([]);
    },
  );

  it('when its socket is not seen, then the next request goes over HTTP', async () => {
    const { instance, handshake, receive } = await sent({ isSeen: false });
    await receive(WORD);
    expect(handshake.url).toBe(URL_OF);
    await beginCall(instance, asking());
    const next = { ...asking(), url: URL_OF, headers: {} };
    await onHandshake(instance, next);
    expect(next.url).toBe('understudy:http');
  });

  it('when a stop comes, then its silence is nobody’s business any more', async () => {
    vi.useFakeTimers();
    try {
      const { session, socket, failures } = await sent();
      session.calls.get('primary')?.gone.abort();
      await vi.advanceTimersByTimeAsync(1_000);
      expect([socket.heard, failures()]).toEqual([[], []]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('when its model is out, then it goes over HTTP, where it can be kept from leaving', async () => {
    const { instance, brain } = openInstance();
    instance.actuator.prove();
    brain.tell({ type: 'health.isolated', model: 'lead/one', actor: 'test' });
    await beginCall(instance, asking());
    const event = { ...asking(), url: URL_OF, headers: {} };
    await onHandshake(instance, event);
    expect(event.url).toBe('understudy:http');
  });
});
