import { describe, expect, it } from 'vitest';
import type { AccountRow, WindowRow } from '../../src/contract/headroom';
import { limitLabel, trayLevel } from '../../src/main/tray-headroom';
import { type TrayRow, trayMenu } from '../../src/main/tray-menu';
import { trayTitle, trayTooltip } from '../../src/main/tray-view';
import { saidIn } from '../../src/texts';
import { german } from '../../src/texts/de';
import { windowRow } from '../support/sample-headroom';
import { AT, type World, worldOf } from '../support/tray-world';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WEEK = 168 * HOUR;

/** Half used, back at 16:40, and its pace is not known. */
const plan = (change: Partial<WindowRow> = {}): WindowRow =>
  windowRow(AT, { used: 0.5, resetAt: AT + 138 * MINUTE, forecast: null, isRuling: false, ...change });
const fullAt = (at: number): Pick<WindowRow, 'forecast'> => ({
  forecast: { perHour: 0.2, spread: 0.02, fullAt: at, soonestAt: at, latestAt: at, usedAtReset: 1.2 },
});
const week = (change: Partial<WindowRow> = {}): WindowRow =>
  plan({ id: 'unified-7d', lengthMs: WEEK, resetAt: AT + 60 * HOUR, ...change });
const minute = (change: Partial<WindowRow> = {}): WindowRow =>
  plan({ id: 'tokens', unit: 'tokens', lengthMs: MINUTE, isPlan: false, resetAt: AT + 11_000, ...change });

const account = (windows: readonly WindowRow[], provider = 'anthropic', label: string | null = null): AccountRow => ({
  ...{ account: label === null ? provider : `${provider}@${label}`, provider, label, isApart: false },
  windows: [...windows],
});
const withLimits = (...windows: readonly WindowRow[]): World => ({ with: { headroom: [account(windows)] } });
/** A percent sign stands behind a narrow space. */
const plainSpaces = (said: string): string => said.replace(/\s/g, ' ');
const labelled = (window: WindowRow, owner = account([window])): string =>
  plainSpaces(limitLabel({ account: owner, window }, AT, 48));

const limitRowsOf = (world: World): readonly TrayRow[] =>
  trayMenu(worldOf(world), { mutedUntil: null }).filter((row) => row.kind === 'action' && row.label.includes('%'));
const labelsOf = (rows: readonly TrayRow[]): string[] =>
  rows.map((row) => (row.kind === 'separator' ? '-' : plainSpaces(row.label)));

describe('given the row of a limit in the menu', () => {
  it.each<[string, string, WindowRow]>([
    ['its pace is not known', 'anthropic 5 h limit 72 %, resets 16:40', plan({ used: 0.72 })],
    ['its reset is not known', 'anthropic 5 h limit 72 %', plan({ used: 0.72, resetAt: null })],
    [
      'its reset is not known, and its pace is',
      'anthropic 5 h limit 72 %, full about 15:34',
      plan({ used: 0.72, resetAt: null, ...fullAt(AT + 72 * MINUTE) }),
    ],
    [
      'its provider refuses',
      'anthropic 5 h limit 98 %, refused, resets 16:40',
      plan({ used: 0.98, isRefusing: true, ...fullAt(AT + MINUTE) }),
    ],
    ['it is counted by ourselves', 'anthropic 5 h limit ~72 %, resets 16:40', plan({ used: 0.72, source: 'counted' })],
    ['it is all but spent', 'anthropic 5 h limit 99 %, resets 16:40', plan({ used: 0.999 })],
    ['it is of a family', 'anthropic week limit, op… 63 %, resets Thu 02:22', week({ used: 0.63, family: 'opus' })],
  ])('when %s, then it says "%s"', (_case, said, window) => {
    expect(labelled(window)).toBe(said);
  });

  it.each([
    ['zai', 'zai 5 h limit 72 %, full ~15:34, resets 16:40'],
    ['openai', 'openai 5 h limit 72 %, full ~15:34, resets 16:40'],
    ['anthropic', 'anthropic 5 h limit 72 %, resets 16:40'],
  ])('when %s has room for more or less of it, then it says "%s"', (provider, said) => {
    const window = plan({ used: 0.72, ...fullAt(AT + 72 * MINUTE) });
    expect(labelled(window, account([window], provider))).toBe(said);
  });

  it('when the name of its account is too long, then how full it is and when it is back stay', () => {
    const window = plan({ used: 0.72 });
    const said = labelled(window, account([window], 'openai', 'the-account-of-the-whole-department'));
    expect([said.length, said.endsWith('5 h limit 72 %, resets 16:40'.slice(-23))]).toEqual([48, true]);
  });

  it('when it is said in German, then it fits as well', () => {
    expect(saidIn('de', german, () => labelled(plan({ used: 0.72 })))).toMatch(
      /^anthropic 5-Stunden-Limit 72 %, neu ab 16:40$/,
    );
  });
});

