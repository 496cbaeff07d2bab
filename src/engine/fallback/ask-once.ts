import type { FallbackClock } from './options';
import { named, reasonIn, type SignalSlice, type StopSignal, stopController } from './stop-signal';

/** `stopped` blames no model: the caller aborted, or the clock failed. */
export type Ended<Answer> =
  | Readonly<{ kind: 'answered'; answer: Answer }>
  | Readonly<{ kind: 'failed'; error: unknown }>
  | Readonly<{ kind: 'late'; error: unknown }>
  | Readonly<{ kind: 'stopped'; reason: unknown }>;

export type Limits = Readonly<{ clock: FallbackClock; timeoutMs: number | null; signals: readonly SignalSlice[] }>;

/** Waits for the call's end, the caller's stop or the time limit. Later results are ignored. */
export function askOnce<Answer>(
  call: (signal: StopSignal) => Promise<Answer>,
  { clock, timeoutMs, signals }: Limits,
): Promise<Ended<Answer>> {
  const stop = stopController();
  const done = timeoutMs === null ? null : stopController();
  return new Promise((resolve) => {
    const settle = (ended: Ended<Answer>): void => {
      for (const signal of signals) signal.removeEventListener('abort', onStop);
      done?.abort();
      resolve(ended);
    };
    const cut = (ended: Ended<Answer>, reason: unknown): void => {
      settle(ended);
      stop.abort(reason);
    };
    const onStop = (): void => {
      const reason = reasonIn(signals);
      cut({ kind: 'stopped', reason }, reason);
    };
    // Before the call: one that fails because it was stopped has not failed.
    for (const signal of signals) signal.addEventListener('abort', onStop);
    const work = (async () => call(stop.signal))();
    work.then(
      (answer) => settle({ kind: 'answered', answer }),
      (error: unknown) => settle({ kind: 'failed', error }),
    );
    if (timeoutMs === null || done === null) return;
    const late = named('TimeoutError', `No response within ${timeoutMs} ms.`);
    (async () => clock.wait(timeoutMs, done.signal))().then(
      () => (done.signal.aborted ? undefined : cut({ kind: 'late', error: late }, late)),
      (error: unknown) => (done.signal.aborted ? undefined : cut({ kind: 'stopped', reason: error }, error)),
    );
  });
}

/** @throws what the clock rejects with, or the reason of the caller's stop. */
export async function waitFor(clock: FallbackClock, ms: number, signals: readonly SignalSlice[]): Promise<void> {
  if (ms <= 0) return;
  const timer = stopController();
  let onStop = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    onStop = () => {
      const reason = reasonIn(signals);
      reject(reason);
      timer.abort(reason);
    };
    for (const signal of signals) signal.addEventListener('abort', onStop);
  });
  try {
    await Promise.race([stopped, clock.wait(ms, timer.signal)]);
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', onStop);
  }
}
