import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { latest } from '../../../src/node/socket/latest';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('given a stream of newest values, one every 100 ms', () => {
  it('when a value comes every 10 ms for one second, then the first, then one every 100 ms, then the last are sent', () => {
    const sent: number[] = [];
    const stream = latest<number>({ intervalMs: 100, isReady: () => true, send: (value) => sent.push(value) });
    for (let ms = 0; ms < 1_000; ms += 10) {
      stream.offer(ms);
      vi.advanceTimersByTime(10);
    }
    vi.runAllTimers();
    expect(sent).toEqual([0, 90, 190, 290, 390, 490, 590, 690, 790, 890, 990]);
  });

  it('when the receiver is not ready, then the newest waits for the poke', () => {
    const sent: number[] = [];
    let isReady = false;
    const stream = latest<number>({ intervalMs: 100, isReady: () => isReady, send: (value) => sent.push(value) });
    stream.offer(1);
    stream.offer(2);
    vi.runAllTimers();
    expect(sent).toEqual([]);
    isReady = true;
    stream.poke();
    stream.poke();
    vi.runAllTimers();
    expect(sent).toEqual([2]);
  });

  it('when it closes with a value held back, then nothing is sent and no timer remains', () => {
    const sent: number[] = [];
    const stream = latest<number>({ intervalMs: 100, isReady: () => true, send: (value) => sent.push(value) });
    stream.offer(1);
    stream.offer(2);
    stream.close();
    expect([sent, vi.getTimerCount()]).toEqual([[1], 0]);
  });
});
