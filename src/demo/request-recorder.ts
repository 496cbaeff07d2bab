import type { RecordedRequest } from './scripted-steps';

export type MutableRecord = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] };

export type Predicate = (request: RecordedRequest) => boolean;

type Waiter = Readonly<{ predicate: Predicate; found: (request: RecordedRequest) => void; fail: (why: Error) => void }>;

export type Recorder = Readonly<{
  add: (record: MutableRecord) => void;
  /** Checks waiters again after a change of the record. */
  changed: (record: RecordedRequest) => void;
  list: (model?: string) => readonly RecordedRequest[];
  clear: () => void;
  /** Resolves with the first matching request, past or future; rejects after `limitMs` with all seen requests. */
  wait: (predicate: Predicate, limitMs: number) => Promise<RecordedRequest>;
  failWaiters: (why: Error) => void;
}>;

export function createRecorder(): Recorder {
  let records: readonly MutableRecord[] = [];
  const waiters = new Set<Waiter>();
  const changed = (record: RecordedRequest) => {
    for (const waiter of [...waiters]) if (waiter.predicate(record)) waiter.found(record);
  };
  const describeSeen = () => JSON.stringify(records.map(({ model, path, aborted }) => ({ model, path, aborted })));
  const waitForFuture = (predicate: Predicate, limitMs: number) =>
    new Promise<RecordedRequest>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        waiters.delete(waiter);
      };
      const waiter: Waiter = {
        predicate,
        found: (request) => {
          leave();
          resolve(request);
        },
        fail: (why) => {
          leave();
          reject(why);
        },
      };
      const tooLate = () => waiter.fail(new Error(`no such request within ${limitMs} ms; seen: ${describeSeen()}`));
      const timer = setTimeout(tooLate, limitMs);
      waiters.add(waiter);
    });
  return {
    add: (record) => {
      records = [...records, record];
      changed(record);
    },
    changed,
    list: (model) => records.filter((record) => model === undefined || record.model === model),
    clear: () => {
      records = [];
    },
    wait: (predicate, limitMs) => {
      const past = records.find(predicate);
      return past === undefined ? waitForFuture(predicate, limitMs) : Promise.resolve(past);
    },
    failWaiters: (why) => {
      for (const waiter of [...waiters]) waiter.fail(why);
    },
  };
}
