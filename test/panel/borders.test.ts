import { mkdir, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startPanelServer } from '../../src/panel/server';
import { tempFolder } from '../node/temp-folder';
import { admittedBy, send } from '../support/panel-client';
import { fakeHost } from '../support/panel-host';
import { agentRow, snapshotOf } from '../support/rows';

/** A request that must never run: it resets all health. */
const BODY = '{"input":{"target":{"all":true},"rev":1}}';

let port: number;
let login: string;
let resets: number;

async function open(timing: { requestTimeoutMs?: number } = {}): Promise<void> {
  const rendererRoot = join(await tempFolder(), 'renderer');
  await mkdir(rendererRoot);
  await writeFile(join(rendererRoot, 'index.html'), '<!doctype html>panel');
  resets = 0;
  const host = fakeHost(snapshotOf([agentRow()]), {
    'health.reset': async () => {
      resets++;
      return { ok: true } as never;
    },
  });
  const server = await startPanelServer({ host, rendererRoot, port: 0, ...timing });
  onTestFinished(() => server.close());
  port = Number(new URL(server.url).port);
  login = (await admittedBy(server.url)).authorization ?? '';
}
beforeEach(() => open());

/** Sends raw bytes, then closes its side. Returns the response until the server closes. */
function talk(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1').setEncoding('latin1');
    let response = '';
    socket.on('data', (text: string) => {
      response += text;
    });
    socket.on('error', () => undefined).on('close', () => resolve(response));
    socket.end(bytes);
  });
}

const lines = (...all: readonly string[]): string => all.map((line) => `${line}\r\n`).join('');
const head = (path: string, ...more: readonly string[]): string =>
  lines(`POST ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Authorization: ${login}`, ...more);
