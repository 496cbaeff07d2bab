import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/contract/snapshot';
import { type TrayRow, trayMenu } from '../../src/main/tray-menu';
import { minuteLeftMs, TRAY_ICONS, trayIcon, trayTitle, trayTooltip } from '../../src/main/tray-view';
import { agentRow, snapshotOf } from '../support/rows';
import { AT, type World, worldOf } from '../support/tray-world';
import { TRAY_WORLDS } from '../support/tray-worlds';

const textOf = (row: TrayRow): string => (row.kind === 'separator' ? '-' : row.label);

/** The rows before those that act on everything. */
function newsOf(snapshot: Snapshot): string {
  const rows = trayMenu(snapshot, { mutedUntil: null }).map(textOf);
  return rows.slice(0, rows.findIndex((said) => /automatic fallback/.test(said)) - 1).join(' / ');
}

describe('given a snapshot for the tray', () => {
  it.each(TRAY_WORLDS)('when %s, then icon, tooltip and menu say so', (_case, world, icon, tooltip, news) => {
    const snapshot = worldOf(world);
    expect([trayIcon(snapshot), trayTooltip(snapshot), newsOf(snapshot)]).toEqual([icon, tooltip, news]);
  });

  it('when all of these are seen together, then every shape is among them', () => {
    expect(new Set(TRAY_WORLDS.map(([, , icon]) => icon))).toEqual(new Set(TRAY_ICONS));
  });

  it('when an agent has a very long name, then the tooltip fits 127 characters', () => {
    expect(trayTooltip(snapshotOf([agentRow({ agent: 'x'.repeat(300) })]))).toHaveLength(127);
  });
});

describe('given the text beside the icon on macOS', () => {
  const away: World = { speakers: [{}, { agent: 'plan', at: 1 }], models: { opus: 'cooling' } };
  const out: World = { speakers: [{ isOut: true }], models: { opus: 'cooling', gpt: 'open', pro: 'blocked' } };

  it.each<[string, World, string, string]>([
    ['nobody speaks', {}, '', ''],
    ['all are at home', { speakers: [{}] }, 'claude-opus-4-1', 'claude-opus-4-1'],
    ['one is away', away, 'gpt-5', 'gpt-5 10m'],
    ['one is out', out, 'gemini-3-pro', 'gemini-3-pro 10m'],
    ['one is away for good', { speakers: [{ at: 1, hasNoClock: true }] }, 'gpt-5', 'gpt-5'],
  ])(
    'when %s, then it names the model of the worst, and its minutes when they are wanted',
    (_case, world, model, minutes) => {
      const snapshot = worldOf(world);
      expect([trayTitle(snapshot, 'off'), trayTitle(snapshot, 'model'), trayTitle(snapshot, 'minutes')]).toEqual([
        '',
        model,
        minutes,
      ]);
    },
  );

  it.each([
    [0, '10m'],
    [1, '10m'],
    [60_000, '9m'],
    [599_999, '1m'],
    [600_000, ''],
  ])('when %i ms have passed, then "%s" is left', (ms, left) => {
    expect(trayTitle({ ...worldOf(away), at: AT + ms }, 'minutes')).toBe(`gpt-5 ${left}`.trim());
  });

  it.each<[string, World, number, number | null, number | null]>([
    ['all are at home', { speakers: [{}] }, 0, null, null],
    ['one is away', away, 0, null, 60_000],
    ['one is away, and 10 s have passed', away, 10_000, null, 50_000],
    ['one is out', out, 59_999, null, 1],
    ['one is out, and its time is over', out, 600_000, null, null],
    ['one is out for good', { speakers: [{ isOut: true }] }, 0, null, null],
  ])('when %s, then it is known when a minute less is left', (_case, world, ms, withoutTitle, withTitle) => {
    const snapshot = { ...worldOf(world), at: AT + ms };
    expect([minuteLeftMs(snapshot, 'model'), minuteLeftMs(snapshot, 'minutes')]).toEqual([withoutTitle, withTitle]);
  });
});
