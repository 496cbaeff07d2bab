import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NoticePush } from '../../src/contract/notices';
import type { Snapshot } from '../../src/contract/snapshot';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import type { StoredTab } from '../../src/panel/stored-tabs';
import { admittedBy, type EventReader, openEvents, send, tabBy, ticketOf } from '../support/panel-client';
import { type FakeHost, fakeHost } from '../support/panel-host';
import { agentRow, snapshotOf } from '../support/rows';
import { noticeRow } from '../support/sample-notices';
import { codesOf, type TabSecret } from '../support/tab-codes';

const SECRET = 'outside the panel';
const first = snapshotOf([agentRow()]);

let folder: string;
let host: FakeHost;
let server: PanelServer;
let port: number;
let token: string;
let tab: TabSecret;
let local: Record<string, string>;
let admitted: Record<string, string>;
const readers: EventReader[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'understudy-panel-'));
  const rendererRoot = join(folder, 'renderer');
  await mkdir(join(rendererRoot, 'assets'), { recursive: true });
  await writeFile(join(rendererRoot, 'index.html'), '<!doctype html>panel');
  await writeFile(join(rendererRoot, 'assets', 'index-1.js'), 'export {};');
  await writeFile(join(folder, 'secret.txt'), SECRET);
  host = fakeHost(first);
  await start(rendererRoot);
});

afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close();
  await server.close();
  await rm(folder, { recursive: true });
});

async function start(rendererRoot: string, timing: { pushIntervalMs?: number; heartbeatMs?: number } = {}) {
  server = await startPanelServer({ host, rendererRoot, port: 0, ...timing });
  const url = new URL(server.url);
  port = Number(url.port);
  token = url.searchParams.get('t') ?? '';
  local = { host: `127.0.0.1:${port}` };
  tab = await tabBy(server.url);
  admitted = { ...local, authorization: `Bearer ${await ticketOf(tab, port)}` };
}

async function restart(timing: { pushIntervalMs?: number; heartbeatMs?: number }) {
  await server.close();
  await start(join(folder, 'renderer'), timing);
}

async function events(headers: Record<string, string> = admitted): Promise<EventReader> {
  const reader = await openEvents(port, headers);
  readers.push(reader);
  return reader;
}

/** A tab that shows a token, or whatever body. */
const enter = (offered: string, body = JSON.stringify({ token: offered })) =>
  send(port, '/session', { method: 'POST', headers: { ...local, 'content-type': 'application/json' }, body });

const ask = (name: string, body: string, headers: Record<string, string> = {}) =>
  send(port, `/rpc/${name}`, {
    method: 'POST',
    headers: { ...admitted, 'content-type': 'application/json', ...headers },
    body,
  });

