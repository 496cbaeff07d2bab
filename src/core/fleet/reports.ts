import { type HealthKey, providerOf } from '../../engine';
import type { FleetHeard } from '../../protocol';

/** How often the log holds what other machines report of one model or account, in ms. */
const WRITE_EVERY_MS = 60_000;

/**
 * Which models and accounts the log holds as other machines last reported them. Reports are state: the engine follows each, and the log
 * gets the newest one, at most one line a minute for a model or account.
 */
export type Reports = Readonly<{
  /** Splits a report: the part that may be written now, and the part that the engine only follows. Null where there is none. */
  split(report: FleetHeard, now: number): readonly [due: FleetHeard | null, early: FleetHeard | null];
  /** The engine follows a part that is not written. */
  followed(report: FleetHeard): void;
  /** A line of the log holds these. */
  written(report: FleetHeard, now: number): void;
  /** Whether the announcement of a model or account waits for the next line, which then holds it. */
  withhold(key: HealthKey): boolean;
  /** Models and accounts whose line may be written now. */
  due(now: number): readonly HealthKey[];
  /** When the next line may be written, in engine ms; null when none has to be. */
  dueAt(): number | null;
  /** All that the log lacks, also where a line for it comes too early. */
  pending(): readonly HealthKey[];
  /** Takes the models and accounts that match and have changed since a record carried them: the next record does. */
  carry(isWanted: (key: HealthKey) => boolean): readonly HealthKey[];
  forget(): void;
}>;

/** Names the windows of an account, which change more often than its health. */
const WINDOWS = 'windows of ';

/** All that a report names. */
const keysOf = ({ health, windows = [], forgotten = [] }: FleetHeard): ReadonlySet<string> =>
  new Set([
    ...[health.models, health.providers].flat().map(([key]) => key),
    ...[health.windows ?? [], windows, forgotten].flat().map(([account]) => WINDOWS + account),
  ]);

function partOf({ type, health, windows, forgotten }: FleetHeard, keys: ReadonlySet<string>): FleetHeard | null {
  if (keys.size === 0) return null;
  const isIn = ([key]: readonly [string, unknown]): boolean => keys.has(key);
  const isOfIn = ([account]: readonly [string, unknown]): boolean => keys.has(WINDOWS + account);
  return {
    ...{ type, health: { models: health.models.filter(isIn), providers: health.providers.filter(isIn) } },
    ...(windows ? { windows: windows.filter(isOfIn) } : {}),
    ...(forgotten ? { forgotten: forgotten.filter(isOfIn) } : {}),
  };
}

const plain = (key: string): HealthKey => (key.startsWith(WINDOWS) ? key.slice(WINDOWS.length) : key);

/** @returns reports of which the log lacks none. */
export function createReports(): Reports {
  const writtenAt = new Map<string, number>();
  /** Whether a record carries the newest one, by model or account. */
  const pending = new Map<string, boolean>();
  const isEarly = (key: string, now: number): boolean => now < (writtenAt.get(key) ?? -Infinity) + WRITE_EVERY_MS;
  return {
    split(report, now) {
      const all = [...keysOf(report)];
      const early = new Set(all.filter((key) => isEarly(key, now)));
      if (early.size === 0) return [report, null];
      return [partOf(report, new Set(all.filter((key) => !early.has(key)))), partOf(report, early)];
    },
    followed(report) {
      for (const key of keysOf(report)) pending.set(key, false);
    },
    written(report, now) {
      for (const [key] of writtenAt) if (!isEarly(key, now)) writtenAt.delete(key);
      for (const key of keysOf(report)) {
        pending.delete(key);
        writtenAt.set(key, now);
      }
    },
    withhold(key) {
      if (pending.has(key) || pending.has(WINDOWS + key)) return true;
      if (!pending.has(providerOf(key))) return false;
      pending.set(key, true);
      return true;
    },
    due: (now) => [...pending.keys()].filter((key) => !isEarly(key, now)).map(plain),
    dueAt() {
      let soonest: number | null = null;
      for (const key of pending.keys())
        soonest = Math.min(soonest ?? Infinity, (writtenAt.get(key) ?? 0) + WRITE_EVERY_MS);
      return soonest;
    },
    pending: () => [...pending.keys()].map(plain),
    carry(isWanted) {
      const keys = [...pending].flatMap(([key, isCarried]) => (!isCarried && isWanted(plain(key)) ? [key] : []));
      for (const key of keys) pending.set(key, true);
      return keys.map(plain);
    },
    forget() {
      pending.clear();
      writtenAt.clear();
    },
  };
}
