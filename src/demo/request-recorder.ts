import type { RecordedRequest } from './scripted-steps';

/** A record while its exchange goes on. */
export type MutableRecord = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] };

/** Tells whether a request is the one that is waited for. */
export type Predicate = (request: RecordedRequest) => boolean;

type Waiter = Readonly<{ predicate: Predicate; found: (request: RecordedRequest) => void; fail: (why: Error) => void }>;

/** Keeps the requests a provider saw, and those who wait for one. */
export type Recorder = Readonly<{
  add: (record: MutableRecord) => void;
  /** Says that a record is not what it was: waiters look at it again. */
  changed: (record: RecordedRequest) => void;
  list: (model?: string) => readonly RecordedRequest[];
  clear: () => void;
  /** Resolves with the first past or future request that fits; rejects after `limitMs` with what was seen. */
  wait: (predicate: Predicate, limitMs: number) => Promise<RecordedRequest>;
  failWaiters: (why: Error) => void;
}>;

/** Makes an empty recorder. */
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
