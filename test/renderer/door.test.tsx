import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Doorway, enter } from '../../src/renderer/app/door';
import { patiently } from '../support/eventually';
import { codesOf } from '../support/tab-codes';

const PORT = 4700;
const TAB = { id: 'i'.repeat(22), secret: 's'.repeat(43) };
const NONCE = 'p'.repeat(43);
const TICKET = await (await codesOf(TAB, PORT)).ticket(NONCE);

type Asked = Readonly<{ url: string; authorization: string | null; body: Record<string, string> | null }>;
type Respond = (asked: Asked) => Response | Promise<Response>;

/** A tab at an address, before a server that answers as it is told. */
function tab(address: string, respond: Respond, stored: unknown = null) {
  const storage = new Map(stored === null ? [] : [['understudy-session', JSON.stringify(stored)]]);
  const asked: Asked[] = [];
  const shown: string[] = [];
  const shut: string[] = [];
  const page: Doorway = {
    location: { href: address },
    history: { state: { at: 1 }, replaceState: (_state, _title, url) => void shown.push(String(url)) },
    fetch: (async (url: string | URL, init?: RequestInit) => {
      const authorization = new Headers(init?.headers).get('authorization');
      const one = { url: String(url), authorization, body: init?.body ? JSON.parse(String(init.body)) : null };
      asked.push(one);
      return respond(one);
    }) as typeof fetch,
    crypto: globalThis.crypto,
    storage: () =>
      ({
        getItem: (name: string) => storage.get(name) ?? null,
        setItem: (name: string, value: string) => void storage.set(name, value),
        removeItem: (name: string) => void storage.delete(name),
      }) as unknown as Storage,
    shut: (why) => void shut.push(why),
  };
  return { page, asked, shown, shut, storage };
}

/** The panel of the tab; `nonce` is that of its process. */
function panel(respond: Respond = () => Response.json({ ok: true }), nonce = NONCE, port = PORT): Respond {
  return async (asked) => {
    if (asked.url !== 'session') return respond(asked);
    const { token, nonce: tabNonce = '' } = asked.body ?? {};
    if (token !== undefined) return Response.json(TAB);
    return Response.json({ isKnown: true, nonce, proof: await (await codesOf(TAB, port)).proof(tabNonce, nonce) });
  };
}
const status = (code: number) => () => new Response('', { status: code });
const LATER = 'http://127.0.0.1:4700/';

async function inside(opened: ReturnType<typeof tab>) {
  const entry = await enter(opened.page);
  if (!entry.isIn) throw new Error(`not in: ${entry.why}`);
  return entry.parts;
}

afterEach(() => vi.restoreAllMocks());

describe('given a tab that is opened by an address with a token', () => {
  it('when it is let in, then the token leaves the address, the view stays, and the secret is not sent back', async () => {
    const opened = tab('http://127.0.0.1:4700/?t=abc#/chains', panel());
    const parts = await inside(opened);
    expect([opened.shown, JSON.parse(opened.storage.get('understudy-session') ?? '')]).toEqual([
      ['http://127.0.0.1:4700/#/chains'],
      TAB,
    ]);
    await parts.fetch('rpc/snapshot.get', { headers: { 'content-type': 'application/json' } });
    await parts.fetch('rpc/snapshot.get');
    expect(opened.asked).toEqual([
      { url: 'session', authorization: null, body: { token: 'abc' } },
      { url: 'session', authorization: null, body: { id: TAB.id, nonce: expect.stringMatching(/^[\w-]{43}$/) } },
      { url: 'rpc/snapshot.get', authorization: `Bearer ${TICKET}`, body: null },
      { url: 'rpc/snapshot.get', authorization: `Bearer ${TICKET}`, body: null },
    ]);
    expect(JSON.stringify(opened.asked)).not.toContain(TAB.secret);
  });

  it.each([
    [401, 'refused'],
    [503, 'full'],
  ])('when the server answers %i, then it says so', async (code, why) => {
    expect(await enter(tab('http://127.0.0.1:4700/?t=abc', status(code)).page)).toEqual({ isIn: false, why });
  });

  it('when nobody answers, or in a way nobody understands, then it says so', async () => {
    const silent = tab('http://127.0.0.1:4700/?t=abc', () => Promise.reject(new TypeError('Failed to fetch')));
    const odd = tab('http://127.0.0.1:4700/?t=abc', () => Response.json({ secret: 1 }));
    const shut = { isIn: false, why: 'unreachable' };
    expect([await enter(silent.page), await enter(odd.page)]).toEqual([shut, shut]);
  });

  it('when its address was good for one time and it is loaded again, then it goes on with what it was given', async () => {
    const again = tab('http://127.0.0.1:4700/?t=abc', status(401), TAB);
    expect((await enter(again.page)).isIn).toBe(true);
  });

  it('when the browser keeps nothing for it, then it works until it is loaded again', async () => {
    const { page } = tab('http://127.0.0.1:4700/?t=abc', panel());
    const storage = (): never => {
      throw new DOMException('denied', 'SecurityError');
    };
    expect((await enter({ ...page, storage })).isIn).toBe(true);
  });
});

