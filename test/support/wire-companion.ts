import { readFile } from 'node:fs/promises';
import type { Companion } from '../../src/core/core';
import { socketAddress } from '../../src/node/base/state-home';
import { tokenPath } from '../../src/node/base/token';
import { connectToApp } from '../../src/node/socket/socket-client';
import type { AppMessage, CompanionEvent } from '../../src/protocol';
import { COMPANION, prompted, started, succeeded } from '../core/virtual-core';
import { PATIENCE_MS } from './eventually';

/** The app may serve 200 companions. */
const SETTLED_WITHIN_MS = PATIENCE_MS;

export type WireCompanion = Readonly<{
  /** Last event that the app had at the connection; null for none. */
  haveSeq: number | null;
  say(event: CompanionEvent): void;
  /** Numbers of the last sent and the last acknowledged event. */
  last(): number;
  acknowledged(): number;
  /** Resolves when all events are acknowledged. @throws Error on timeout. */
  settled(): Promise<void>;
  onMessage(listener: (message: AppMessage) => void): void;
  close(): void;
}>;

/** Connects to the app of a state home, also of another user if permitted. @throws the reason. */
export async function wireCompanion(home: string, who: Companion = COMPANION): Promise<WireCompanion> {
  const connected = await connectToApp({
    addressFor: (token) => socketAddress(home, token),
    readToken: async () => ({ ok: true, token: (await readFile(tokenPath(home), 'utf8')).trim() }),
    hello: { role: 'companion', ...who },
    keepsProcessAlive: true,
  });
  if (!connected.ok) throw new Error(connected.message);
  const { link } = connected;
  const { haveSeq } = link.welcome;
  let last = haveSeq ?? -1;
  let acknowledged = -1;
  const listeners: ((message: AppMessage) => void)[] = [];
  link.onMessage((message) => {
    if (message.type === 'acknowledged') acknowledged = message.seq;
    // As a real one does; else the app sends it again with every event.
    if (message.type === 'sync') link.send({ type: 'synced', rev: message.rev });
    for (const listener of listeners) listener(message);
  });
  return {
    haveSeq,
    say: (event) => void link.send({ type: 'event', seq: ++last, ageMs: 0, sentAt: Date.now(), event }),
    last: () => last,
    acknowledged: () => acknowledged,
    settled: () =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (acknowledged < last) return;
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(() => reject(new Error(`${acknowledged} of ${last} acknowledged`)), SETTLED_WITHIN_MS);
        listeners.push(look);
        look();
      }),
    onMessage: (listener) => void listeners.push(listener),
    close: () => link.close(),
  };
}

export function sayTurn({ say }: Pick<WireCompanion, 'say'>, turn: string, session = 's1'): void {
  const attempt = `${turn}:1`;
  for (const event of [prompted({ turn, session }), started({ attempt, turn, session }), succeeded(attempt)])
    say(event);
}
