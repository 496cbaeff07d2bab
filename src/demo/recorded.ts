import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import recording from '../../resources/demo/recorded.json';
import { socketAddress } from '../node/base/state-home';
import { readToken } from '../node/base/token';
import { PINNED_OPENCODE_VERSION } from '../node/opencode';
import { connectToApp } from '../node/socket/socket-client';
import { CompanionEvent } from '../protocol';

const ROUND = '@';
const BREAK_MS = 6_000;

/** `afterMs` counts from the first event. */
export type RecordedEvent = Readonly<{ afterMs: number; event: CompanionEvent }>;

/** Events of a real companion for one round; only ids differ between rounds. */
export function recordedIn(round: number): readonly RecordedEvent[] {
  return recording.map(({ afterMs, event }) => ({
    afterMs,
    event: CompanionEvent.parse(JSON.parse(JSON.stringify(event).replaceAll(ROUND, `r${round}`))),
  }));
}

/**
 * Replays the recording to a core at its own pace until stopped.
 * @throws Error with a message for people if the core refuses the connection.
 */
export async function playRecording(home: string, version: string, signal: AbortSignal): Promise<void> {
  for (let round = 1; !signal.aborted; round++) {
    const connected = await connectToApp({
      addressFor: (token) => socketAddress(home, token),
      readToken: () => readToken(home),
      hello: {
        role: 'companion',
        instance: `recorded-${round}`,
        epoch: `recorded-${round}`,
        pid: process.pid,
        opencode: PINNED_OPENCODE_VERSION,
        plugin: version,
      },
      keepsProcessAlive: true,
    });
    if (!connected.ok) throw new Error(connected.message);
    connected.link.onMessage(() => undefined);
    await tell(recordedIn(round), signal, (event, seq) =>
      connected.link.send({ type: 'event', seq, ageMs: 0, sentAt: Date.now(), event }),
    );
    await rest(BREAK_MS, signal);
    connected.link.close();
  }
}

async function tell(
  events: readonly RecordedEvent[],
  signal: AbortSignal,
  say: (event: CompanionEvent, seq: number) => void,
): Promise<void> {
  const startedAt = performance.now();
  for (const [index, { afterMs, event }] of events.entries()) {
    await rest(afterMs - (performance.now() - startedAt), signal);
    if (signal.aborted) return;
    say(event, index + 1);
  }
}

const rest = (durationMs: number, signal: AbortSignal): Promise<void> =>
  // silent: it rejects when the recording is stopped
  pause(Math.max(0, durationMs), undefined, { signal }).catch(() => undefined);
