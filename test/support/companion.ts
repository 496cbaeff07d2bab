import { connectToApp } from '../../src/node/socket-client';
import { socketAddress } from '../../src/node/state-home';
import { readToken } from '../../src/node/token';
import type { CompanionEvent } from '../../src/protocol';
import { COMPANION } from '../core/virtual-core';

/** Connects to the app of a state home as a companion and tells it events, just now. @returns what hangs up. */
export async function tellAsCompanion(home: string, events: readonly CompanionEvent[]): Promise<() => void> {
  const connected = await connectToApp({
    addressFor: (token) => socketAddress(home, token),
    readToken: () => readToken(home),
    hello: { role: 'companion', ...COMPANION },
    keepsProcessAlive: true,
  });
  if (!connected.ok) throw new Error(connected.message);
  connected.link.onMessage(() => undefined);
  for (const [index, event] of events.entries())
    connected.link.send({ type: 'event', seq: index + 1, ageMs: 0, sentAt: Date.now(), event });
  return () => connected.link.close();
}
