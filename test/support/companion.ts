import { socketAddress } from '../../src/node/base/state-home';
import { readToken } from '../../src/node/base/token';
import { connectToApp } from '../../src/node/socket/socket-client';
import type { CompanionEvent } from '../../src/protocol';
import { COMPANION } from '../core/virtual-core';

export type Teller = Readonly<{ tell(event: CompanionEvent): void; close(): void }>;

export async function openTeller(home: string): Promise<Teller> {
  const connected = await connectToApp({
    addressFor: (token) => socketAddress(home, token),
    readToken: () => readToken(home),
    hello: { role: 'companion', ...COMPANION },
    keepsProcessAlive: true,
  });
  if (!connected.ok) throw new Error(connected.message);
  const { link } = connected;
  link.onMessage(() => undefined);
  let seq = 0;
  return {
    tell: (event) => void link.send({ type: 'event', seq: ++seq, ageMs: 0, sentAt: Date.now(), event }),
    close: () => link.close(),
  };
}

/** Connects as a companion and emits events. @returns a function that disconnects. */
export async function tellAsCompanion(home: string, events: readonly CompanionEvent[]): Promise<() => void> {
  const { tell, close } = await openTeller(home);
  for (const event of events) tell(event);
  return close;
}
