import { stat } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { limited } from '../../src/plugin/base/guarded';

const never = new Promise<string>(() => undefined);

/** Timers of the limit that are set and have neither fired nor been cleared; what else runs in this process sets its own. */
function ownTimers() {
  const left = new Set<unknown>();
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const setOwn = (callback: () => void, delayMs: number) => {
    const timer = set(() => {
      left.delete(timer);
      callback();
    }, delayMs);
    if (new Error('who asks').stack?.includes('within')) left.add(timer);
    return timer;
  };
  vi.stubGlobal('setTimeout', setOwn);
  vi.stubGlobal('clearTimeout', (timer: ReturnType<typeof setTimeout>) => {
    left.delete(timer);
    clear(timer);
  });
  return left;
}

describe('given work with a limit', () => {
  it.each([0, 40, 250, 300, 15_000])('when it does not end within %i ms, then nobody waits longer', async (limitMs) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const left = ownTimers();
    try {
      let given: string | null | undefined;
      void limited(never, limitMs).then((value) => (given = value));
      await vi.advanceTimersByTimeAsync(Math.max(0, limitMs - 1));
      if (limitMs > 0) expect([given, left.size]).toEqual([undefined, 1]);
      await vi.advanceTimersByTimeAsync(1);
      expect([given, left.size]).toEqual([null, 0]);
    } finally {
      vi.unstubAllGlobals();
      vi.useRealTimers();
    }
  });

  it('when it ends in time, then that is what it gives, and no timer is left', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const left = ownTimers();
    try {
      expect([await limited(Promise.resolve('done'), 300), left.size]).toEqual(['done', 0]);
    } finally {
      vi.unstubAllGlobals();
      vi.useRealTimers();
    }
  });

  it('when it throws, then so does the wait', async () => {
    await expect(limited(Promise.reject(new Error('no')), 300)).rejects.toThrow('no');
  });

  it('when the process was held up for longer than the limit, then what had come meanwhile still counts', async () => {
    const found = limited(
      stat('.').then(() => 'there'),
      300,
    );
    for (const end = performance.now() + 400; performance.now() < end; );
    expect(await found).toBe('there');
  });
});
