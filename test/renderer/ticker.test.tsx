import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTicker, dueMs } from '../../src/renderer/app/ticker';

const NOON = Date.UTC(2026, 0, 15, 12, 0, 0);
const due = (now: number, ...ends: (number | null)[]) => ends.map((until) => dueMs(now, { until }));

describe('given countdowns and ages on screen', () => {
  it('when nothing shows a time, or every countdown has ended, then there is no timer', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const ticker = createTicker(() => NOON);
    expect(vi.getTimerCount()).toBe(0);
    for (const until of [NOON, NOON - 5_000]) onTestFinished(ticker.watch({ until }, () => undefined));
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('when all are more than a minute away, then it waits for the full minute', () => {
    expect(due(NOON + 20_000, NOON + 600_000, null)).toEqual([40_000, 40_000]);
  });

  it('when one enters its last minute before that, then it wakes for it', () => {
    expect(due(NOON, NOON + 75_000)).toEqual([15_001]);
  });

  it('when one is in its last minute, then it ticks at its full seconds', () => {
    expect(due(NOON, NOON + 42_300, NOON + 42_000)).toEqual([300, 1_000]);
  });

  it('when something moves by 10 s until an end, then it wakes for each of them, and not after the end', () => {
    expect(dueMs(NOON + 3_000, { until: NOON + 25_000, everyMs: 10_000 })).toBe(7_000);
    expect(dueMs(NOON + 25_000, { until: NOON + 25_000, everyMs: 10_000 })).toBeNull();
  });
});

describe('given a countdown in its last minute beside an age', () => {
  const drawn = { countdown: 0, age: 0 };
  let jumpMs = 0;
  const ticker = createTicker(() => Date.now() + jumpMs);
  let ends: (() => void)[] = [];

  beforeEach(() => {
    vi.useFakeTimers({ now: NOON + 5_000 });
    [drawn.countdown, drawn.age, jumpMs] = [0, 0, 0];
    ends = [
      ticker.watch({ until: NOON + 35_000 }, () => drawn.countdown++),
      ticker.watch({ until: null }, () => drawn.age++),
    ];
  });
  afterEach(() => {
    for (const end of ends) end();
    vi.useRealTimers();
  });

  it('when ten seconds pass, then the countdown is drawn ten times and the age not at all, by one timer', () => {
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(10_000);
    expect([drawn, vi.getTimerCount()]).toEqual([{ countdown: 10, age: 0 }, 1]);
  });

  it('when the clock jumps by an hour, then both are drawn, and only the age still waits', () => {
    jumpMs = 3_600_000;
    ticker.wake();
    expect(drawn).toEqual({ countdown: 1, age: 1 });
    vi.advanceTimersByTime(60_000);
    expect(drawn).toEqual({ countdown: 1, age: 2 });
  });

  it('when the page is hidden, then there is no timer; when it is seen again, then both are drawn', () => {
    const turn = (isHidden: boolean) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden });
      document.dispatchEvent(new Event('visibilitychange'));
    };
    turn(true);
    expect(vi.getTimerCount()).toBe(0);
    turn(false);
    expect([drawn, vi.getTimerCount()]).toEqual([{ countdown: 1, age: 1 }, 1]);
  });

  it('when nothing watches any more, then there is no timer', () => {
    for (const end of ends) end();
    expect(vi.getTimerCount()).toBe(0);
  });
});
