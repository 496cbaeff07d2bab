import { countAs } from '../../core/base/internal-errors';
import { watchClock } from '../../core/ports/clock-watch';
import type { Clock } from '../../core/ports/ports';
import {
  asSynced,
  byKind,
  clearedBetween,
  endedBy,
  FLAPPING,
  isNews,
  isSharedAlike,
  joined,
  mergeShared,
  NOTHING_SHARED,
  retimedEnds,
  type SharedEntry,
  type SharedHealth,
  type SharedWords,
  sharedOf,
  shiftShared,
  wordsOf,
} from '../../engine/tools';
import type { SeenEnd } from '../../features/fleet/core/exchange';
import { machineUptime } from '../../node/base/clock';
import { isAlive } from '../../node/base/is-alive';
import { type Found, healthAt, openHealthFile, WRITE_AFTER_MS, wordsAt } from '../../node/data/health-file';
import type { Brain } from '../base/brain';

/** Shares health between the user's processes while no app is connected. */
export type Sharing = Readonly<{
  /** Await before a decision. Without news it costs one look at a folder. */
  refresh(): Promise<void>;
  flush(): Promise<void>;
  /** Ends reported by other machines; call before the engine handles them. */
  ended(all: readonly SeenEnd[]): void;
  /** An app is connected: read its file until its first state arrives. */
  join(): void;
  /** The app's state arrived; the file is no longer read. */
  told(): void;
  /** The app is gone: its last state applies. */
  resume(): void;
}>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function shareHealth(
  brain: Brain,
  options: Readonly<{ home: string; warn: (message: string) => void; clock?: Pick<Clock, 'wall' | 'uptime'> }>,
): Sharing {
  const { home, warn, clock = { wall: Date.now, uptime: machineUptime } } = options;
  const file = openHealthFile(home, warn);
  let startedAt = clock.wall();
  const time = watchClock({ now: brain.now, wall: () => clock.wall(), uptime: () => clock.uptime() });
  let remote = NOTHING_SHARED;
  let seen = brain.state();
  let from: 'others' | 'file' | 'app' = 'others';
  /** User actions were read; from then on only an app changes them. */
  let hasWords = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();

  const keepTime = (): void => {
    const parted = time.parted();
    if (!parted) return;
    const { sleptMs, setMs } = parted;
    if (sleptMs > 0) brain.tell({ type: 'host.resumed', asleepMs: sleptMs });
    remote = shiftShared(remote, setMs);
    startedAt += setMs;
    seen = brain.state();
  };
  const inFile = (found: Found): SharedHealth => {
    keepTime();
    return healthAt(found, time.read());
  };
  const own = (): SharedHealth => {
    keepTime();
    return sharedOf(brain.state(), remote, time.offsetMs());
  };
  const take = (others: SharedHealth, words: SharedWords | null = null): void => {
    const before = own();
    remote = joined(before, withoutOldBlocks(others, startedAt));
    if (words !== null || JSON.stringify(before) !== JSON.stringify(remote))
      brain.adopt(asSynced(remote, brain.now(), time.offsetMs(), words));
    seen = brain.state();
  };
  const wordsIn = (found: Found): SharedWords | null => {
    const words = found.isApps || !hasWords ? wordsAt(found, time.read()) : undefined;
    hasWords ||= words !== undefined;
    return words ?? null;
  };
  const write = async (): Promise<void> => {
    if (from !== 'others') return;
    let others = NOTHING_SHARED;
    const written = await file.update((old) => {
      others = old ? inFile(old) : NOTHING_SHARED;
      const by = new Set([...(old?.by ?? []).filter(isAlive), process.pid]);
      // Only the app changes user actions.
      const words = withHolds(old ? wordsAt(old, time.read()) : undefined, wordsOf(brain.state(), time.offsetMs()));
      return { health: joined(own(), others), by: [...by], words, clock: time.read() };
    });
    if (written.ok && from === 'others') take(others);
  };
  const writeNow = (): void => {
    clearTimeout(timer);
    timer = undefined;
    // An error here must not end OpenCode's process.
    writing = writing.then(write).catch(countAs('health.write'));
  };
  const writeSoon = (): void => {
    timer ??= setTimeout(writeNow, WRITE_AFTER_MS);
    timer.unref();
  };
  brain.onEntry(({ at }) => {
    const before = seen;
    seen = brain.state();
    // A connected app gets the change and reports the result.
    if (from === 'app' || isSharedAlike(before, seen)) return;
    remote = mergeShared(remote, clearedBetween(before, seen, at, time.offsetMs()));
    if (from === 'others' && isNews(before, seen)) writeSoon();
  });
  brain.onStep((_, event) => {
    // An entry withdrawn by another machine is no end here.
    if (event.type === 'fleet.heard') seen = brain.state();
  });
  return {
    async refresh() {
      keepTime();
      const found = from === 'app' ? null : await file.news();
      if (found && from !== 'app') take(inFile(found), wordsIn(found));
    },
    async flush() {
      if (timer) writeNow();
      await writing;
    },
    ended(all) {
      if (from !== 'others') return;
      keepTime();
      const toWall = (at: number): number => Math.round(at + time.offsetMs());
      const ends = all.map(([key, cleared]) => [key, endedBy({ cleared: retimedEnds(cleared, toWall) })] as const);
      remote = mergeShared(remote, byKind(ends));
      writeSoon();
    },
    join() {
      from = 'file';
    },
    told() {
      from = 'app';
      hasWords = true;
      remote = NOTHING_SHARED;
    },
    resume() {
      from = 'others';
      seen = brain.state();
      writeSoon();
    },
  };
}

/** Adds the flap rule's holds, which no other process stores. */
function withHolds(words: SharedWords | undefined, { manual }: SharedWords): SharedWords | undefined {
  const held = manual.filter(([, { hold }]) => hold?.by === FLAPPING);
  if (held.length === 0) return words;
  const keys = new Set(held.map(([key]) => key));
  const { manual: others = [], pins = [], pause = null } = words ?? {};
  return { manual: [...others.filter(([key]) => !keys.has(key)), ...held], pins, pause };
}

/** A restart means that the user fixed the cause of a block. */
function withoutOldBlocks({ models, providers, ...others }: SharedHealth, startedAt: number): SharedHealth {
  const without = ([key, entry]: readonly [string, SharedEntry]): readonly [string, SharedEntry] =>
    entry.block && entry.block.since < startedAt ? [key, { ...entry, block: null }] : [key, entry];
  return { ...others, models: models.map(without), providers: providers.map(without) };
}
