import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClockReading, elapsedMs, JUMP_MS, setMs } from '../../../src/core/base/clock-reading';

const DAY_MS = 86_400_000;
const then: ClockReading = { wallMs: 10 * DAY_MS, uptimeMs: 7_464_212, boot: 'one' };
const unnamed = { ...then, boot: null };

describe('given two readings of the clocks of one start', () => {
  it.each<[string, ClockReading, ClockReading, number, number]>([
    [
      'nobody sets a clock',
      then,
      { ...then, wallMs: then.wallMs + 90_000, uptimeMs: then.uptimeMs + 90_000 },
      90_000,
      0,
    ],
    [
      'the uptime is counted in whole seconds',
      then,
      { ...then, wallMs: then.wallMs + 400, uptimeMs: 7_464_000 },
      400,
      0,
    ],
    [
      'that, and the wall clock is set a day back',
      then,
      { ...then, wallMs: 9 * DAY_MS, uptimeMs: 7_464_000 },
      0,
      -DAY_MS,
    ],
    ['that, and 5 hours ahead', then, { ...then, wallMs: then.wallMs + 18e6, uptimeMs: 7_464_210 }, 0, 18e6],
    ['that, where no start has a name', unnamed, { ...unnamed, wallMs: 9 * DAY_MS, uptimeMs: 7_464_000 }, 0, -DAY_MS],
  ])('when %s, then so much time has gone by, and the clock was set by so much', (_, first, second, gone, set) => {
    expect([elapsedMs(first, second), setMs(first, second)]).toEqual([gone, set]);
  });
});

describe('given a machine that was started again', () => {
  it.each<[string, ClockReading, ClockReading]>([
    ['its start has another name', then, { wallMs: then.wallMs + 60_000, uptimeMs: 20_000, boot: 'two' }],
    ['no start has a name', unnamed, { wallMs: unnamed.wallMs + 60_000, uptimeMs: 20_000, boot: null }],
  ])('when %s, then the wall clock says how long that took', (_, first, second) => {
    expect(elapsedMs(first, second)).toBe(60_000);
  });

  it('when its wall clock was set back meanwhile, then it is as long as the machine has been running', () => {
    expect(elapsedMs(then, { wallMs: 9 * DAY_MS, uptimeMs: 20_000, boot: 'two' })).toBe(20_000);
  });
});

describe('given any two moments of one start', () => {
  it('when the uptime is as coarse as a system counts it, then the time between them is right to 5 s, whatever the wall clock says', () => {
    const grain = fc.constantFrom(1, 10, 1_000);
    const time = fc.integer({ min: 0, max: DAY_MS });
    const set = fc.constantFrom(0, -DAY_MS, 18e6, 4_000, -4_000);
    fc.assert(
      fc.property(grain, time, time, set, (grainMs, upMs, goneMs, setBy) => {
        const coarse = (ms: number): number => Math.floor(ms / grainMs) * grainMs;
        // What was read is carried on to the moment of the last record, which is finer than the uptime.
        const first = { wallMs: 10 * DAY_MS, uptimeMs: upMs, boot: 'one' };
        const second = { wallMs: 10 * DAY_MS + goneMs + setBy, uptimeMs: coarse(upMs + goneMs), boot: 'one' };
        expect(Math.abs(elapsedMs(first, second) - goneMs)).toBeLessThanOrEqual(JUMP_MS);
      }),
    );
  });
});
