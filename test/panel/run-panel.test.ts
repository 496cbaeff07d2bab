import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenedCore } from '../../src/node/attach-core';
import { DEFAULT_PORT, type PanelRun, runPanel } from '../../src/panel/run-panel';
import { send } from '../support/panel-client';
import { fakeHost, openedOn } from '../support/panel-host';
import { agentRow, snapshotOf } from '../support/rows';

let rendererRoot: string;
let printed: string[];
let errors: string[];
let calls: string[];

beforeEach(async () => {
  rendererRoot = await mkdtemp(join(tmpdir(), 'understudy-run-'));
  await writeFile(join(rendererRoot, 'index.html'), 'panel');
  [printed, errors, calls] = [[], [], []];
});
afterEach(() => rm(rendererRoot, { recursive: true }));

function core(otherPanelUrl: string | null = null): OpenedCore {
  return openedOn(fakeHost(snapshotOf([agentRow()])), {
    role: otherPanelUrl === null ? 'owner' : 'viewer',
    otherPanelUrl,
    announcePanel: async (url) => {
      calls.push(`announce ${url}`);
    },
    close: async () => {
      calls.push('close');
    },
  });
}

function run(change: Partial<PanelRun> = {}): Promise<number> {
  return runPanel({
    port: 0,
    rendererRoot,
    tabs: { read: async () => ({ tabs: [], port: null }), write: async () => {} },
    openCore: async () => core(),
    openMetrics: async () => null,
    openBrowser: null,
    print: (line) => printed.push(line),
    printError: (line) => errors.push(line),
    stop: AbortSignal.abort(),
    ...change,
  });
}

/** Listens on a port outside the range that the system assigns, so that it stays free after its close. */
async function listenOutsideEphemeralPorts() {
  for (;;) {
    const probe = createServer();
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const isListening = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (isListening) return { probe, port };
  }
}

describe('given somebody who asked for metrics', () => {
  const TOKEN = 'm'.repeat(43);
  const openMetrics = async () => ({ token: TOKEN, path: '/home/u/metrics-token' });

  it('when the panel runs, then it says where they are; they need their token, and it opens nothing else', async () => {
    const stop = new AbortController();
    const running = run({ stop: stop.signal, openMetrics });
    await expect.poll(() => printed).toHaveLength(2);
    const [, port] =
      /^Metrics: http:\/\/127\.0\.0\.1:(\d+)\/metrics, bearer token in \/home\/u\/metrics-token$/.exec(
        printed[0] ?? '',
      ) ?? [];
    const host = `127.0.0.1:${port}`;
    const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      (await send(Number(port), path, { method, headers: { host, ...headers } })).status;
    const authorization = `Bearer ${TOKEN}`;
    expect([
      await ask('/metrics'),
      await ask('/metrics', { authorization: 'Bearer wrong' }),
      await ask('/metrics', { authorization }),
      await ask('/metrics', { authorization }, 'POST'),
      await ask('/metrics', { authorization, host: 'evil.example' }),
      await ask('/events', { authorization }),
    ]).toEqual([401, 401, 200, 405, 403, 401]);
    stop.abort();
    expect(await running).toBe(0);
  });

  it('when their token cannot be made, then the panel does not start and says why', async () => {
    const refused = async () => {
      throw new Error('the metrics token cannot be read: disk full');
    };
    expect([await run({ openMetrics: refused }), errors]).toEqual([
      1,
      ['The panel could not be started: the metrics token cannot be read: disk full'],
    ]);
  });
});

