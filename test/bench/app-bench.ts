import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { attachCore } from '../../src/node/attach-core';
import { socketAddress } from '../../src/node/base/state-home';
import { readToken } from '../../src/node/base/token';
import type { AppLink } from '../../src/node/socket/app-link';
import { connectToApp } from '../../src/node/socket/socket-client';
import { admittedBy } from '../support/panel-client';
import { startPanel } from '../support/panel-process';
import { residentMib } from '../support/resident';
import { type BenchRow, rowOf } from './bench-row';

const RUNS = 200;
/** The panel is told at most ten times a second; a pause this long makes each event the first of its window, in ms. */
const PANEL_PAUSE_MS = 120;
const PANEL_RUNS = 40;
/** By then it has read all that it reads at its start, in ms. */
const SETTLED_MS = 2_000;

/** The app's own share, with the built panel as a process: socket round trip, and event to panel. */
export async function appBench(): Promise<BenchRow[]> {
  const home = await mkdtemp(join(tmpdir(), 'us-'));
  const panel = await startPanel(home);
  try {
    await later(SETTLED_MS);
    const held = residentMib(panel.pid);
    const answers = await roundTrips(home);
    const link = await companion(home);
    const pushes = await panelPushes(panel.url, createSender(link));
    link.close();
    return [
      rowOf('socket round trip: question → checked snapshot', 'ms', answers),
      rowOf('event → panel in the browser (SSE)', 'ms', pushes),
      ...(held === null ? [] : [rowOf('memory of the panel’s process, a moment after its start', 'MiB', [held])]),
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
    addressFor: (token) => socketAddress(home, token),
    readToken: () => readToken(home),
    hello: peer,
    keepsProcessAlive: true,
  });
  if (!result.ok) throw new Error(result.message);
  return result.link;
}

/** Sends one event that needs a new picture. */
function createSender(link: AppLink): () => void {
  let seq = 0;
  link.onMessage(() => undefined);
  return () => {
    seq++;
    const event = {
      type: 'prompt.submitted',
      turn: `msg_${seq}`,
      session: 'ses_bench',
      directory: '/bench',
      agent: 'build',
      model: 'a/b',
      hostLead: 'a/b',
      isExplicit: true,
    } as const;
    link.send({ type: 'event', seq, ageMs: 0, sentAt: Date.now(), event });
  };
}

/** A question over the socket until its checked answer, the whole snapshot, is back. */
async function roundTrips(home: string): Promise<number[]> {
  const viewer = await attachCore({
    runtime: 'bench',
    env: { ...process.env, UNDERSTUDY_HOME: home },
  });
  if (viewer === null) throw new Error('the panel does not answer');
  const samples: number[] = [];
  for (let n = 0; n < RUNS; n++) {
    const startedAt = performance.now();
    await viewer.host.handlers['snapshot.get'](null);
    samples.push(performance.now() - startedAt);
  }
  await viewer.close();
  return samples;
}

/** From a companion's event to the bytes that reach the browser's event stream. */
async function panelPushes(url: string, send: () => void): Promise<number[]> {
  const { authorization = '' } = await admittedBy(url);
  const stop = new AbortController();
  const stream = await fetch(new URL('/events', url), { headers: { authorization }, signal: stop.signal });
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
