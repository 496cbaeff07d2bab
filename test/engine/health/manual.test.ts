import { describe, expect, it } from 'vitest';
import { DEFAULT_FLAPPING, DEFAULT_HEALTH } from '../../../src/engine/base/config';
import { emptyTable, get, type Table } from '../../../src/engine/base/table';
import { isFlap, isFlapping, withFlap } from '../../../src/engine/health/flapping';
import { type Health, initialHealth } from '../../../src/engine/health/health';
import { actOn, FLAPPING, type Manual, type ManualAct, manualEnd, overruled } from '../../../src/engine/health/manual';
import { isPaused, pinned, pinOf } from '../../../src/engine/health/pins';
import { type Standing, standing } from '../../../src/engine/health/standing';

const MODEL = 'a/m';
const acts = (...list: ManualAct[]): Table<Manual> =>
  list.reduce((table, act) => actOn(table, MODEL, act), emptyTable<Manual>());
const shown = (table: Table<Manual>, now: number) => {
  const { state, code, use, until } = overruled(
    standing(initialHealth, initialHealth, now, DEFAULT_HEALTH),
    get(table, MODEL),
    now,
  );
  return { state, code, use, until };
};

describe('given a model that two people isolated', () => {
  const twice = acts(
    { type: 'health.isolated', actor: 'ann', now: 0 },
    { type: 'health.isolated', actor: 'bob', now: 1 },
  );

  it('when one lets go, then it stays out, and is back when the other does', () => {
    const one = actOn(twice, MODEL, { type: 'health.released', actor: 'ann', now: 2 });
    expect(shown(one, 3)).toEqual({ state: 'held', code: 'held.isolated', use: 'out', until: null });
    const none = actOn(one, MODEL, { type: 'health.released', actor: 'bob', now: 4 });
    expect(shown(none, 5).use).toBe('first');
  });

  it('when it is released more often than isolated, then nothing happens', () => {
    expect(actOn(emptyTable<Manual>(), MODEL, { type: 'health.released', actor: 'ann', now: 0 })).toEqual(emptyTable());
  });
});

describe('given a model held open for 30 minutes at 1000', () => {
  const held = acts({ type: 'health.held', state: 'open', forMs: 1_800_000, actor: 'ann', now: 1_000 });
  const end = 1_801_000;

  it('when the time comes, then it is back at T, not before', () => {
    expect([end - 1, end, end + 1].map((now) => shown(held, now).use)).toEqual(['out', 'first', 'first']);
    expect([manualEnd(get(held, MODEL), end - 1), manualEnd(get(held, MODEL), end)]).toEqual([end, null]);
  });

  it('when it is held closed instead, then it is usable and says so', () => {
    const closed = actOn(held, MODEL, { type: 'health.held', state: 'closed', forMs: null, actor: 'bob', now: 2_000 });
    expect(shown(closed, 9_999_999)).toEqual({ state: 'held', code: 'held.closed', use: 'first', until: null });
    expect(
      shown(actOn(closed, MODEL, { type: 'health.held', state: null, forMs: null, actor: 'ann', now: 3_000 }), 3_000)
        .state,
    ).toBe('unseen');
  });

  it('when the flapping rule holds it, then the reason is its own', () => {
    const flap = acts({ type: 'health.held', state: 'open', forMs: DEFAULT_FLAPPING.holdMs, actor: FLAPPING, now: 0 });
    expect(shown(flap, 1).code).toBe('held.flapping');
  });

  const limitUntil = (until: number): Health => ({
    ...initialHealth,
    limit: { kind: 'quota', until, preferAt: until, source: 'provider', since: 0 },
  });
  const refused: Health = { ...initialHealth, block: { kind: 'auth', since: 0 } };
  it.each<[string, Health, Partial<Standing>]>([
    ['limited for an hour longer', limitUntil(5_400_000), { state: 'cooling', until: 5_400_000 }],
    ['limited for less', limitUntil(60_000), { state: 'held', until: DEFAULT_FLAPPING.holdMs }],
    ['refusing its key', refused, { state: 'blocked', until: null }],
  ])('when the flapping rule holds one that is %s, then what ends last is shown', (_, health, expected) => {
    const own = standing(health, initialHealth, 2_000, DEFAULT_HEALTH);
    const flap = acts({ type: 'health.held', state: 'open', forMs: DEFAULT_FLAPPING.holdMs, actor: FLAPPING, now: 0 });
    expect(overruled(own, get(flap, MODEL), 2_000)).toMatchObject({ ...expected, use: 'out' });
  });

  it.each<[string, Health, Partial<Standing>]>([
    ['limited for longer', limitUntil(5_400_000), { until: 5_400_000, source: 'provider' }],
    ['limited for less', limitUntil(60_000), { until: end, source: null }],
    ['refusing its key', refused, { until: null, source: 'estimate' }],
    ['well', initialHealth, { until: end, source: null }],
  ])('when it is %s, then the hold says so, with the moment at which it is really back', (_, health, expected) => {
    const own = standing(health, initialHealth, 2_000, DEFAULT_HEALTH);
    expect(overruled(own, get(held, MODEL), 2_000)).toMatchObject({
      ...{ state: 'held', code: 'held.open', use: 'out', since: 1_000 },
      ...expected,
    });
    const forGood = acts({ type: 'health.held', state: 'open', forMs: null, actor: 'ann', now: 0 });
    expect(overruled(own, get(forGood, MODEL), 2_000)).toMatchObject({ code: 'held.open', use: 'out', until: null });
  });
});

