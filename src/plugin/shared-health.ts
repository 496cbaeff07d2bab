import { watchClock } from '../core/clock-watch';
import {
  asSynced,
  clearedBetween,
  isNews,
  joined,
  mergeShared,
  NOTHING_SHARED,
  type SharedEntry,
  type SharedHealth,
  sharedOf,
} from '../engine/tools';
import { healthJson, healthPath, readHealth } from '../node/health-file';
import { isAlive } from '../node/is-alive';
import { openSharedFile } from '../node/shared-file';
import type { Brain } from './brain';

/** How long news waits for more of it before it is written, in ms. */
const WRITE_AFTER_MS = 15;

/** What this process and the others of this user know of models while no app is there to tell them. */
export type Sharing = Readonly<{
  /**
   * To be awaited before a decision: takes in what others have found out, and that the machine has slept. One look at a
   * folder when there is nothing.
   */
  refresh(): Promise<void>;
  /** Resolves when what this process knows is written. */
  flush(): Promise<void>;
  /** An app is there: what it says is true, and the file says nothing any more. */
  stop(): void;
  /** The app is gone: what it said last is what this process knows. */
  resume(): void;
}>;

/** Shares the health a brain knows through a file in the state home. `warn` hears once of a file that cannot be read. */
export function shareHealth(
  brain: Brain,
  options: Readonly<{ home: string; warn: (message: string) => void; wall?: () => number }>,
): Sharing {
  const { home, warn, wall = Date.now } = options;
  const file = openSharedFile({
    path: healthPath(home),
    parse: readHealth,
    write: healthJson,
    onUnreadable: warn,
  });
  const startedAt = wall();
  const time = watchClock({ now: brain.now, wall });
  let known = NOTHING_SHARED;
  let seen = brain.state();
  let isAlone = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();

  const keepTime = (): void => {
    const partedMs = time.partedMs();
    if (partedMs === 0) return;
    if (partedMs > 0) brain.tell({ type: 'host.resumed', asleepMs: partedMs });
    seen = brain.state();
  };
  const own = (): SharedHealth => {
    keepTime();
    return sharedOf(brain.state(), known, time.offsetMs());
  };
  const take = (others: SharedHealth): void => {
    const before = own();
    known = joined(before, withoutOldBlocks(others, startedAt));
    if (JSON.stringify(before) !== JSON.stringify(known)) brain.adopt(asSynced(known, brain.now(), time.offsetMs()));
    seen = brain.state();
  };
  const write = async (): Promise<void> => {
    if (!isAlone) return void (await file.remove());
    let others = NOTHING_SHARED;
    const written = await file.update((old) => {
      others = old?.health ?? NOTHING_SHARED;
      const by = new Set([...(old?.by ?? []).filter(isAlive), process.pid]);
      return { health: joined(own(), others), by: [...by] };
    });
    if (written.ok && isAlone) take(others);
  };
  const writeNow = (): void => {
    clearTimeout(timer);
    timer = undefined;
    // A fault of ours must not become one of the process we live in.
    writing = writing.then(write).catch(() => undefined);
  };
  const writeSoon = (): void => {
    timer ??= setTimeout(writeNow, WRITE_AFTER_MS);
    timer.unref();
  };
  brain.onEntry(({ at }) => {
    const before = seen;
    seen = brain.state();
    // What changes while an app is there, it hears, and says what came of it.
    if (!isAlone || (before.models === seen.models && before.providers === seen.providers)) return;
    known = mergeShared(known, clearedBetween(before, seen, Math.round(at + time.offsetMs())));
    if (isNews(before, seen)) writeSoon();
  });
  return {
    async refresh() {
      keepTime();
      const others = isAlone ? await file.news() : null;
      if (others && isAlone) take(others.health);
    },
    async flush() {
      if (timer) writeNow();
      await writing;
    },
    stop() {
      isAlone = false;
      known = NOTHING_SHARED;
      writeSoon();
    },
    resume() {
      isAlone = true;
      seen = brain.state();
      writeSoon();
    },
  };
}

/** A restart is how a person says that what waited for them is mended. */
function withoutOldBlocks({ models, providers }: SharedHealth, startedAt: number): SharedHealth {
  const without = ([key, entry]: readonly [string, SharedEntry]): readonly [string, SharedEntry] =>
    entry.block && entry.block.since < startedAt ? [key, { ...entry, block: null }] : [key, entry];
  return { models: models.map(without), providers: providers.map(without) };
}
