import { describe, expect, it } from 'vitest';
import { awoken, dueAt, FIRST_ICON, type SteadyIcon, steadied } from '../../src/main/tray-steady';
import type { TrayIcon } from '../../src/main/tray-view';

type Moment = readonly [at: number, wanted: TrayIcon];

const showing = (shown: TrayIcon): SteadyIcon => ({ shown, waiting: null });

/** What is shown at each of these moments, and between them whenever a shape is due. */
function shownAt(from: SteadyIcon, moments: readonly Moment[]): TrayIcon[] {
  let icon = from;
  let wanted = from.shown;
  return moments.map(([at, next]) => {
    const due = dueAt(icon);
    if (due !== null && due < at) icon = steadied(icon, wanted, due);
    wanted = next;
    icon = steadied(icon, wanted, at);
    return icon.shown;
  });
}

describe('given the icon that is shown', () => {
  it.each<[string, TrayIcon, readonly Moment[], TrayIcon[]]>([
    ['a worse shape comes', 'healthy', [[0, 'fallback']], ['fallback']],
    ['the worst comes after a bad one', 'fallback', [[0, 'all-down']], ['all-down']],
    ['work begins', 'healthy-idle', [[0, 'healthy']], ['healthy']],
    [
      'a better shape lasts 3 s',
      'fallback',
      [
        [0, 'healthy'],
        [2_999, 'healthy'],
        [3_000, 'healthy'],
      ],
      ['fallback', 'fallback', 'healthy'],
    ],
    [
      'a better shape is gone after 2 s',
      'fallback',
      [
        [0, 'healthy'],
        [2_000, 'fallback'],
        [4_000, 'healthy'],
        [6_999, 'healthy'],
        [7_000, 'healthy'],
      ],
      ['fallback', 'fallback', 'fallback', 'fallback', 'healthy'],
    ],
    [
      'another better shape comes while one waits',
      'all-down',
      [
        [0, 'fallback'],
        [2_000, 'healthy'],
        [4_999, 'healthy'],
        [5_000, 'healthy'],
      ],
      ['all-down', 'all-down', 'all-down', 'healthy'],
    ],
    [
      'OpenCode is gone for 5 s',
      'healthy',
      [
        [0, 'disconnected'],
        [4_999, 'disconnected'],
        [5_000, 'disconnected'],
      ],
      ['healthy', 'healthy', 'disconnected'],
    ],
    [
      'OpenCode starts anew within 5 s',
      'healthy',
      [
        [0, 'disconnected'],
        [4_000, 'healthy'],
        [9_000, 'healthy'],
      ],
      ['healthy', 'healthy', 'healthy'],
    ],
    [
      'OpenCode starts anew with every model out',
      'healthy',
      [
        [0, 'disconnected'],
        [4_000, 'all-down'],
      ],
      ['healthy', 'all-down'],
    ],
    [
      'OpenCode is back and that lasts',
      'disconnected',
      [
        [0, 'healthy'],
        [3_000, 'healthy'],
      ],
      ['disconnected', 'healthy'],
    ],
    [
      'a shape was due before another one came',
      'fallback',
      [
        [0, 'healthy'],
        [60_000, 'healthy-idle'],
      ],
      ['fallback', 'healthy'],
    ],
  ])('when %s, then it shows that as soon as it may, and no sooner', (_case, shown, moments, expected) => {
    expect(shownAt(showing(shown), moments)).toEqual(expected);
  });

  it('when nothing waits, then nothing is due', () => {
    expect([dueAt(FIRST_ICON), dueAt(steadied(FIRST_ICON, 'fallback', 7))]).toEqual([null, null]);
    expect(dueAt(steadied(showing('fallback'), 'healthy', 7))).toBe(3_007);
    expect(dueAt(steadied(FIRST_ICON, 'disconnected', 7))).toBe(5_007);
  });

  it('when the machine slept while a shape waited, then it has to last anew', () => {
    const asleep = steadied(showing('healthy'), 'disconnected', 1_000);
    const awake = awoken(asleep, 900_000);
    expect(steadied(awake, 'disconnected', 904_999).shown).toBe('healthy');
    expect(steadied(awake, 'healthy', 902_000)).toEqual(showing('healthy'));
    expect(awoken(showing('healthy'), 900_000)).toEqual(showing('healthy'));
  });
});
