import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGlance, type Glance } from '../../src/main/glance';
import { type ElectronDouble, electronDouble, type WindowDouble } from '../support/electron-double';
import { fakeHost } from '../support/panel-host';
import { agentRow, snapshotOf } from '../support/rows';

const ICON = { x: 1000, y: 764, width: 24, height: 32 };
const PLACE = { x: 832, y: 232, width: 360, height: 520 };
const snapshot = snapshotOf([agentRow()]);

let double: ElectronDouble;
let glance: Glance;
let isQuitting: boolean;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  double = electronDouble();
  isQuitting = false;
  glance = createGlance({
    electron: double.electron,
    preload: '/app/preload.cjs',
    host: fakeHost(snapshot),
    isQuitting: () => isQuitting,
  });
});
afterEach(() => {
  glance.close();
  vi.useRealTimers();
});

const shown = (): WindowDouble => {
  glance.toggle(ICON);
  const window = double.windows.at(-1)!;
  window.emit('ready-to-show');
  return window;
};
const revs = (window: WindowDouble) => window.webContents.sent.map(([, data]) => (data as { rev: number }).rev);

describe('given the popover at the icon', () => {
  it('when the icon is clicked, then it is a small window of its own, as locked as the other, beside the icon', () => {
    const window = shown();
    expect([window.loaded, window.visible]).toEqual([['app://understudy/#/glance'], true]);
    expect(window.options).toMatchObject({
      ...PLACE,
      ...{ frame: false, skipTaskbar: true, resizable: false, alwaysOnTop: true, show: false },
      webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, preload: '/app/preload.cjs' },
    });
  });

  it('when the icon is clicked again, then it hides; a third time, then the same window is back where the icon is now', () => {
    const window = shown();
    glance.toggle(ICON);
    expect(window.visible).toBe(false);
    vi.advanceTimersByTime(1_000);
    glance.toggle({ ...ICON, x: 800 });
    expect([double.windows.length, window.visible, window.bounds]).toEqual([1, true, { ...PLACE, x: 632 }]);
  });

  it('when something else is clicked, then it hides', () => {
    const window = shown();
    window.emit('blur');
    expect(window.visible).toBe(false);
  });

  it('when the click on the icon takes its focus first, then that click only hides it, and the next shows it', () => {
    const window = shown();
    window.emit('blur');
    vi.advanceTimersByTime(249);
    glance.toggle(ICON);
    expect(window.visible).toBe(false);
    vi.advanceTimersByTime(1);
    glance.toggle(ICON);
    expect(window.visible).toBe(true);
  });

  it('when it has been hidden for 30 s, then its memory is given back, and the next click makes a new one', () => {
    const window = shown();
    window.emit('blur');
    vi.advanceTimersByTime(29_999);
    expect(window.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(window.destroyed).toBe(true);
    expect(shown()).not.toBe(window);
  });

  it('when it is closed, then it hides, except when the app ends', () => {
    const window = shown();
    window.close();
    expect([window.visible, window.destroyed]).toEqual([false, false]);
    isQuitting = true;
    window.close();
    expect(window.destroyed).toBe(true);
  });

  it('when it is hidden, then nothing is sent to it until it shows, and then the newest', () => {
    const window = shown();
    glance.push({ ...snapshot, rev: 2 });
    window.emit('blur');
    vi.advanceTimersByTime(1_000);
    glance.push({ ...snapshot, rev: 3 });
    glance.push({ ...snapshot, rev: 4 });
    expect(revs(window)).toEqual([2]);
    glance.toggle(ICON);
    expect(revs(window)).toEqual([2, 4]);
  });

  it('when there is no popover, then hiding it waits for nothing', () => {
    glance.hide();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('when its page crashes three times, then it comes again at its place; a fourth time, then with the next click', () => {
    shown();
    for (let crashes = 1; crashes <= 3; crashes += 1) {
      const crashed = double.windows.at(-1)!;
      crashed.webContents.emit('render-process-gone');
      const next = double.windows.at(-1)!;
      expect([crashed.destroyed, next === crashed, next.options]).toEqual([
        true,
        false,
        expect.objectContaining(PLACE),
      ]);
      next.emit('ready-to-show');
    }
    const last = double.windows.at(-1)!;
    last.webContents.emit('render-process-gone');
    expect([last.destroyed, double.windows.length]).toEqual([true, 4]);
    expect(shown().loaded).toEqual(['app://understudy/#/glance']);
  });

  it('when its questions are looked at, then it is ours only while it is there', () => {
    const { id } = shown().webContents;
    expect([glance.isOurs(id), glance.isOurs(id + 1)]).toEqual([true, false]);
    glance.close();
    expect(glance.isOurs(id)).toBe(false);
  });

  it('when the theme changes, then it follows', () => {
    const window = shown();
    Object.assign(double.electron.nativeTheme, { shouldUseDarkColors: true });
    glance.repaint();
    expect(window.background).toBe('#15171a');
  });

  it('when the screen of the icon is asked for, then it is the one that the icon is on', () => {
    const asked = vi.spyOn(double.electron.screen, 'getDisplayMatching');
    shown();
    expect(asked.mock.calls).toEqual([[ICON]]);
  });
});
