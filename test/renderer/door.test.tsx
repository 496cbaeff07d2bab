import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Doorway, enter } from '../../src/renderer/door';
import { patiently } from '../support/eventually';

const SECRET = 's'.repeat(43);

/** A tab at an address, before a server that answers as it is told. */
function tab(address: string, respond: (url: string) => Response | Promise<Response>, kept: string | null = null) {
  const stored = new Map(kept === null ? [] : [['understudy-session', kept]]);
  const asked: { url: string; authorization: string | null; body: unknown }[] = [];
  const shown: string[] = [];
  let reloads = 0;
  const page: Doorway = {
    location: { href: address, reload: () => void reloads++ },
    history: { state: { at: 1 }, replaceState: (_state, _title, url) => void shown.push(String(url)) },
    fetch: (async (url: string | URL, init?: RequestInit) => {
      const authorization = new Headers(init?.headers).get('authorization');
      asked.push({ url: String(url), authorization, body: init?.body ? JSON.parse(String(init.body)) : null });
      return respond(String(url));
    }) as typeof fetch,
    storage: () =>
      ({
        getItem: (name: string) => stored.get(name) ?? null,
        setItem: (name: string, value: string) => void stored.set(name, value),
        removeItem: (name: string) => void stored.delete(name),
      }) as unknown as Storage,
  };
  return { page, asked, shown, stored, reloads: () => reloads };
}

const letsIn = () => Response.json({ secret: SECRET });
const status = (code: number) => () => new Response('', { status: code });

afterEach(() => vi.restoreAllMocks());

describe('given a tab that is opened by an address with a token', () => {
  it('when it is let in, then the token leaves the address, the view stays, and questions carry the secret', async () => {
    const opened = tab('http://127.0.0.1:4700/?t=abc#/chains', letsIn);
    const entry = await enter(opened.page);
    expect([entry.isIn, opened.shown, opened.stored.get('understudy-session')]).toEqual([
      true,
      ['http://127.0.0.1:4700/#/chains'],
      SECRET,
    ]);
    if (entry.isIn) await entry.parts.fetch('rpc/snapshot.get', { headers: { 'content-type': 'application/json' } });
    expect(opened.asked).toEqual([
      { url: 'session', authorization: null, body: { token: 'abc' } },
      { url: 'rpc/snapshot.get', authorization: `Bearer ${SECRET}`, body: null },
    ]);
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
    const again = tab('http://127.0.0.1:4700/?t=abc', status(401), SECRET);
    expect((await enter(again.page)).isIn).toBe(true);
  });

  it('when the browser keeps nothing for it, then it works until it is loaded again', async () => {
    const { page } = tab('http://127.0.0.1:4700/?t=abc', letsIn);
    const storage = (): never => {
      throw new DOMException('denied', 'SecurityError');
    };
    expect((await enter({ ...page, storage })).isIn).toBe(true);
  });
});

describe('given a tab without a token', () => {
  it('when it has a secret, then it asks nobody and is in; else it says what to open', async () => {
    const known = tab('http://127.0.0.1:4700/', letsIn, SECRET);
    const stranger = tab('http://127.0.0.1:4700/', letsIn);
    expect([(await enter(known.page)).isIn, await enter(stranger.page)]).toEqual([
      true,
      { isIn: false, why: 'no-key' },
    ]);
    expect([known.asked, stranger.asked]).toEqual([[], []]);
  });
});

describe('given a tab that is in', () => {
  it('when the server knows its secret no more, then it forgets it and begins anew, once', async () => {
    const shut = tab('http://127.0.0.1:4700/', status(401), SECRET);
    const entry = await enter(shut.page);
    if (!entry.isIn) throw new Error('not in');
    await Promise.all([entry.parts.fetch('rpc/one'), entry.parts.fetch('rpc/two')]);
    expect([shut.stored.size, shut.reloads()]).toEqual([0, 1]);
  });

  it('when pushes come, then they were asked for with the secret, at the server of the page', async () => {
    const stream = () =>
      new Response('event: snapshot\ndata: {"v":1}\n\n', { headers: { 'content-type': 'text/event-stream' } });
    const opened = tab('http://127.0.0.1:4700/#/now', stream, SECRET);
    const entry = await enter(opened.page);
    if (!entry.isIn) throw new Error('not in');
    const source = new entry.parts.EventSource('events');
    const heard: string[] = [];
    source.addEventListener('snapshot', (event) => heard.push((event as MessageEvent<string>).data));
    await patiently(() => expect(heard).toEqual(['{"v":1}']));
    source.close();
    expect(opened.asked[0]).toMatchObject({
      url: 'http://127.0.0.1:4700/events',
      authorization: `Bearer ${SECRET}`,
    });
  });
});