describe('given the limits in the menu', () => {
  it('when none is half used, then there is no row of them', () => {
    expect(limitRowsOf(withLimits(plan({ used: 0.49 }), minute({ used: 0.9 })))).toEqual([]);
  });

  it('when more are near than there is room for, then the four worst are told, and lead to their view', () => {
    const world: World = {
      with: {
        headroom: [
          account([plan({ used: 0.55 }), week({ used: 0.6, ...fullAt(AT + 5 * HOUR) })]),
          account([minute({ isRefusing: true, used: 1 })], 'openai'),
          account([plan({ used: 0.98 }), plan({ id: 'twin', used: 0.9 })], 'kimi'),
        ],
      },
    };
    const rows = limitRowsOf(world);
    expect(labelsOf(rows).map((said) => said.slice(0, said.indexOf(' %')))).toEqual([
      ...['openai tokens a minute 100', 'kimi 5 h limit 98', 'anthropic week limit 60', 'kimi 5 h limit 90'],
    ]);
    expect(rows.map((row) => row.kind === 'action' && row.action)).toEqual(
      Array(4).fill({ kind: 'go', hash: '#/headroom' }),
    );
  });

  it('when one is near, then it stands by itself between the agents and the models', () => {
    const world = { speakers: [{}], ...withLimits(plan({ used: 0.72 })) };
    expect(labelsOf(trayMenu(worldOf(world), { mutedUntil: null })).slice(0, 5)).toEqual([
      ...['● build  claude-opus-4-1 · primary', '-', 'anthropic 5 h limit 72 %, resets 16:40', '-', 'Models: 3 ready'],
    ]);
  });
});

describe('given how near the nearest limit is', () => {
  it.each<[string, ReturnType<typeof trayLevel>, World]>([
    ['nothing is known', null, {}],
    ['a plan is 79 % spent', null, withLimits(plan({ used: 0.79 }))],
    ['a plan that is half spent is full soon', null, withLimits(plan(fullAt(AT + HOUR)))],
    ['a plan is 80 % spent', 'near', withLimits(week({ used: 0.3 }), plan({ used: 0.8 }))],
    ['a plan is 97 % spent', 'full', withLimits(plan({ used: 0.97 }))],
    ['a plan is refused', 'full', withLimits(plan({ used: 0.6, isRefusing: true }))],
    ['requests of a minute are refused', 'full', withLimits(minute({ isRefusing: true }))],
    ['requests of a minute are spent, and nobody has refused', null, withLimits(minute({ used: 1 }))],
    ['it goes on for money', null, withLimits(plan({ used: 0.6, isRefusing: true, isOverdrawable: true }))],
    ['its window has begun anew', null, withLimits(plan({ used: 0.99, resetAt: AT }))],
  ])('when %s, then its level is %s', (_case, level, world) => {
    expect(trayLevel(worldOf(world))).toBe(level);
  });
});

describe('given the tooltip', () => {
  const near = withLimits(plan({ used: 0.84, ...fullAt(AT + 72 * MINUTE) }));

  it.each<[string, World, string]>([
    ['a plan is less than 80 % spent', { speakers: [{}], ...withLimits(plan()) }, 'build: claude-opus-4-1 (primary)'],
    [
      'a plan is near its limit',
      { speakers: [{}], ...near },
      'build: claude-opus-4-1 (primary); anthropic 5 h limit 84 %, full about 15:34, resets 16:40',
    ],
    [
      'a plan is near, and a model cools',
      { speakers: [{}], models: { gpt: 'cooling' }, ...near },
      'build: claude-opus-4-1 (primary); 1 of 3 cooling; anthropic 5 h limit 84 %, full about 15:34, resets 16:40',
    ],
    [
      'the name of an agent takes its room',
      { speakers: [{ agent: 'x'.repeat(60) }], ...near },
      `${'x'.repeat(60)}: c…mary); anthropic 5 h limit 84 %, full about 15:34, resets 16:40`,
    ],
    [
      'there is something to see to',
      { speakers: [{ isLeftOut: true, agent: 'oracle' }], ...near },
      'oracle is paused in its session. Bring it back to get answers.',
    ],
  ])('when %s, then it says so', (_case, world, said) => {
    expect(plainSpaces(trayTooltip(worldOf(world)))).toBe(said);
  });
});

describe('given the fullest plan beside the icon on macOS', () => {
  it.each<[string, string, World]>([
    ['nothing is known', '', { speakers: [{}] }],
    ['only limits of a minute are known', '', withLimits(minute({ used: 0.9 }))],
    ['two plans are known', '41 %', withLimits(plan({ used: 0.12 }), week({ used: 0.41 }))],
    ['one of two is not known since its reset', '41 %', withLimits(plan({ used: null }), week({ used: 0.41 }))],
    ['its window has begun anew', '', withLimits(plan({ used: 0.84, resetAt: AT - 1 }))],
    ['it is counted by ourselves', '~84 %', withLimits(plan({ used: 0.84, source: 'entered' }))],
  ])('when %s, then it says "%s"', (_case, said, world) => {
    expect(plainSpaces(trayTitle(worldOf(world), 'headroom'))).toBe(said);
  });
});