describe('given a panel server on loopback', () => {
  it('when its address is read, then it names 127.0.0.1 and carries 256 bits of token', () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?t=[\w-]{43}$/);
  });

  it('when a tab shows the token, then it is given a secret of its own, and no cookie is ever set', async () => {
    const replies = [await enter(token), await enter(token), await send(port, `/?t=${token}`, { headers: local })];
    const secrets = replies.slice(0, 2).map(({ body }) => (JSON.parse(body) as { secret: string }).secret);
    expect(replies.map(({ status, headers }) => [status, headers['set-cookie']])).toEqual(
      Array(3).fill([200, undefined]),
    );
    expect([new Set([...secrets, token]).size, secrets.every((secret) => /^[\w-]{43}$/.test(secret))]).toEqual([
      3,
      true,
    ]);
  });

  it('when the page is asked for, then it comes to anybody, with a policy without any unsafe source', async () => {
    const reply = await send(port, '/', { headers: local });
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 200, body: '<!doctype html>panel' });
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it.each([
    ['no secret', () => ({})],
    ['a wrong secret', () => ({ authorization: `Bearer ${'x'.repeat(43)}` })],
    ['the secret that is never sent', () => ({ authorization: `Bearer ${tab.secret}` })],
    ['the token itself', () => ({ authorization: `Bearer ${token}` })],
    ['the secret in a cookie', () => ({ cookie: `understudy-${port}=${admitted.authorization?.slice(7)}` })],
    ['half of the secret', () => ({ authorization: admitted.authorization?.slice(0, 28) ?? '' })],
    ['the secret without its scheme', () => ({ authorization: admitted.authorization?.slice(7) ?? '' })],
  ])('when a question comes with %s, then it is refused with 401', async (_case, headers) => {
    for (const [path, method] of [
      ['/rpc/snapshot.get', 'POST'],
      ['/rpc/nothing', 'GET'],
      // Last: a stream that is let in never ends.
      ['/events', 'GET'],
    ] as const) {
      const reply = await send(port, path, { method, headers: { ...local, ...headers() } });
      expect([path, reply.status]).toEqual([path, 401]);
    }
  });

  it.each([
    ['another token', () => JSON.stringify({ token: 'x'.repeat(43) }), 401],
    ['half of it', () => JSON.stringify({ token: token.slice(0, 20) }), 401],
    ['an empty one', () => '{"token":""}', 400],
    ['a number', () => '{"token":1}', 400],
    ['a list', () => '[]', 400],
    ['an id of another shape', () => JSON.stringify({ id: 'x', nonce: 'n'.repeat(43) }), 400],
    ['its id without a nonce', () => JSON.stringify({ id: tab.id }), 400],
    ['no JSON', () => token, 400],
  ])('when a tab shows %s, then it is not let in', async (_case, body, status) => {
    expect((await enter('', body())).status).toBe(status);
  });

  it('when a form of another page posts the token, then it is not read', async () => {
    const headers = { ...local, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await send(port, '/session', { method: 'POST', headers, body: `token=${token}` })).status).toBe(415);
    expect((await send(port, '/session', { headers: local })).status).toBe(405);
  });

  it('when an address for a command line is shown twice, then it lets in once', async () => {
    const once = new URL(server.onceUrl()).searchParams.get('t') ?? '';
    const replies = [await enter(once), await enter(once)];
    expect(replies.map((reply) => reply.status)).toEqual([200, 401]);
    expect(once).not.toBe(token);
  });

  it('when a 17th tab comes, then it takes the place of the one that was heard of longest ago', async () => {
    const tabs = [admitted];
    for (let count = 1; count < 16; count += 1) tabs.push(await admittedBy(server.url));
    const isKnown = async (headers: Record<string, string>) =>
      (await send(port, '/rpc/snapshot.get', { method: 'POST', headers })).status !== 401;
    expect(await isKnown(tabs[0] ?? {})).toBe(true);
    tabs.push(await admittedBy(server.url));
    const known = [];
    for (const tab of tabs) known.push(await isKnown(tab));
    expect(known).toEqual(tabs.map((_, at) => at !== 1));
  });

  it('when 16 tabs listen, then a 17th is refused until one leaves', async () => {
    const first = await events();
    for (let count = 1; count < 16; count += 1) await events(await admittedBy(server.url));
    expect((await enter(token)).status).toBe(503);
    first.close();
    await expect.poll(async () => (await enter(token)).status).toBe(200);
  });

  it.each([
    ['a foreign Host', () => ({ host: `rebound.example:${port}` })],
    ['a Host with another port', () => ({ host: `127.0.0.1:${port + 1}` })],
    ['a Host that only begins like ours', () => ({ host: `localhost.example:${port}` })],
    ['a foreign Origin', () => ({ origin: 'https://evil.example' })],
    ['the Origin of another port', () => ({ origin: `http://127.0.0.1:${port + 1}` })],
    ['Origin: null', () => ({ origin: 'null' })],
    ['Sec-Fetch-Site: cross-site', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['Sec-Fetch-Site: same-site', () => ({ 'sec-fetch-site': 'same-site' })],
  ])('when a request with the secret and the token has %s, then it answers 403', async (_case, headers) => {
    for (const path of ['/', `/?t=${token}`, '/events', '/session', '/rpc/snapshot.get']) {
      const reply = await send(port, path, { headers: { ...admitted, ...headers() } });
      expect([path, reply.status]).toEqual([path, 403]);
    }
  });

  it('when our own page asks by the address, then it is served', async () => {
    const own = { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' };
    expect((await send(port, '/', { headers: { ...admitted, ...own } })).status).toBe(200);
  });

  it.each(['localhost', '[::1]'])(
    'when somebody asks by the name %s, then a page is sent to the address, and nothing else is answered',
    async (name) => {
      const host = `${name}:${port}`;
      const page = await send(port, `/assets/index-1.js?t=${token}`, { headers: { host } });
      expect([page.status, page.headers.location]).toEqual([
        302,
        `http://127.0.0.1:${port}/assets/index-1.js?t=${token}`,
      ]);
      const headers = { ...admitted, host, origin: `http://${host}`, 'content-type': 'application/json' };
      const refused = [
        await send(port, '/events', { headers }),
        await send(port, '/session', { method: 'POST', headers, body: JSON.stringify({ token }) }),
        await send(port, '/rpc/snapshot.get', { method: 'POST', headers, body: '{"input":null}' }),
      ];
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
    },
  );

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e%2fsecret.txt',
    '/..%5csecret.txt',
    '/assets/../../secret.txt',
    '/assets/%252e%252e/%252e%252e/secret.txt',
    '/%00',
    '/%',
    '//127.0.0.1/secret.txt',
    'http://127.0.0.1/secret.txt',
    '/assets',
    '/assets/',
  ])('when %s is asked for, then it answers 404', async (path) => {
    const reply = await send(port, path, { headers: admitted });
    expect([reply.status, reply.body.includes(SECRET)]).toEqual([404, false]);
  });

  it('when files are asked for with other methods, then only GET and HEAD are served', async () => {
    const replies = await Promise.all(
      ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'].map((method) =>
        send(port, '/assets/index-1.js', { method, headers: admitted }),
      ),
    );
    expect(replies.map((reply) => [reply.status, reply.body])).toEqual([
      [200, 'export {};'],
      [200, ''],
      ...Array.from({ length: 4 }, () => [405, 'Method not allowed.\n']),
    ]);
  });
});

