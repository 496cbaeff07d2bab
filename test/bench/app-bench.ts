import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppLink } from '../../src/node/app-link';
import { connectToApp } from '../../src/node/socket-client';
import { socketAddress } from '../../src/node/state-home';
import { readToken } from '../../src/node/token';
import type { PeerMessage } from '../../src/protocol';
import { startPanel } from '../support/panel-process';
import { type BenchRow, rowOf } from './bench-row';

const RUNS = 200;
/** The panel is told at most ten times a second; a pause this long makes each event the first of its window, in ms. */
const PANEL_PAUSE_MS = 120;
const PANEL_RUNS = 40;

/** The app's own share, with the built panel as a process: socket round trip, and event to panel. */
export async function appBench(): Promise<BenchRow[]> {
  const home = await mkdtemp(join(tmpdir(), 'us-'));
  const panel = await startPanel(home);
  try {
    const link = await companion(home);
    const sent = createSender(link);
    const roundTrips: number[] = [];
    for (let n = 0; n < RUNS; n++) roundTrips.push(await sent.roundTrip());
    const pushes = await panelPushes(panel.url, sent.event);
    link.close();
    return [
      rowOf('socket round trip: event → engine → sync', 'ms', roundTrips),
      rowOf('event → panel in the browser (SSE)', 'ms', pushes),
    ];
  } finally {
    await panel.stop();
    await rm(home, { recursive: true, force: true });
  }
}

async function companion(home: string): Promise<AppLink> {
  const peer = {
    role: 'companion',
    instance: 'bench',
    epoch: 'bench',
    pid: process.pid,
    opencode: 'bench',
    plugin: 'bench',
  } as const;
  const result = await connectToApp({
    address: socketAddress(home),
    readToken: () => readToken(home),
    hello: peer,
    keepsProcessAlive: true,
  });
  if (!result.ok) throw new Error(result.message);
  return result.link;
}

type Sender = Readonly<{ event(): void; roundTrip(): Promise<number> }>;

function createSender(link: AppLink): Sender {
  let seq = 0;
  const waiting = new Map<number, () => void>();
  link.onMessage((message) => {
    if (message.type !== 'sync' || message.ackSeq === null) return;
    for (const [awaited, resolve] of waiting) {
      if (awaited > message.ackSeq) continue;
      waiting.delete(awaited);
      resolve();
    }
  });
  const event = (): void => {
    seq++;
    const said: PeerMessage = {
      type: 'event',
      seq,
      ageMs: 0,
      event: {
        type: 'prompt.submitted',
        turn: `msg_${seq}`,
        session: 'ses_bench',
        directory: '/bench',
        agent: 'build',
        model: 'a/b',
        hostLead: 'a/b',
        isExplicit: true,
      },
    };
    link.send(said);
  };
  return {
    event,
    roundTrip: async () => {
      const startedAt = performance.now();
      event();
      await new Promise<void>((resolve) => waiting.set(seq, resolve));
      return performance.now() - startedAt;
    },
  };
}

/** From a companion's event to the bytes that reach the browser's event stream. */
async function panelPushes(url: string, send: () => void): Promise<number[]> {
  const first = await fetch(url, { redirect: 'manual' });
  const cookie = (first.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const stop = new AbortController();
  const stream = await fetch(new URL('/events', url), { headers: { cookie }, signal: stop.signal });
  const reader = stream.body?.getReader();
  if (!reader) throw new Error(`the panel refused its event stream: ${stream.status}`);
  const samples: number[] = [];
  await reader.read();
  for (let n = 0; n < PANEL_RUNS; n++) {
    await new Promise((resolve) => setTimeout(resolve, PANEL_PAUSE_MS));
    const startedAt = performance.now();
    send();
    await reader.read();
    samples.push(performance.now() - startedAt);
  }
  stop.abort();
  return samples;
}