describe('given a tab without a token', () => {
  it.each([
    ['its secret', TAB, { isIn: true }],
    ['nothing', null, { isIn: false, why: 'no-key' }],
    ['a secret of version 0.1.0', 's'.repeat(43), { isIn: false, why: 'no-key' }],
  ])('when it has stored %s, then it asks nobody, and is in or says what to open', async (_case, stored, entry) => {
    const opened = tab(LATER, panel(), stored);
    expect([await enter(opened.page), opened.asked]).toEqual([expect.objectContaining(entry), []]);
  });
});

describe('given a tab that is in', () => {
  it('when the panel is started anew, then it proves itself again, once, and the questions are answered', async () => {
    let nonce = NONCE;
    const answers: Respond = async ({ authorization }) => {
      const ticket = await (await codesOf(TAB, PORT)).ticket(nonce);
      return authorization === `Bearer ${ticket}` ? Response.json(1) : status(401)();
    };
    const opened = tab(LATER, (asked) => panel(answers, nonce)(asked), TAB);
    const parts = await inside(opened);
    await parts.fetch('rpc/one');
    nonce = 'q'.repeat(43);
    const replies = await Promise.all([parts.fetch('rpc/two'), parts.fetch('rpc/three')]);
    expect(replies.map((reply) => reply.status)).toEqual([200, 200]);
    expect([opened.shut, opened.asked.filter(({ url }) => url === 'session').length]).toEqual([[], 2]);
  });

  it.each<[string, Respond, string]>([
    ['does not know it', () => Response.json({ isKnown: false }), 'restarted'],
    ['is another program', status(404), 'foreign'],
    ['lets everybody in', () => Response.json({ ok: true }), 'foreign'],
    ['proves another secret', () => Response.json({ isKnown: true, nonce: NONCE, proof: 'x'.repeat(43) }), 'foreign'],
    ['passes the questions on to the panel at another port', panel(undefined, NONCE, PORT + 1), 'foreign'],
  ])('when the server %s, then it sends nothing, stores nothing and is shut', async (_case, respond, why) => {
    const opened = tab(LATER, respond, TAB);
    const parts = await inside(opened);
    void parts.fetch('rpc/one');
    await patiently(() => expect(opened.shut).toHaveLength(1));
    void parts.fetch('rpc/two');
    await Promise.resolve();
    expect([opened.shut, opened.storage.size]).toEqual([[why], 0]);
    expect(opened.asked).toEqual([
      { url: 'session', authorization: null, body: { id: TAB.id, nonce: expect.stringMatching(/^[\w-]{43}$/) } },
    ]);
  });

  it('when the panel is away or not ready, then the tab keeps its secret and asks again', async () => {
    let respond: Respond = () => Promise.reject(new TypeError('Failed to fetch'));
    const opened = tab(LATER, (asked) => respond(asked), TAB);
    const parts = await inside(opened);
    await expect(parts.fetch('rpc/one')).rejects.toThrow('Failed to fetch');
    respond = status(502);
    await expect(parts.fetch('rpc/one')).rejects.toThrow('502');
    respond = panel();
    expect([(await parts.fetch('rpc/one')).status, opened.shut, opened.storage.size]).toEqual([200, [], 1]);
  });

  it('when a question gets no answer, or its stream breaks, then nothing is sent before the next proof', async () => {
    let respond = panel();
    const opened = tab(LATER, (asked) => respond(asked), TAB);
    const parts = await inside(opened);
    await parts.fetch('rpc/one');
    respond = () => Promise.reject(new TypeError('Failed to fetch'));
    await expect(parts.fetch('rpc/two')).rejects.toThrow('Failed to fetch');
    respond = panel(() => new Response('retry: 100000\n\n', { headers: { 'content-type': 'text/event-stream' } }));
    const source = new parts.EventSource('events');
    await new Promise((broken) => source.addEventListener('error', broken, { once: true }));
    respond = status(404);
    opened.asked.splice(0);
    void parts.fetch('rpc/three');
    await patiently(() => expect(opened.shut).toEqual(['foreign']));
    source.close();
    expect(opened.asked.map(({ url, authorization }) => [url, authorization])).toEqual([['session', null]]);
  });

  it('when pushes come, then the panel has proved itself first', async () => {
    const stream = () =>
      new Response('event: snapshot\ndata: {"v":1}\n\n', { headers: { 'content-type': 'text/event-stream' } });
    const opened = tab('http://127.0.0.1:4700/#/now', panel(stream), TAB);
    const parts = await inside(opened);
    const source = new parts.EventSource('events');
    const heard: string[] = [];
    source.addEventListener('snapshot', (event) => heard.push((event as MessageEvent<string>).data));
    await patiently(() => expect(heard).toEqual(['{"v":1}']));
    source.close();
    expect(opened.asked.slice(0, 2).map(({ url, authorization }) => [url, authorization])).toEqual([
      ['session', null],
      ['http://127.0.0.1:4700/events', `Bearer ${TICKET}`],
    ]);
  });

  it('when its stream is answered with an error, then it is opened again', async () => {
    let streams = 0;
    const stream: Respond = () => {
      streams += 1;
      if (streams === 1) return new Response('', { status: 503 });
      return new Response('retry: 1\nevent: snapshot\ndata: 1\n\n', {
        headers: { 'content-type': 'text/event-stream' },
      });
    };
    const parts = await inside(tab(LATER, panel(stream), TAB));
    const source = new parts.EventSource('events');
    const heard: string[] = [];
    source.addEventListener('snapshot', (event) => heard.push((event as MessageEvent<string>).data));
    await patiently(() => expect(heard[0]).toBe('1'));
    source.close();
  });
});
