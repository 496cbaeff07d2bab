import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_PREFERENCES, type Preferences } from '../../src/contract/preferences';
import { type AppTray, createTray, type TrayOptions } from '../../src/main/tray';
import type { TrayAction } from '../../src/main/tray-menu';
import { type ElectronDouble, electronDouble } from '../support/electron-double';
import { BACK_AT } from '../support/rows';
import { sampleHeadroom, windowRow } from '../support/sample-headroom';
import { AT, type World, worldOf } from '../support/tray-world';

const HEALTHY: World = { speakers: [{}] };
const AWAY: World = { speakers: [{ at: 1 }], models: { opus: 'cooling' } };
const DOWN: World = { speakers: [{ isOut: true }], models: { opus: 'cooling', gpt: 'cooling', pro: 'cooling' } };
const GONE: World = { with: { connection: { status: 'lost', since: AT } } };

const HOUR = 3_600_000;
/** A percent sign stands behind a narrow space. */
const plainSpaces = (said: string): string => said.replace(/\s/g, ' ');
/** The same world, where a plan is spent so far, and begins anew in an hour. */
const limited = (world: World, used: number, anewMs = HOUR): World => ({
  ...world,
  with: {
    headroom: [
      {
        ...{ account: 'anthropic', provider: 'anthropic', label: null, isApart: false },
        windows: [windowRow(AT, { used, resetAt: AT + anewMs, forecast: null })],
      },
    ],
  },
});

let double: ElectronDouble;
let performed: TrayAction[];
let tray: AppTray;

beforeEach(() => {
  vi.useFakeTimers({ now: AT });
  double = electronDouble();
  performed = [];
});
afterEach(() => {
  tray.close();
  vi.useRealTimers();
});

function start(change: Partial<TrayOptions> = {}): void {
  const opened = createTray({
    ...{ electron: double.electron, platform: 'linux', assets: '/icons' },
    say: (make) => make(),
    perform: (action) => void performed.push(action),
    ...change,
  });
  if (!opened) throw new Error('There is no tray.');
  tray = opened;
}

const bar = () => double.trays[0]!;
const show = (world: World): void => tray.show(worldOf(world));
const prefer = (change: Partial<Preferences>): void => tray.prefer({ ...DEFAULT_PREFERENCES, ...change });

