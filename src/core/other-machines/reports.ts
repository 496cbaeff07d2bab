import { type HealthKey, providerOf } from '../../engine';
import type { FleetHeard } from '../../protocol';

/** How often the log holds what other machines report of one model or account, in ms. */
const WRITE_EVERY_MS = 60_000;

/**
 * Which models and accounts the log holds as other machines last reported them. Reports are state: the engine follows each, and the log
 * gets the newest one, at most one line a minute for a model or account.
 */
export type Reports = Readonly<{
  /** Whether a line for something in a report would come too early. */
  isEarly(report: FleetHeard, now: number): boolean;
  /** The engine follows a report that is not written. */
  followed(report: FleetHeard): void;
  /** A line of the log holds these. */
  written(report: FleetHeard, now: number): void;
  /** Whether the announcement of a model or account waits for the next line, which then holds it. */
  withhold(key: HealthKey): boolean;
  /** Takes the models and accounts whose line may be written now, or all that the log lacks. */
  takeDue(now: number, isAll?: boolean): readonly HealthKey[];
  /** When the next line may be written, in engine ms; null when none has to be. */
  dueAt(): number | null;
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

const plain = (key: string): HealthKey => (key.startsWith(WINDOWS) ? key.slice(WINDOWS.length) : key);

/** @returns reports of which the log lacks none. */
export function createReports(): Reports {
  const writtenAt = new Map<string, number>();
  /** Whether a record carries the newest one, by model or account. */
  const pending = new Map<string, boolean>();
  const isEarly = (key: string, now: number): boolean => now < (writtenAt.get(key) ?? -Infinity) + WRITE_EVERY_MS;
  return {
    isEarly: (report, now) => [...keysOf(report)].some((key) => isEarly(key, now)),
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
    takeDue(now, isAll = false) {
      const keys = [...pending.keys()].filter((key) => isAll || !isEarly(key, now));
      // Also where nothing is left to write of it.
      for (const key of keys) {
        pending.delete(key);
        writtenAt.set(key, now);
      }
      return keys.map(plain);
    },
    dueAt() {
      let soonest: number | null = null;
      for (const key of pending.keys())
        soonest = Math.min(soonest ?? Infinity, (writtenAt.get(key) ?? 0) + WRITE_EVERY_MS);
      return soonest;
    },
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