describe('given a panel that is started anew', () => {
  const stored: StoredTab[][] = [];
  const anew = async (earlier: readonly StoredTab[], at = port): Promise<void> => {
    await server.close();
    const store = async (tabs: readonly StoredTab[]) => void stored.push([...tabs]);
    server = await startPanelServer({
      ...{ host, rendererRoot: join(folder, 'renderer'), port: at, tabs: { earlier, store } },
    });
    port = server.port;
    local = { host: `127.0.0.1:${port}` };
  };
  const asked = async (bearer: string | null) =>
    (
      await send(port, '/rpc/snapshot.get', {
        ...{ method: 'POST', body: '{"input":null}' },
        headers: { ...local, 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
      })
    ).status;

  beforeEach(() => void stored.splice(0));

  it('when a tab of the earlier one asks for its proof, then it is let in; its earlier code is refused', async () => {
    await anew([]);
    const first = await tabBy(server.url);
    const before = await ticketOf(first, port);
    await anew(stored.at(-1) ?? []);
    expect(await asked(before)).toBe(401);
    expect(await asked(await ticketOf(first, port))).toBe(200);
  });

  it('when a tab was never there, then the panel says so, proves nothing and writes nothing', async () => {
    await anew([]);
    stored.splice(0);
    expect([await ticketOf(tab, port), stored]).toEqual([null, []]);
  });

  it('when its tabs are stored, then the secret is not among them', async () => {
    await anew([]);
    const { id, secret } = await tabBy(server.url);
    expect(stored.at(-1)).toEqual([{ id, key: expect.stringMatching(/^[\w-]{43}$/), at: expect.any(Number) }]);
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it('when it has another port, then a proof passed on from there does not fit the port of the tab', async () => {
    await anew([]);
    const [first, old] = [await tabBy(server.url), port];
    await anew(stored.at(-1) ?? [], 0);
    const nonce = 'n'.repeat(43);
    const question = { method: 'POST', headers: { ...local, 'content-type': 'application/json' } };
    const reply = await send(port, '/session', { ...question, body: JSON.stringify({ id: first.id, nonce }) });
    const answer = JSON.parse(reply.body) as { nonce: string; proof: string };
    expect(answer.proof).toBe(await (await codesOf(first, port)).proof(nonce, answer.nonce));
    expect(answer.proof).not.toBe(await (await codesOf(first, old)).proof(nonce, answer.nonce));
    expect(await asked(await (await codesOf(first, old)).ticket(answer.nonce))).toBe(401);
  });
});

describe('given a question to the panel server', () => {
  it('when it fits the contract, then the answer is the host’s', async () => {
    const reply = await ask('snapshot.get', '{"input":null}');
    expect([reply.status, JSON.parse(reply.body)]).toEqual([200, { ok: true, value: first }]);
  });

  it('when a browser adds a charset to the content type, then it is answered as well', async () => {
    const reply = await ask('snapshot.get', '{"input":null}', { 'content-type': 'application/json; charset=utf-8' });
    expect(reply.status).toBe(200);
  });

  it.each([
    ['an unknown name', 'nope', '{"input":null}', 200, 'unknown'],
    ['a name every object has', 'toString', '{"input":null}', 200, 'unknown'],
    ['an input of the wrong shape', 'health.reset', '{"input":{"target":1}}', 200, 'invalid'],
    ['an input that reaches for a prototype', 'snapshot.get', '{"__proto__":{"input":null}}', 400, 'invalid'],
    ['no input', 'snapshot.get', '{}', 400, 'invalid'],
    ['a list', 'snapshot.get', '[]', 400, 'invalid'],
    ['broken JSON', 'snapshot.get', '{"input":', 400, 'invalid'],
    ['an empty body', 'snapshot.get', '', 400, 'invalid'],
  ])('when it has %s, then it is refused with a reason', async (_case, name, body, status, code) => {
    const reply = await ask(name, body);
    expect([reply.status, JSON.parse(reply.body)]).toEqual([
      status,
      { ok: false, code, reason: expect.stringMatching(/./) },
    ]);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'when its content type is "%s", then it answers 415',
    async (type) => {
      expect((await ask('snapshot.get', '{"input":null}', { 'content-type': type })).status).toBe(415);
    },
  );

  it('when its body has 65536 bytes, then it is read; with one more it answers 413, announced or chunked', async () => {
    const body = (sizeBytes: number) => `{"input":"${'a'.repeat(sizeBytes - '{"input":""}'.length)}"}`;
    const statuses = [
      (await ask('snapshot.get', body(65_536))).status,
      (await ask('snapshot.get', body(65_537))).status,
      (await ask('snapshot.get', body(65_537), { 'transfer-encoding': 'chunked' })).status,
    ];
    expect(statuses).toEqual([200, 413, 413]);
  });

  it('when it comes by another method than POST, then it answers 405', async () => {
    const reply = await send(port, '/rpc/snapshot.get', { headers: admitted });
    expect([reply.status, reply.headers.allow]).toEqual([405, 'POST']);
  });

  it('when the host fails, then the reason is passed on', async () => {
    host = fakeHost(first, {
      'health.reset': () => {
        throw new Error('The core is closing.');
      },
    });
    await restart({});
    const reply = await ask('health.reset', '{"input":{"target":{"all":true},"rev":1}}');
    expect(JSON.parse(reply.body)).toEqual({ ok: false, code: 'failed', reason: 'The core is closing.' });
  });
});

describe('given an event stream of the panel server', () => {
  it('when it opens, then the present snapshot comes at once as a named event', async () => {
    const reader = await events();
    expect(reader.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(await reader.next()).toEqual({ event: 'snapshot', data: first });
  });

  it('when 50 snapshots come in one go, then the reader gets the newest and not each', async () => {
    const reader = await events();
    await reader.next();
    for (let rev = 2; rev <= 51; rev += 1) host.publish({ ...first, rev });
    const heard: number[] = [];
    while (heard.at(-1) !== 51) heard.push(((await reader.next()).data as Snapshot).rev);
    // One may have left before the interval began, the newest follows it.
    expect(heard.length).toBeLessThanOrEqual(2);
  });

  it('when a snapshot follows another, then what has not changed is not told again', async () => {
    const reader = await events();
    await reader.next();
    host.publish({ ...first, rev: 2, unknownPhrases: 3 });
    expect(await reader.next()).toEqual({ event: 'change', data: { base: first.rev, rev: 2, unknownPhrases: 3 } });
  });

  it('when notices come in one go, then each is carried, in their order', async () => {
    const reader = await events();
    await reader.next();
    const notices: NoticePush[] = [
      { type: 'show', notice: noticeRow() },
      { type: 'withdraw', key: 'fell build 1' },
      { type: 'show', notice: noticeRow({ id: 2, key: 'fell build 2' }) },
    ];
    for (const notice of notices) host.push('notice', notice);
    for (const notice of notices) expect(await reader.next()).toEqual({ event: 'notice', data: notice });
  });

  it('when nothing happens, then a comment says that the stream is alive', async () => {
    await restart({ heartbeatMs: 5 });
    const reader = await events();
    await expect.poll(reader.raw).toContain(': alive\n\n');
  });

  it('when the reader leaves, then the host is no longer listened to', async () => {
    const reader = await events();
    await reader.next();
    expect(host.listenerCount()).toBeGreaterThan(0);
    reader.close();
    await expect.poll(host.listenerCount).toBe(0);
  });

  it('when the server closes, then open streams end and the host is released', async () => {
    const reader = await events();
    await server.close();
    await reader.ended;
    expect(host.listenerCount()).toBe(0);
    await start(join(folder, 'renderer'));
  });

  it('when 33 are opened, then the last is refused', async () => {
    for (let count = 0; count < 32; count += 1) expect((await events()).status).toBe(200);
    expect((await events()).status).toBe(503);
  });
});