const JSON_TYPE = 'Content-Type: application/json';
/** The request that an ambiguous one would hide. */
const hidden = (): string => `${head('/rpc/health.reset', JSON_TYPE, `Content-Length: ${BODY.length}`)}\r\n${BODY}`;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const statusesIn = (response: string): number[] =>
  [...response.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

describe('given a request that hides another one', () => {
  it('when the hidden one is sent openly, then it runs', async () => {
    expect([statusesIn(await talk(hidden())), resets]).toEqual([[200], 1]);
  });

  const rpc = (...more: readonly string[]): string => head('/rpc/snapshot.get', JSON_TYPE, ...more);
  const CHUNKED = 'Transfer-Encoding: chunked';

  it.each<[string, () => string]>([
    ['a length and chunks', () => `${rpc('Content-Length: 5', CHUNKED)}\r\n0\r\n\r\n${hidden()}`],
    ['chunks and a length', () => `${rpc(CHUNKED, 'Content-Length: 5')}\r\n0\r\n\r\n${hidden()}`],
    ['two lengths', () => `${rpc('Content-Length: 0', `Content-Length: ${hidden().length}`)}\r\n${hidden()}`],
    ['a list of lengths', () => `${rpc('Content-Length: 0, 5')}\r\n${hidden()}`],
    ['a length with a sign', () => `${rpc('Content-Length: +0')}\r\n${hidden()}`],
    ['a negative length', () => `${rpc('Content-Length: -1')}\r\n${hidden()}`],
    ['a hexadecimal length', () => `${rpc('Content-Length: 0x0')}\r\n${hidden()}`],
    ['a length beyond all numbers', () => `${rpc(`Content-Length: 1${'0'.repeat(30)}`)}\r\n${hidden()}`],
    ['an unknown encoding', () => `${rpc('Transfer-Encoding: xchunked')}\r\n0\r\n\r\n${hidden()}`],
    ['an encoding after the chunks', () => `${rpc('Transfer-Encoding: chunked, identity')}\r\n0\r\n\r\n${hidden()}`],
    ['a control character in the encoding', () => `${rpc('Transfer-Encoding: \u000bchunked')}\r\n0\r\n\r\n${hidden()}`],
    ['a blank before the colon', () => `${rpc('Content-Length : 0')}\r\n${hidden()}`],
    ['a folded header', () => `${rpc('X: a', ' Content-Length: 0')}\r\n${hidden()}`],
    ['bare line feeds', () => `${rpc().replaceAll('\r\n', '\n')}\n${hidden()}`],
    ['a bare carriage return', () => `${rpc(`X: a\rContent-Length: ${hidden().length}`)}\r\n${hidden()}`],
    ['a NUL', () => `${rpc('X: a\0b')}\r\n${hidden()}`],
    ['a chunk without a size', () => `${rpc(CHUNKED)}\r\n\r\n${hidden()}`],
    ['a chunk of a negative size', () => `${rpc(CHUNKED)}\r\n-1\r\n\r\n${hidden()}`],
    ['a chunk beyond all numbers', () => `${rpc(CHUNKED)}\r\n1${'0'.repeat(20)}\r\n${hidden()}`],
    ['a chunk longer than its size', () => `${rpc(CHUNKED)}\r\n1\r\nabc\r\n0\r\n\r\n${hidden()}`],
    ['a line feed in a chunk extension', () => `${rpc(CHUNKED)}\r\n1;\nabc\r\n${hidden()}`],
    ['a trailer', () => `${rpc(CHUNKED)}\r\n0\r\n${hidden()}`],
    ['the preface of HTTP/2', () => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden()}`],
  ])('when its end is ambiguous by %s, then both are refused', async (_, bytes) => {
    expect([statusesIn(await talk(bytes())), resets]).toEqual([[400], 0]);
  });

  it.each<[string, number | null, () => string]>([
    [
      'a body without a login',
      401,
      () => `${rpc(`Content-Length: ${hidden().length}`)}\r\n${hidden()}`.replace(login, ''),
    ],
    [
      'a body of another method',
      405,
      () => `${rpc(`Content-Length: ${hidden().length}`)}\r\n${hidden()}`.replace('POST', 'PUT'),
    ],
    ['a body of the wrong type', 415, () => `${head('/rpc/x', `Content-Length: ${hidden().length}`)}\r\n${hidden()}`],
    ['a body that is too long', 413, () => `${rpc('Content-Length: 70000')}\r\n${hidden().padEnd(70_000)}`],
    ['chunks that are too long', 413, () => `${rpc(CHUNKED)}\r\n${chunk('a'.repeat(70_000))}${chunk(hidden())}`],
    ['a tunnel', null, () => `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n${hidden()}`],
  ])('when it is in %s, then it is no request', async (_, status, bytes) => {
    const others = statusesIn(await talk(bytes())).filter((each) => each !== status);
    expect([others, resets]).toEqual([[], 0]);
  });
});

describe('given a request that is larger than any of the panel', () => {
  it.each<[string, number, () => string]>([
    ['a path of 1 MB', 431, () => head(`/${'a'.repeat(1_048_576)}`)],
    ['a header of 1 MB', 431, () => head('/', `X: ${'a'.repeat(1_048_576)}`)],
    ['100,000 headers', 431, () => head('/', ...Array.from({ length: 100_000 }, (_, at) => `X${at}: a`))],
    [
      'a body of 1 TB',
      413,
      () => `${head('/rpc/snapshot.get', JSON_TYPE, 'Content-Length: 1099511627776')}\r\n${'a'.repeat(1_048_576)}`,
    ],
    [
      'a login of 1 TB',
      413,
      () => `${head('/session', JSON_TYPE, 'Content-Length: 1099511627776')}\r\n${'a'.repeat(1_048_576)}`,
    ],
    [
      '30,000 nested lists',
      200,
      () => {
        const body = `{"input":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
        return `${head('/rpc/health.reset', JSON_TYPE, `Content-Length: ${body.length}`)}\r\n${body}`;
      },
    ],
  ])('when it has %s, then it is refused, and the panel goes on', async (_, status, bytes) => {
    // A connection that is closed on unread bytes may lose its response.
    const others = statusesIn(await talk(bytes())).filter((each) => each !== status);
    expect([others, resets]).toEqual([[], 0]);
    expect((await send(port, '/', { headers: { host: `127.0.0.1:${port}` } })).status).toBe(200);
  });
});

describe('given a client that is slower than any of the panel', () => {
  it.each<[string, () => string]>([
    ['nothing', () => ''],
    ['its headers', () => head('/').slice(0, -9)],
    ['its body', () => `${head('/rpc/snapshot.get', JSON_TYPE, 'Content-Length: 60000')}\r\n{`],
  ])('when it sends %s byte by byte, then it is closed at the deadline', async (_, bytes) => {
    await open({ requestTimeoutMs: 100 });
    const openedAt = performance.now();
    const socket = createConnection(port, '127.0.0.1').resume();
    socket.on('error', () => undefined).write(bytes());
    const drip = setInterval(() => bytes() && socket.write('a'), 10);
    await new Promise((resolve) => socket.on('close', resolve));
    clearInterval(drip);
    // By default Node looks after 30 s.
    expect(performance.now() - openedAt).toBeLessThan(20_000);
  });
});
