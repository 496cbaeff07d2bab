import type { Core } from '../../core/core';
import { watchClock } from '../../core/ports/clock-watch';
import type { Clock } from '../../core/ports/ports';
import type { EngineState } from '../../engine';
import {
  clearedBetween,
  isNews,
  isSharedAlike,
  mergeShared,
  NOTHING_SHARED,
  sharedOf,
  shiftShared,
  wordsOf,
} from '../../engine/tools';
import { openHealthFile, WRITE_AFTER_MS } from './health-file';

const AGAIN_MS = 1_000;

/**
 * A new OpenCode decides by this file before the app's first message; a companion that loses the app continues from
 * it.
 * @returns `heard`, to be called before other machines' messages are applied: what they withdraw has not ended.
 */
export function keepHealth(
  core: Pick<Core, 'state' | 'onHealth'>,
  {
    home,
    clock,
    warn,
    mayReplace = async () => true,
  }: Readonly<{
    home: string;
    clock: Pick<Clock, 'now' | 'wall' | 'uptime'>;
    warn(message: string): void;
    /** True once the previous content is stored elsewhere. */
    mayReplace?: () => Promise<boolean>;
  }>,
): Readonly<{ heard(before: EngineState): void; close(): Promise<void> }> {
  const file = openHealthFile(home, warn);
  const time = watchClock(clock);
  let seen = core.state();
  let shared = NOTHING_SHARED;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<unknown> = Promise.resolve();
  let isOurs = false;
  let isClosed = false;

  const keepTime = (): void => {
    shared = shiftShared(shared, time.parted()?.setMs ?? 0);
  };
  const write = async (): Promise<void> => {
    isOurs ||= await mayReplace();
    if (!isOurs) {
      if (!isClosed) timer ??= setTimeout(writeNow, AGAIN_MS).unref();
      return;
    }
    keepTime();
    const written = await file.update(() => ({
      health: sharedOf(core.state(), shared, time.offsetMs()),
      by: [process.pid],
      isApps: true,
      words: wordsOf(core.state(), time.offsetMs()),
      clock: time.read(),
    }));
    // No file is better than outdated health.
    if (!written.ok) await file.remove();
  };
  const writeNow = (): void => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
  };
  const writeSoon = (): void => {
    timer ??= setTimeout(writeNow, WRITE_AFTER_MS);
  };
  const look = (state = core.state()): void => {
    const before = seen;
    seen = state;
    if (before.manual !== seen.manual || before.pins !== seen.pins || before.pause !== seen.pause) writeSoon();
    if (isSharedAlike(before, seen)) return;
    keepTime();
    shared = mergeShared(shared, clearedBetween(before, seen, clock.now(), time.offsetMs()));
    // A deliberate reset is not news, and must not stay in the file.
    const isForgotten = seen.models.flat().length < before.models.flat().length;
    if (isForgotten || isNews(before, seen)) writeSoon();
  };
  const stop = core.onHealth(() => look());
  writeNow();
  return {
    heard(before) {
      look(before);
      seen = core.state();
      if (isNews(before, seen)) writeSoon();
    },
    async close() {
      isClosed = true;
      stop();
      look();
      if (timer) writeNow();
      await writing;
    },
  };
}
