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

/** What this process and the others of this user know of models while no app tells them. */
export type Sharing = Readonly<{
  /**
   * To be awaited before a decision: takes in what others have found out, and that the machine has slept. One look at a
   * folder when there is nothing.
   */
  refresh(): Promise<void>;
  /** Resolves when what this process knows is written. */
  flush(): Promise<void>;
  /** Other machines have seen something end; the engine hears so next. */
  ended(all: readonly SeenEnd[]): void;
  /** An app is there, and keeps the file: until its word has come, the file says what it knows. */
  join(): void;
  /** The app's word has come: it is true, and the file is not looked at any more. */
  told(): void;
  /** The app is gone: what it said last is what this process knows. */
  resume(): void;
}>;

/** Shares the health a brain knows through a file in the state home. `warn` hears once of a file that cannot be read. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function shareHealth(
  brain: Brain,
  options: Readonly<{ home: string; warn: (message: string) => void; clock?: Pick<Clock, 'wall' | 'uptime'> }>,
): Sharing {
  const { home, warn, clock = { wall: Date.now, uptime: machineUptime } } = options;
  const file = openHealthFile(home, warn);
  let startedAt = clock.wall();
  const time = watchClock({ now: brain.now, wall: () => clock.wall(), uptime: () => clock.uptime() });
  let known = NOTHING_SHARED;
  let seen = brain.state();
  /** Who says what is known of models: the processes together, the app's file, or the app. */
  let from: 'others' | 'file' | 'app' = 'others';
  /** Whether what people have said is known: by then only an app says more of it. */
  let hasWords = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();

  const keepTime = (): void => {
    const parted = time.parted();
    if (!parted) return;
    const { sleptMs, setMs } = parted;
    if (sleptMs > 0) brain.tell({ type: 'host.resumed', asleepMs: sleptMs });
    known = shiftShared(known, setMs);
    startedAt += setMs;
    seen = brain.state();
  };
  const inFile = (found: Found): SharedHealth => {
    keepTime();
    return healthAt(found, time.read());
  };
  const own = (): SharedHealth => {
    keepTime();
    return sharedOf(brain.state(), known, time.offsetMs());
  };
  const take = (others: SharedHealth, words: SharedWords | null = null): void => {
    const before = own();
    known = joined(before, withoutOldBlocks(others, startedAt));
    if (words !== null || JSON.stringify(before) !== JSON.stringify(known))
      brain.adopt(asSynced(known, brain.now(), time.offsetMs(), words));
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
      // What people have said is the app's to change: it stays as the last one wrote it.
      const words = withHolds(old ? wordsAt(old, time.read()) : undefined, wordsOf(brain.state(), time.offsetMs()));
      return { health: joined(own(), others), by: [...by], words, clock: time.read() };
    });
    if (written.ok && from === 'others') take(others);
  };
  const writeNow = (): void => {
    clearTimeout(timer);
    timer = undefined;
    // A fault of ours must not become one of the process we live in.
    writing = writing.then(write).catch(countAs('health.write'));
  };
  const writeSoon = (): void => {
    timer ??= setTimeout(writeNow, WRITE_AFTER_MS);
    timer.unref();
  };
  brain.onEntry(({ at }) => {
    const before = seen;
    seen = brain.state();
    // What changes while an app is there, it hears, and says what came of it.
    if (from === 'app' || isSharedAlike(before, seen)) return;
    known = mergeShared(known, clearedBetween(before, seen, at, time.offsetMs()));
    if (from === 'others' && isNews(before, seen)) writeSoon();
  });
  brain.onStep((_, event) => {
    // What other machines take back has not ended here.
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
      known = mergeShared(known, byKind(ends));
      writeSoon();
    },
    join() {
      from = 'file';
    },
    told() {
      from = 'app';
      hasWords = true;
      known = NOTHING_SHARED;
    },
    resume() {
      from = 'others';
      seen = brain.state();
      writeSoon();
    },
  };
}

/** The same, with the models that the rule against flapping holds here: nobody else stores that without an app. */
function withHolds(words: SharedWords | undefined, { manual }: SharedWords): SharedWords | undefined {
  const held = manual.filter(([, { hold }]) => hold?.by === FLAPPING);
  if (held.length === 0) return words;
  const keys = new Set(held.map(([key]) => key));
  const { manual: others = [], pins = [], pause = null } = words ?? {};
  return { manual: [...others.filter(([key]) => !keys.has(key)), ...held], pins, pause };
}

/** A restart is how a person says that what waited for them is mended. */
function withoutOldBlocks({ models, providers, ...others }: SharedHealth, startedAt: number): SharedHealth {
  const without = ([key, entry]: readonly [string, SharedEntry]): readonly [string, SharedEntry] =>
    entry.block && entry.block.since < startedAt ? [key, { ...entry, block: null }] : [key, entry];
  return { ...others, models: models.map(without), providers: providers.map(without) };
}