describe('given the headless shell', () => {
  it('when it runs, then it prints its address on one line, announces it, and closes the core when stopped', async () => {
    const stop = new AbortController();
    const { probe, port: wanted } = await listenOutsideEphemeralPorts();
    await new Promise((resolve) => probe.close(resolve));
    const running = run({ port: wanted, stop: stop.signal });
    await expect.poll(() => printed).toHaveLength(1);
    const url = /^Understudy panel: (http:\/\/127\.0\.0\.1:(\d+)\/\?t=[\w-]{43})$/.exec(printed[0] ?? '');
    const port = Number(url?.[2]);
    expect((await send(port, '/events', { headers: { host: `127.0.0.1:${port}` } })).status).toBe(401);
    expect(calls).toEqual([`announce ${url?.[1]}`]);
    stop.abort();
    expect([await running, calls.at(-1), errors]).toEqual([0, 'close', []]);
    await expect(send(port, '/', {})).rejects.toThrow('ECONNREFUSED');
  });

  it('when a browser is wanted, then it gets an address without the token that was printed', async () => {
    const opened: string[] = [];
    await run({ openBrowser: (url) => opened.push(url) });
    expect(opened).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?t=[\w-]{43}$/)]);
    expect(printed[0]).not.toContain(new URL(opened[0] ?? '').search);
  });

  it('when another panel already runs, then it prints that address, serves nothing and ends with 0', async () => {
    const code = await run({ openCore: async () => core('http://127.0.0.1:4700/?t=abc') });
    expect([code, printed, calls]).toEqual([0, ['Understudy panel: http://127.0.0.1:4700/?t=abc'], ['close']]);
  });

  it.each([
    [4700, 0, []],
    [0, 0, []],
    [null, 0, []],
    [1, 1, ['A panel already runs, so port 1 is not used. Its address:']],
  ])('when another panel already runs and port %s is asked for, then it ends with %i', async (port, code, lines) => {
    const openCore = async () => core('http://127.0.0.1:4700/?t=abc');
    expect([await run({ port, openCore }), errors, printed]).toEqual([
      code,
      lines,
      ['Understudy panel: http://127.0.0.1:4700/?t=abc'],
    ]);
  });

  it('when no port is asked for, then it takes the default one; where that is taken, the next, and says so', async () => {
    const stop = new AbortController();
    const [first, second] = [run({ port: null, stop: stop.signal }), run({ port: null, stop: stop.signal })];
    await expect.poll(() => printed).toHaveLength(2);
    const ports = printed.map((line) => Number(new URL(line.replace(/^Understudy panel: /, '')).port));
    stop.abort();
    await Promise.all([first, second]);
    // Other programs of this machine may have ports, too.
    expect(Math.max(...ports)).toBeGreaterThan(DEFAULT_PORT);
    expect(errors.at(-1)).toBe(`Port ${DEFAULT_PORT} is not free. The panel uses port ${ports.at(-1)}.`);
  });

  it('when earlier tabs look for it at another port, then it is there; where that is taken, the line names it', async () => {
    const stop = new AbortController();
    const { probe, port } = await listenOutsideEphemeralPorts();
    const tabs = { read: async () => ({ tabs: [], port }), write: async () => {} };
    const beside = run({ port: null, tabs, stop: stop.signal });
    await expect
      .poll(() => errors)
      .toEqual([expect.stringMatching(`^Port ${port} is not free. The panel uses port \\d+.$`)]);
    await new Promise((resolve) => probe.close(resolve));
    const there = run({ port: null, tabs, stop: stop.signal });
    await expect.poll(() => printed.at(-1)).toContain(`http://127.0.0.1:${port}/`);
    stop.abort();
    await Promise.all([beside, there]);
  });

  it('when its port is in use, then it says which and ends with 1', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const code = await run({ port });
    other.close();
    expect([code, errors, printed, calls]).toEqual([
      1,
      [`Port ${port} is in use. Choose another with --port, or --port 0 for any free one.`],
      [],
      ['close'],
    ]);
  });

  it('when the panel has not been built, then it says how to build it and ends with 1', async () => {
    const code = await run({ rendererRoot: join(rendererRoot, 'missing') });
    expect([code, errors]).toEqual([
      1,
      ['The panel could not be started: The panel has not been built yet: run "npm run build" first.'],
    ]);
  });

  it('when the core cannot be opened, then it says why and ends with 1', async () => {
    const code = await run({ openCore: () => Promise.reject(new Error('The state folder belongs to another user.')) });
    expect([code, errors]).toEqual([1, ['Understudy could not start: The state folder belongs to another user.']]);
  });
});
