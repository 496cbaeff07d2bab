import { type HealthKey, providerOf } from '../../engine';
import type { FleetHeard } from '../../protocol';

/** In ms. */
const WRITE_EVERY_MS = 60_000;

/**
 * Reports of other machines that the log lacks. The engine follows each report; the log gets the newest, at most one
 * line a minute per model or account.
 */
export type Reports = Readonly<{
  isEarly(report: FleetHeard, now: number): boolean;
  followed(report: FleetHeard): void;
  written(report: FleetHeard, now: number): void;
  /** The next line then contains the announcement. */
  withhold(key: HealthKey): boolean;
  /** `isAll` ignores the minimum time between lines. */
  takeDue(now: number, isAll?: boolean): readonly HealthKey[];
  /** Engine ms. */
  dueAt(): number | null;
  /** The next record contains these keys. */
  carry(isWanted: (key: HealthKey) => boolean): readonly HealthKey[];
  forget(): void;
}>;

/** Windows have their own keys because they change more often than health. */
const WINDOWS = 'windows of ';

const keysOf = ({ health, windows = [], forgotten = [] }: FleetHeard): ReadonlySet<string> =>
  new Set([
    ...[health.models, health.providers].flat().map(([key]) => key),
    ...[health.windows ?? [], windows, forgotten].flat().map(([account]) => WINDOWS + account),
  ]);

const plain = (key: string): HealthKey => (key.startsWith(WINDOWS) ? key.slice(WINDOWS.length) : key);

export function createReports(): Reports {
  const writtenAt = new Map<string, number>();
  /** Whether a record contains the newest report. */
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
      // Also if nothing is left to write.
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
