import type { FallbackClock } from './options';
import { named, reasonIn, type SignalSlice, type StopSignal, stopController } from './stop-signal';

/** How one call ended. `stopped` blames no model: the caller aborted, or the clock itself failed. */
export type Ended<Answer> =
  | Readonly<{ kind: 'answered'; answer: Answer }>
  | Readonly<{ kind: 'failed'; error: unknown }>
  | Readonly<{ kind: 'late'; error: unknown }>
  | Readonly<{ kind: 'stopped'; reason: unknown }>;

export type Limits = Readonly<{ clock: FallbackClock; timeoutMs: number | null; signals: readonly SignalSlice[] }>;

/**
 * Makes one call and waits for its end, the caller's stop or the time limit, whichever comes first. What the call says
 * after that is not listened to; its own signal has told it so.
 */
export function askOnce<Answer>(
  call: (signal: StopSignal) => Promise<Answer>,
  { clock, timeoutMs, signals }: Limits,
): Promise<Ended<Answer>> {
  const stop = stopController();
  // A call without a limit has no timer to end.
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
    // Before the call, so that it is heard first: a call that fails because it was stopped has not failed.
    for (const signal of signals) signal.addEventListener('abort', onStop);
    const work = (async () => call(stop.signal))();
    work.then(
      (answer) => settle({ kind: 'answered', answer }),
      (error: unknown) => settle({ kind: 'failed', error }),
    );
    if (timeoutMs === null || done === null) return;
    const late = named('TimeoutError', `No answer within ${timeoutMs} ms.`);
    (async () => clock.wait(timeoutMs, done.signal))().then(
      () => (done.signal.aborted ? undefined : cut({ kind: 'late', error: late }, late)),
      (error: unknown) => (done.signal.aborted ? undefined : cut({ kind: 'stopped', reason: error }, error)),
    );
  });
}

/** Waits, or stops waiting. @throws what the clock rejects with, or the reason of the caller's stop. */
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