describe('given a model that changes its state', () => {
  it('when the fourth change comes within 10 minutes, then it flaps; at exactly 10 minutes the first has left', () => {
    const at = (now: number) => isFlapping(withFlap([0, 1_000, 2_000], now, DEFAULT_FLAPPING), DEFAULT_FLAPPING);
    expect([at(599_999), at(600_000), at(600_001)]).toEqual([true, false, false]);
    expect(isFlapping([0, 1_000, 2_000], DEFAULT_FLAPPING)).toBe(false);
  });

  it('when a file sets two changes within a second, or a hold of 0 ms, then those numbers count', () => {
    const two = { changes: 2, windowMs: 1_000, holdMs: 5_000 };
    const at = (now: number) => isFlapping(withFlap([0], now, two), two);
    expect([at(999), at(1_000)]).toEqual([true, false]);
    expect(isFlapping([0, 1, 2, 3], { ...DEFAULT_FLAPPING, holdMs: 0 })).toBe(false);
  });

  it('when it is limited and back, four times in 10 minutes, then it does not flap: a limit has an end of its own', () => {
    expect([isFlap('ready', 'cooling'), isFlap('cooling', 'ready'), isFlap('ready', 'open')]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('given an agent pinned for 30 minutes', () => {
  const asked = { directory: '/p', agent: 'build', model: MODEL, forMs: 1_800_000, actor: 'ann' };
  const pins = pinned(emptyTable(), asked, 0);

  it('when 30 minutes are over, then the pin has ended at T', () => {
    const at = (now: number) => pinOf(pins, '/p', 'build', now)?.model ?? null;
    expect([at(1_799_999), at(1_800_000), at(1_800_001)]).toEqual([MODEL, null, null]);
    expect(pinOf(pins, '/p', 'plan', 0)).toBeNull();
    expect(pinOf(pinned(pins, { ...asked, model: null }, 1), '/p', 'build', 1)).toBeNull();
  });

  it('when switching is paused until T, then it goes on at T', () => {
    const pause = { until: 10, by: 'ann', since: 0 };
    expect([9, 10, 11].map((now) => isPaused(pause, now))).toEqual([true, false, false]);
    expect([isPaused({ ...pause, until: null }, 1e12), isPaused(null, 0)]).toEqual([true, false]);
  });
});