describe('given the icon in the bar', () => {
  it('when nothing is known yet, then it is hollow, and its menu has the window, its settings and the end', () => {
    start();
    expect([bar().image.shape(), bar().toolTip, bar().menu?.labels()]).toEqual([
      'healthy-idle',
      'Understudy',
      ['Open Understudy', 'Settings…', 'Quit'],
    ]);
  });

  it('when snapshots come, then it is set only when its shape changes, and it keeps no timer for that', () => {
    start();
    for (const world of [HEALTHY, HEALTHY, AWAY, AWAY]) show(world);
    expect(bar().images).toEqual(['healthy', 'fallback']);
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('when things are better, then it says so after 3 s, also when nothing more is heard', () => {
    start();
    show(AWAY);
    show(HEALTHY);
    vi.advanceTimersByTime(2_999);
    expect(bar().images).toEqual(['fallback']);
    vi.advanceTimersByTime(1);
    expect(bar().images).toEqual(['fallback', 'healthy']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('when OpenCode starts anew within 5 s, then nobody sees that it was gone', () => {
    start();
    show(HEALTHY);
    show(GONE);
    vi.advanceTimersByTime(4_999);
    show(HEALTHY);
    vi.advanceTimersByTime(60_000);
    expect(bar().images).toEqual(['healthy']);
    show(GONE);
    vi.advanceTimersByTime(5_000);
    expect(bar().images).toEqual(['healthy', 'disconnected']);
  });

  it('when the machine slept, then what came to be meanwhile has to last, and nothing happens twice', () => {
    start();
    show(HEALTHY);
    show(GONE);
    vi.advanceTimersByTime(4_000);
    tray.woken();
    vi.advanceTimersByTime(4_000);
    show(HEALTHY);
    vi.advanceTimersByTime(600_000);
    expect([bar().images, vi.getTimerCount()]).toEqual([['healthy'], 0]);
  });

  it('when a plan fills up, then its level comes and goes at once, and a better shape waits all the same', () => {
    start();
    for (const used of [0.72, 0.84, 0.9, 0.98]) show(limited(HEALTHY, used));
    show(limited(AWAY, 0.98));
    show(limited(HEALTHY, 0.3));
    expect(bar().images).toEqual(['healthy', 'healthy-near', 'healthy-full', 'fallback-full', 'fallback']);
    vi.advanceTimersByTime(3_000);
    expect(bar().images.at(-1)).toBe('healthy');
  });

  it('when a window begins anew and nobody says anything, then level, tooltip, menu and title know', () => {
    start({ platform: 'darwin' });
    prefer({ tray: { title: 'headroom' } });
    show(limited(HEALTHY, 0.84));
    vi.advanceTimersByTime(HOUR - 1);
    const told = () => [bar().image.shape(), plainSpaces(bar().title), plainSpaces(bar().toolTip)];
    expect(told()).toEqual([
      'healthy-near',
      '84 %',
      expect.stringMatching(/^build: claude-opus-4-1 \(primary\); anthropic 5 h limit 84 %, resets/),
    ]);
    expect(bar().menu?.labels()[2]).toMatch(/^anthropic 5 h limit/);
    vi.advanceTimersByTime(500);
    expect(told()).toEqual(['healthy', '', 'build: claude-opus-4-1 (primary)']);
    expect(bar().menu?.labels()[2]).toMatch(/^Models/);
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('when a window begins anew in a month, then nothing is done until then', () => {
    start();
    show(limited(HEALTHY, 0.84, 30 * 24 * HOUR));
    vi.advanceTimersByTime(1_000);
    const before = bar().menus.length;
    vi.advanceTimersByTime(HOUR);
    expect([bar().menus.length - before, bar().images]).toEqual([0, ['healthy-near']]);
  });

  it('when it is closed, then no timer is left', () => {
    start();
    show({ ...DOWN, with: { headroom: sampleHeadroom(AT) } });
    show(HEALTHY);
    tray.close();
    expect([vi.getTimerCount(), bar().destroyed]).toEqual([0, true]);
  });
});

describe('given its menu', () => {
  it('when 100 snapshots come within a second, then it is made three times, with the newest in it', () => {
    start();
    vi.advanceTimersByTime(1_000);
    const before = bar().menus.length;
    for (let index = 0; index < 100; index += 1) {
      show({ speakers: [{ agent: `a${index}` }] });
      vi.advanceTimersByTime(10);
    }
    vi.advanceTimersByTime(500);
    expect(bar().menus.length - before).toBe(3);
    expect(bar().menu?.labels()[0]).toBe('● a99  claude-opus-4-1 · primary');
  });

  it('when it is open, then it stays as it is, and is made anew when it closes', () => {
    start();
    show(HEALTHY);
    vi.advanceTimersByTime(1_000);
    const open = bar().menu!;
    open.emit('menu-will-show');
    show({ speakers: [{ agent: 'R&D' }] });
    vi.advanceTimersByTime(10_000);
    expect(bar().menu).toBe(open);
    open.emit('menu-will-close');
    expect(bar().menu?.labels()[0]).toBe('● R&&D  claude-opus-4-1 · primary');
  });

  it('when a desktop never says that it closed, then it is made anew after a minute', () => {
    start();
    vi.advanceTimersByTime(1_000);
    const open = bar().menu!;
    open.emit('menu-will-show');
    vi.advanceTimersByTime(60_001);
    show(HEALTHY);
    expect(bar().menu).not.toBe(open);
  });

  it('when nothing of it has changed, then it is set again all the same: Linux would not show it', () => {
    start();
    show(HEALTHY);
    vi.advanceTimersByTime(500);
    const before = bar().menu;
    show(HEALTHY);
    expect(bar().menu).not.toBe(before);
  });

  it('when a row inside is chosen, then what it asks for is done; a row to be read cannot be chosen', () => {
    start();
    show(AWAY);
    vi.advanceTimersByTime(500);
    const [label = ''] = bar().menu!.labels();
    bar().menu!.choose(label, 'Reset primary');
    expect(performed).toEqual([{ kind: 'reset', model: 'anthropic/claude-opus-4-1', rev: 1 }]);
    expect(() => bar().menu!.choose(label, '2  gpt-5 · ready')).toThrow(RangeError);
  });

  it('when notices are muted, then it says until when', () => {
    start();
    show(HEALTHY);
    prefer({ notices: { ...DEFAULT_PREFERENCES.notices, mutedUntil: BACK_AT } });
    vi.advanceTimersByTime(500);
    expect(bar().menu?.labels()).toContain('Unmute notifications (until 14:32)');
  });
});

describe('given the texts at the icon', () => {
  it('when a model is back at a time, then the tooltip names the moment, and nothing wakes it each minute', () => {
    start();
    show(DOWN);
    vi.advanceTimersByTime(1_000);
    expect([bar().toolTip, vi.getTimerCount()]).toEqual([
      'build has no model left. All 3 models are unavailable, the first is back about 14:32.',
      0,
    ]);
  });

  it('when the title is wanted on macOS, then it counts minutes; nobody else has one', () => {
    start({ platform: 'darwin' });
    show(AWAY);
    expect(bar().title).toBe('');
    prefer({ tray: { title: 'minutes' } });
    expect(bar().title).toBe('gpt-5 10m');
    vi.advanceTimersByTime(120_000);
    expect(bar().title).toBe('gpt-5 8m');
    vi.setSystemTime(Date.now() - 86_400_000);
    tray.prefer({ ...DEFAULT_PREFERENCES, tray: { title: 'minutes' } });
    expect(bar().title).toBe('gpt-5 8m');
    prefer({ tray: { title: 'off' } });
    vi.advanceTimersByTime(60_000);
    expect([bar().title, vi.getTimerCount()]).toEqual(['', 0]);
  });
});

describe('given a click', () => {
  const beside = vi.fn();
  beforeEach(() => beside.mockClear());

  it.each<[NodeJS.Platform, TrayAction[]]>([
    ['linux', [{ kind: 'go', hash: '#/now' }]],
    ['win32', [{ kind: 'go', hash: '#/now' }]],
    ['darwin', []],
  ])('when it is on %s and nothing opens beside the icon, then it asks for %j', (platform, actions) => {
    start({ platform });
    bar().emit('click', {}, bar().bounds);
    expect([performed, bar().menus.length]).toEqual([actions, 1]);
  });

  it.each<[NodeJS.Platform, number]>([
    ['darwin', 0],
    ['win32', 1],
  ])(
    'when it is on %s and something opens beside the icon, then it does, and the menu is for the other button',
    (platform, set) => {
      start({ platform, onClick: beside });
      bar().emit('click', {}, bar().bounds);
      bar().emit('right-click');
      expect(beside.mock.calls).toEqual([[bar().bounds]]);
      expect([bar().menus.length, bar().popped.length, performed]).toEqual([set, 1 - set, []]);
    },
  );

  it('when it is on Linux, then it opens the window although something could open beside the icon', () => {
    start({ onClick: beside });
    bar().emit('click', {}, bar().bounds);
    expect([beside.mock.calls, performed]).toEqual([[], [{ kind: 'go', hash: '#/now' }]]);
  });
});

describe('given the question whether people see it', () => {
  it.each<[NodeJS.Platform, number, number, string]>([
    ['linux', 0, 20_000, 'seen'],
    ['darwin', 22, 0, 'seen'],
    ['darwin', 0, 9_999, 'unsure'],
    ['darwin', 0, 10_000, 'hidden'],
  ])('when it is on %s, %i wide after %i ms, then the answer is %s', (platform, width, ms, answer) => {
    start({ platform });
    bar().bounds.width = width;
    vi.advanceTimersByTime(ms);
    expect(tray.visibility()).toBe(answer);
  });
});
