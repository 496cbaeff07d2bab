import { describe, expect, it } from 'vitest';
import { isQuiet, quietEnd } from '../../../src/core/notices/quiet-hours';
import { virtualClock } from '../virtual-core';
import { ALL, choosing, LIMITED, openToldCore, REJECTED } from './told-core';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SHOP = '/home/u/shop';
const LEAD = 'anthropic/claude-sonnet';
const SPARE = 'openai/gpt-5';
/** A moment of one day, in the zone of this machine. */
const at = (hours: number, minutes = 0): number => new Date(2026, 3, 14, hours, minutes).getTime();
const NIGHT = { enabled: true, from: '22:00', until: '07:00' };

async function openAt(wall: number, preferences: ReturnType<typeof choosing>) {
  const test = openToldCore({ clock: virtualClock(wall), preferences });
  test.connect();
  test.arm(SHOP, { build: [LEAD, SPARE], plan: [LEAD, SPARE] });
  await test.pass(1_000);
  return test;
}

describe('given quiet hours', () => {
  it.each([
    [NIGHT, 21, 59, false],
    [NIGHT, 22, 0, true],
    [NIGHT, 6, 59, true],
    [NIGHT, 7, 0, false],
    [{ ...NIGHT, enabled: false }, 23, 0, false],
    [{ enabled: true, from: '12:00', until: '13:00' }, 12, 30, true],
    [{ enabled: true, from: '12:00', until: '13:00' }, 13, 0, false],
    [{ enabled: true, from: '09:00', until: '09:00' }, 3, 0, true],
  ])('when they are %j, then %i:%i is quiet: %s', (hours, hour, minute, expected) => {
    expect(isQuiet(hours, at(hour, minute))).toBe(expected);
  });

  it('when they end tomorrow or today, then that moment is named', () => {
    expect([quietEnd(NIGHT, at(23)) - at(23), quietEnd(NIGHT, at(5)) - at(5)]).toEqual([8 * HOUR, 2 * HOUR]);
  });

  it('when things happen in them, then only an exhausted chain is told, and the rest as one digest at their end', async () => {
    const test = await openAt(at(23), choosing({ chosen: ALL, quietHours: NIGHT }));
    test.turn(SHOP, 'plan', [
      [LEAD, LIMITED],
      [SPARE, 'answers'],
    ]);
    await test.pass(HOUR);
    test.turn(SHOP, 'build', [
      [LEAD, REJECTED],
      [SPARE, REJECTED],
    ]);
    await test.pass(HOUR);
    expect(test.lines()).toEqual(['N3 build has no model left']);
    await test.pass(6 * HOUR - 2_000);
    const before = test.lines().length;
    await test.pass(2_000);
    const digest = test.shown.at(-1)?.push;
    expect([before, test.lines().length]).toEqual([1, 2]);
    const { rows } = await test.list();
    expect(digest).toMatchObject({
      notice: { notice: 'digest', figures: { count: rows.length - 1 }, id: rows[0]?.id },
    });
    expect(rows.some(({ notice }) => notice === 'digest')).toBe(false);
  });

  it('when they are switched off meanwhile, then the digest comes at once', async () => {
    const preferences = choosing({ chosen: ALL, quietHours: NIGHT });
    const test = await openAt(at(23), preferences);
    test.core.updateReady('2.0.0');
    await test.pass(HOUR);
    preferences.choose({ quietHours: { ...NIGHT, enabled: false } });
    await test.core.host.handlers['settings.set']({ patch: {}, rev: 'r' });
    await test.pass(1_000);
    expect(test.lines()).toEqual(['digest 1 notice during quiet hours']);
  });

  it('when nothing happened in them, then nothing is told at their end', async () => {
    const test = await openAt(at(23), choosing({ chosen: ALL, quietHours: NIGHT }));
    await test.pass(9 * HOUR);
    expect(test.lines()).toEqual([]);
  });
});

describe('given notices that are muted', () => {
  it('when it lasts, then nothing is shown, and what happened then is never shown later', async () => {
    const start = at(12);
    const test = await openAt(start, choosing({ chosen: ALL, mutedUntil: start + HOUR }));
    test.turn(SHOP, 'build', [
      [LEAD, LIMITED],
      [SPARE, LIMITED],
    ]);
    await test.pass(59 * MINUTE);
    expect(test.lines()).toEqual([]);
    await test.pass(2 * MINUTE);
    test.core.updateReady('2.0.0');
    await test.pass(1_000);
    expect(test.lines()).toEqual(['N13 Understudy 2.0.0 is ready']);
    expect(await test.inbox()).toContain('N3 build has no model left');
  });

  it('when it begins within quiet hours and outlasts them, then there is no digest', async () => {
    const preferences = choosing({ chosen: ALL, quietHours: NIGHT, mutedUntil: at(32) });
    const test = await openAt(at(23), preferences);
    preferences.choose({ mutedUntil: null });
    test.core.updateReady('2.0.0');
    await test.pass(1_000);
    preferences.choose({ mutedUntil: at(32) });
    await test.pass(12 * HOUR);
    expect(test.lines()).toEqual([]);
  });
});
