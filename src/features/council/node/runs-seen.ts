import { existsSync, type FSWatcher } from 'node:fs';
import { basename } from 'node:path';
import { countAs } from '../../../core/base/internal-errors';
import { watchFolder } from '../../../node/base/watch-folder';
import { latest } from '../../../node/socket/latest';
import type { CouncilRunRow } from '../contract/council-run';
import { openEntry, type RunEntry } from './run-entry';
import { councilFolder, isRunName, runFolder, runsIn } from './run-folder';

export type RunsSeen = Readonly<{
  /** In progress, abandoned, or ended within a day; newest first. */
  rows(): readonly CouncilRunRow[];
  all(): Promise<readonly CouncilRunRow[]>;
  entry(run: string): Promise<RunEntry | null>;
  leftFor(run: string, why: string | null): void;
  /** At most ten times a second. @returns a function that ends it. */
  onChange(listener: () => void): () => void;
  close(): void;
}>;

const KNOWN_MAX = 30;
/** Source: the snapshot of the contract. */
const SHOWN_MAX = 20;
const SHOWN_MS = 86_400_000;
const TELL_EVERY_MS = 100;
/** In ms; a player may die, and not every system reports file changes. */
const PLAYED_LOOK_MS = 1_000;
const OPEN_LOOK_MS = 30_000;

/**
 * Without runs it only watches for the first one.
 * @param now Unix ms.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function watchRuns(home: string, now: () => number = Date.now): RunsSeen {
  const entries = new Map<string, RunEntry>();
  const reasons = new Map<string, string>();
  const watchers = new Map<string, FSWatcher | null>();
  const listeners = new Set<() => void>();
  let looking: Promise<void> | null = null;
  let isAgain = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let plannedMs: number | null = null;
  /** True to read again: systems report a growing file many times. */
  const soon = new Map<string, boolean>();
  let above: Watched | null = null;

  const telling = latest<null>({
    intervalMs: TELL_EVERY_MS,
    isReady: () => true,
    send: () => {
      for (const listener of listeners) listener();
    },
  });
  const changed = (): void => {
    if (!isClosed) telling.offer(null);
  };
  const open = (): readonly (readonly [string, RunEntry])[] => [...entries].filter(([, entry]) => entry.isOpen());

  const lookAt = async (run: string, entry: RunEntry): Promise<void> => {
    if (await entry.look()) changed();
    if (isClosed || entries.get(run) !== entry) return;
    if (!entry.isOpen()) unwatch(run);
    else if (!watchers.has(run) && watchers.size < KNOWN_MAX)
      watchers.set(
        run,
        watchFolder(runFolder(home, run), () => void lookSoon(run)),
      );
  };
  const lookSoon = async (run: string): Promise<void> => {
    if (soon.has(run)) return void soon.set(run, true);
    soon.set(run, false);
    const entry = entries.get(run);
    if (entry && !isClosed) await lookAt(run, entry);
    const isMore = soon.get(run);
    soon.delete(run);
    if (isMore) void lookSoon(run);
    plan();
  };
  const unwatch = (run: string): void => {
    watchers.get(run)?.close();
    watchers.delete(run);
  };

  const lookAround = async (): Promise<void> => {
    watchAbove();
    const names = await runsIn(home);
    for (const run of entries.keys())
      if (!names.includes(run)) {
        entries.delete(run);
        unwatch(run);
        changed();
      }
    for (const run of names.slice(0, KNOWN_MAX)) if (!entries.has(run) && !isClosed) await enter(run);
    plan();
  };
  const enter = async (run: string): Promise<RunEntry> => {
    const entry = openEntry(home, run);
    entries.set(run, entry);
    entry.leftFor(reasons.get(run) ?? null);
    reasons.delete(run);
    await lookAt(run, entry);
    return entry;
  };
  const around = (): Promise<void> => {
    if (looking !== null) isAgain = true;
    looking ??= lookAround()
      .catch(countAs('council.runs'))
      .then(() => {
        looking = null;
        if (!isAgain || isClosed) return;
        isAgain = false;
        return around();
      });
    return looking;
  };

  const watchAbove = (): void => {
    const folder = councilFolder(home);
    const isThere = existsSync(folder);
    const path = isThere ? folder : home;
    if (isClosed || above?.path === path) return;
    above?.watcher?.close();
    const isMeant = (name: string | null): boolean => isThere || name === null || name === basename(folder);
    above = { path, watcher: watchFolder(path, (name) => void (isMeant(name) && around())) };
  };
  const plan = (): void => {
    const isAnyPlayed = open().some(([, entry]) => entry.row().isPlayed);
    const isNeeded = isAnyPlayed || above?.watcher === null || open().length > 0;
    const everyMs = isClosed || !isNeeded ? null : isAnyPlayed ? PLAYED_LOOK_MS : OPEN_LOOK_MS;
    if (everyMs === plannedMs) return;
    clearTimeout(timer);
    plannedMs = everyMs;
    if (everyMs !== null) timer = setTimeout(lookAgain, everyMs).unref();
  };
  const lookAgain = async (): Promise<void> => {
    plannedMs = null;
    const played = open().filter(([, entry]) => entry.row().isPlayed);
    await Promise.all((played.length > 0 ? played : open()).map(([run, entry]) => lookAt(run, entry)));
    if (played.length === 0) await around();
    plan();
  };

  const newestFirst = (): readonly CouncilRunRow[] =>
    [...entries].toSorted(([one], [other]) => (one < other ? 1 : -1)).map(([, entry]) => entry.row());

  watchAbove();
  if (existsSync(councilFolder(home))) void around();
  return {
    rows: () =>
      newestFirst()
        .filter(({ state, endedAt }) => state !== 'not_begun' && (endedAt === null || now() - endedAt < SHOWN_MS))
        .slice(0, SHOWN_MAX),
    async all() {
      await around();
      for (const run of await runsIn(home)) if (!entries.has(run)) await enter(run);
      plan();
      return newestFirst();
    },
    async entry(run) {
      if (!isRunName(run)) return null;
      if (!existsSync(runFolder(home, run))) {
        await around();
        return null;
      }
      const existing = entries.get(run);
      if (existing) await lookAt(run, existing);
      const entry = existing ?? (await enter(run));
      plan();
      return entry;
    },
    leftFor(run, why) {
      const entry = entries.get(run);
      if (!entry) {
        // A run may begin and end before the system reports its folder.
        if (why === null) reasons.delete(run);
        else reasons.set(run, why);
        return;
      }
      if (entry.leftFor(why)) changed();
      void lookSoon(run);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      telling.close();
      above?.watcher?.close();
      for (const run of [...watchers.keys()]) unwatch(run);
      listeners.clear();
    },
  };
}

type Watched = Readonly<{ path: string; watcher: FSWatcher | null }>;
