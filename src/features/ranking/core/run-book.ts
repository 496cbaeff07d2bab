import { failureText } from '../../../contract/failure-text';
import { KEPT_MAX, type KeptChange } from '../rules/kept/change';
import type { Kept } from '../rules/kept/kept';
import { Run } from '../rules/run/run';
import type { RankingPort } from './port';

/** A run on its way, as others see it. */
export type RunBook = Readonly<{
  /** The run as it is kept; null for none, and for what a newer version kept. */
  of(key: string): Run | null;
  /** Keeps a run. @throws Error where it cannot be kept: a proposal that is lost by a crash is none. */
  keep(key: string, run: Run): void;
  /** Counts up with each change of it. */
  rev(key: string): number;
  /** Resolves when the run is not as it was at `rev`, or after `waitMs`. */
  changed(key: string, rev: number, waitMs: number): Promise<void>;
  /** Whether something of it is under way here. */
  isBusy(key: string): boolean;
  /** Why what was under way here last has ended before its end; null where it has not. */
  failureOf(key: string): string | null;
  /** Does the work of a run, one at a time. */
  begin(key: string, work: (signal: AbortSignal) => Promise<void>): void;
  /** Ends what is under way; resolves when it has ended. */
  stop(key: string): Promise<void>;
}>;

type Schedule = (delayMs: number, callback: () => void) => () => void;

/** What has to go for a new run to be kept: the one that was begun first. */
function roomFor(key: string, { runs }: Kept): readonly KeptChange[] {
  if (runs.has(key) || runs.size < KEPT_MAX.run) return [];
  const begun = [...runs].map(([agent, run]) => ({ agent, at: Run.safeParse(run).data?.startedAt }));
  const [oldest] = begun.toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0));
  return oldest === undefined ? [] : [{ part: 'run', agent: oldest.agent, value: null }];
}

/** Keeps runs in a book, and tells who waits for them. */
export function createRunBook(book: RankingPort['book'], schedule: Schedule): RunBook {
  const revs = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();
  const busy = new Map<string, Readonly<{ ended: Promise<void>; abort: AbortController }>>();
  const failures = new Map<string, string>();
  const tell = (key: string): void => {
    revs.set(key, (revs.get(key) ?? 0) + 1);
    for (const wake of waiting.get(key) ?? []) wake();
  };
  return {
    of: (key) => Run.safeParse(book.read().runs.get(key)).data ?? null,
    keep(key, run) {
      const kept = book.change([...roomFor(key, book.read()), { part: 'run', agent: key, value: run }]);
      if (!kept.ok) throw new Error(kept.reason);
      tell(key);
    },
    rev: (key) => revs.get(key) ?? 0,
    changed: (key, rev, waitMs) =>
      new Promise((resolve) => {
        if ((revs.get(key) ?? 0) !== rev) return resolve();
        const wakes = waiting.get(key) ?? new Set();
        waiting.set(key, wakes);
        const done = (): void => {
          wakes.delete(done);
          cancel();
          resolve();
        };
        const cancel = schedule(waitMs, done);
        wakes.add(done);
      }),
    isBusy: (key) => busy.has(key),
    failureOf: (key) => failures.get(key) ?? null,
    begin(key, work) {
      const abort = new AbortController();
      failures.delete(key);
      const ended = work(abort.signal)
        // Nobody awaits it: what cannot be kept must not end the process.
        .catch((error: unknown) => void failures.set(key, failureText(error)))
        .finally(() => {
          busy.delete(key);
          tell(key);
        });
      busy.set(key, { ended, abort });
    },
    async stop(key) {
      const running = busy.get(key);
      running?.abort.abort();
      await running?.ended;
    },
  };
}
