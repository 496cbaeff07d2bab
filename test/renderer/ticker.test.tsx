import { describe, expect, it } from 'vitest';
import { nextTickMs } from '../../src/renderer/ticker';

const NOON = Date.UTC(2026, 0, 15, 12, 0, 0);

describe('given countdowns and ages on screen', () => {
  it('when nothing shows a time, then there is no timer', () => {
    expect(nextTickMs(NOON, [])).toBeNull();
  });

  it('when every countdown has ended, then there is no timer', () => {
    expect(nextTickMs(NOON, [NOON, NOON - 5_000])).toBeNull();
  });

  it('when all are more than a minute away, then it waits for the full minute', () => {
    expect(nextTickMs(NOON + 20_000, [NOON + 600_000, null])).toBe(40_000);
  });

  it('when one enters its last minute before that, then it wakes for it', () => {
    expect(nextTickMs(NOON, [NOON + 75_000])).toBe(15_001);
  });

  it('when one is in its last minute, then it ticks at its full seconds', () => {
    expect(nextTickMs(NOON, [NOON + 600_000, NOON + 42_300])).toBe(300);
    expect(nextTickMs(NOON, [NOON + 42_000])).toBe(1_000);
  });
});
