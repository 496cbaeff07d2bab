import { join } from 'node:path';
import process from 'node:process';
import { onPush, type PanelHost } from '../../contract/contract';
import type { Snapshot } from '../../contract/snapshot';
import { countAs } from '../../core/base/internal-errors';
import type { Clock } from '../../core/ports/ports';
import { statusLine } from '../../wording/status-text';
import { writeFileAtomic } from '../base/atomic-file';
import { discard } from '../base/look';

export const statusLinePath = (home: string): string => join(home, 'status-line.txt');

const SETTLE_MS = 1_000;

type Place = Readonly<{ home: string; clock: Pick<Clock, 'wall' | 'schedule'> }>;

/** Times are Unix s. A killed process leaves the file, so readers check for the process (ADR 0056). */
export function keepStatusLine(host: PanelHost, { home, clock }: Place): Readonly<{ close(): Promise<void> }> {
  const path = statusLinePath(home);
  // A later process may reuse the id, but starts later.
  const keeper = `pid ${process.pid}\nsince ${seconds(Date.now() - process.uptime() * 1_000)}`;
  let latest: Snapshot | null = null;
  let written = '';
  let cancelWrite: (() => void) | null = null;
  let cancelEnd: (() => void) | null = null;
  let isClosed = false;
  let working: Promise<unknown> = Promise.resolve();

  const save = async (): Promise<void> => {
    // Includes changes by time alone, which no push reports.
    const snapshot = latest ?? (await host.handlers['snapshot.get'](null));
    latest = null;
    if (isClosed) return;
    const until = firstEnd(snapshot, clock.wall());
    cancelEnd?.();
    cancelEnd = until === null ? null : clock.schedule(Math.max(0, until - clock.wall()) + SETTLE_MS, saveNow);
    const text = `${statusLine(snapshot)}\n${keeper}\nuntil ${until === null ? '-' : seconds(until)}\n`;
    if (text === written) return;
    const outcome = await writeFileAtomic(path, text);
    written = outcome.ok ? text : '';
    // No file is better than an outdated one.
    if (!outcome.ok) await discard(path);
  };
  const saveNow = (): void => {
    cancelWrite = null;
    working = working.then(save).catch(countAs('status.line'));
  };
  const stop = onPush(host, 'snapshot', (snapshot) => {
    latest = snapshot;
    cancelWrite ??= clock.schedule(SETTLE_MS, saveNow);
  });
  saveNow();
  return {
    async close() {
      isClosed = true;
      stop();
      cancelWrite?.();
      cancelEnd?.();
      await working;
      await discard(path);
    },
  };
}

const seconds = (ms: number): number => Math.round(ms / 1_000);

function firstEnd({ models, sessions, pins, pause, questions }: Snapshot, now: number): number | null {
  const agents = sessions.flatMap((session) => session.agents);
  const ends = [
    ...models.map(({ until }) => until),
    ...agents.flatMap(({ why, waits }) => [why?.until ?? null, waits?.until ?? null]),
    ...pins.map(({ until }) => until),
    ...questions.map(({ skippedAt }) => skippedAt),
    pause?.until ?? null,
  ].filter((end): end is number => end !== null && end > now);
  return ends.length === 0 ? null : Math.min(...ends);
}
