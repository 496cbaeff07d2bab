import { failureText } from '../../../contract/failure-text';
import { KEPT_MAX, type KeptChange } from '../rules/kept/change';
import type { Kept } from '../rules/kept/kept';
import { Run } from '../rules/run/run';
import type { RankingPort } from './port';

export type RunBook = Readonly<{
  of(key: string): Run | null;
  /** @throws Error if it cannot be stored: a crash would lose the proposal. */
  keep(key: string, run: Run): void;
  rev(key: string): number;
  /** Resolves when the revision differs from `rev`, or after `waitMs`. */
  changed(key: string, rev: number, waitMs: number): Promise<void>;
  isBusy(key: string): boolean;
  /** Why the latest work ended early; null if it did not. */
  failureOf(key: string): string | null;
  begin(key: string, work: (signal: AbortSignal) => Promise<void>): void;
  stop(key: string): Promise<void>;
}>;

type Schedule = (delayMs: number, callback: () => void) => () => void;

function roomFor(key: string, { runs }: Kept): readonly KeptChange[] {
  if (runs.has(key) || runs.size < KEPT_MAX.run) return [];
  const begun = [...runs].map(([agent, run]) => ({ agent, at: Run.safeParse(run).data?.startedAt }));
  const [oldest] = begun.toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0));
  return oldest === undefined ? [] : [{ part: 'run', agent: oldest.agent, value: null }];
}

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
      const result = book.change([...roomFor(key, book.read()), { part: 'run', agent: key, value: run }]);
      if (!result.ok) throw new Error(result.reason);
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
        // Not awaited: a failure to store must not end the process.
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
