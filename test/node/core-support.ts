import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { onPush } from '../../src/contract/contract';
import type { Snapshot } from '../../src/contract/snapshot';
import type { OpenedCore } from '../../src/node/attach-core';
import { socketAddress } from '../../src/node/base/state-home';
import { readToken } from '../../src/node/base/token';
import { openCore } from '../../src/node/open-core';
import { connectToApp } from '../../src/node/socket/socket-client';
import type { AppMessage, CompanionEvent } from '../../src/protocol';
import { COMPANION, configured, SWITCHED_TURN } from '../core/virtual-core';
import { tempFolder } from './temp-folder';

/** Where a core of a test lives. */
export type Home = Readonly<{ home: string; env: NodeJS.ProcessEnv }>;

/** A state home and a configuration folder of this test alone. */
export async function newHome(): Promise<Home> {
  const root = await tempFolder();
  const home = join(root, 'u');
  return { home, env: { PATH: process.env.PATH, UNDERSTUDY_HOME: home, XDG_CONFIG_HOME: join(root, 'config') } };
}

/** Opens the core of a home, and closes it when the test ends. */
export async function open({ env }: Home, runtime = 'test'): Promise<OpenedCore> {
  const core = await openCore({ version: '0.1.0', runtime, env });
  onTestFinished(() => core.close());
  return core;
}

/** The picture as it is now. */
export const look = async (core: OpenedCore): Promise<Snapshot> => core.host.handlers['snapshot.get'](null);

/** The first snapshot, present or pushed, that fits. */
export function until(core: OpenedCore, fits: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
  return new Promise((resolve, reject) => {
    const settle = (snapshot: Snapshot): void => {
      if (!fits(snapshot)) return;
      stop();
      resolve(snapshot);
    };
    const stop = onPush(core.host, 'snapshot', settle);
    look(core).then(settle, reject);
  });
}

/** A companion as far as the wire knows one. */
export async function companion({ home }: Home, who = COMPANION) {
  const connected = await connectToApp({
    addressFor: (token) => socketAddress(home, token),
    readToken: () => readToken(home),
    hello: { role: 'companion', ...who },
    keepsProcessAlive: true,
  });
  if (!connected.ok) throw new Error(connected.message);
  const { link } = connected;
  onTestFinished(() => link.close());
  const syncs: Extract<AppMessage, { type: 'sync' }>[] = [];
  const acts: unknown[] = [];
  const acknowledged: number[] = [];
  const answers = new Map<string, (isGranted: boolean) => void>();
  link.onMessage((message) => {
    if (message.type === 'sync') syncs.push(message);
    if (message.type === 'acknowledged') acknowledged.push(message.seq);
    if (message.type === 'act') acts.push(message.event);
    if (message.type === 'lease.answer') answers.get(message.id)?.(message.granted);
  });
  let seq = link.welcome.haveSeq ?? 0;
  return {
    haveSeq: link.welcome.haveSeq,
    syncs,
    acts,
    acknowledged,
    tell: (event: CompanionEvent, dropped = 0) =>
      link.send({ type: 'event', seq: ++seq, ageMs: 0, sentAt: Date.now(), dropped, event }),
    borrow: (model: string) =>
      new Promise<boolean>((resolve) => {
        const id = `${answers.size}`;
        answers.set(id, resolve);
        link.send({ type: 'lease.request', id, model });
      }),
    lastSeq: () => seq,
    leave: () => link.close(),
  };
}

/** A companion that has told a turn in which the lead was limited. */
export async function toldTurn(place: Home) {
  const told = await companion(place);
  for (const event of [configured(), ...SWITCHED_TURN]) told.tell(event);
  return told;
}
