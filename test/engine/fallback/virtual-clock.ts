import type { FallbackClock, StopSignal } from '../../../src/engine/fallback/create-fallback';

type Waiting = { at: number; resolve: () => void };

/** Lets everything run that needs no time. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Time that only the test moves. */
export class VirtualClock implements FallbackClock {
  #now = 0;
  #waiting: Waiting[] = [];

  now(): number {
    return this.#now;
  }

  /** Rejects when it is stopped, as the timers of Node do. */
  wait(ms: number, signal?: StopSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = (): void => {
        this.#waiting = this.#waiting.filter((each) => each !== entry);
        reject(signal?.reason);
      };
      const entry: Waiting = {
        at: this.#now + ms,
        resolve: () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        },
      };
      this.#waiting.push(entry);
      signal?.addEventListener('abort', stop);
    });
  }

  /** Timers that would still fire. */
  get pending(): number {
    return this.#waiting.length;
  }

  /** Moves time on, stopping at each timer on the way. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settled();
    for (let next = this.#dueBy(end); next; next = this.#dueBy(end)) {
      const due = next;
      this.#now = Math.max(this.#now, due.at);
      this.#waiting = this.#waiting.filter((each) => each !== due);
      due.resolve();
      await settled();
    }
    this.#now = end;
  }

  /** Moves time on until `work` is done. @returns how it ended, never throws. */
  async until<T>(work: Promise<T>): Promise<PromiseSettledResult<T>> {
    let result: PromiseSettledResult<T> | null = null;
    void Promise.allSettled([work]).then(([only]) => {
      result = only;
    });
    for (;;) {
      await settled();
      if (result) return result;
      const next = this.#dueBy(Number.POSITIVE_INFINITY);
      if (!next) throw new Error(`nothing is due at ${this.#now}, and the work is not done`);
      await this.advance(Math.max(0, next.at - this.#now));
    }
  }

  #dueBy(end: number): Waiting | undefined {
    return this.#waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }
}
