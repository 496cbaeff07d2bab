import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NoticePush } from '../../src/contract/notices';
import { DEFAULT_PREFERENCES } from '../../src/contract/preferences';
import { type DesktopParts, startDesktop } from '../../src/main/desktop';
import { spokenLanguage } from '../../src/texts';
import { type ElectronDouble, electronDouble } from '../support/electron-double';
import { eventually } from '../support/eventually';
import { type FakeHost, fakeHost, openedOn } from '../support/panel-host';
import { agentRow, snapshotOf } from '../support/rows';
import { noticeRow } from '../support/sample-notices';

const first = snapshotOf([agentRow()]);

let builtRoot: string;
let double: ElectronDouble;
let host: FakeHost;
let closed: number;

beforeEach(async () => {
  builtRoot = await mkdtemp(join(tmpdir(), 'understudy-desktop-'));
  await mkdir(join(builtRoot, 'renderer'));
  await writeFile(join(builtRoot, 'renderer', 'index.html'), 'panel');
  double = electronDouble();
  host = fakeHost(first);
  closed = 0;
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await rm(builtRoot, { recursive: true });
});

function start(change: Partial<DesktopParts> = {}): Promise<void> {
  const close = async () => {
    closed += 1;
  };
  return startDesktop({
    electron: double.electron,
    platform: 'linux',
    builtRoot,
    openCore: async () => openedOn(host, { role: 'owner', close }),
    hasTrayHost: async () => true,
    followUpdates: () => () => undefined,
    userData: '/state/desktop',
    args: [],
    autostart: { isOn: async () => false, turn: async () => ({ ok: true }) },
    ...change,
  });
}

const window = () => double.windows[0]!;
const tray = () => double.trays[0]!;
const openedWindow = async () => {
  await start();
  window().emit('ready-to-show');
  return window();
};

describe('given the desktop shell', () => {
  it('when it starts, then sandbox, lock and scheme come before ready, in this order', async () => {
    await start();
    expect(double.app.calls).toEqual([
      ...[
        'enableSandbox',
        'setPath userData /state/desktop',
        'requestSingleInstanceLock',
        'setAppUserModelId',
        'registerSchemesAsPrivileged',
        'whenReady',
        'setAsDefaultProtocolClient understudy',
      ],
    ]);
    expect([double.registeredSchemes, [...double.schemes.keys()]]).toEqual([['app'], ['app']]);
  });

  it('when it starts on Windows, then a click on a notice finds the app by one id for ever', async () => {
    await start({ platform: 'win32' });
    expect(double.app.calls).toContain('setToastActivatorCLSID {781E790D-772A-451D-8F5F-ABFDC9040DEB}');
    expect(double.app.calls).toContain('handleActivation');
  });

  it('when it looks for updates, then as the settings say, the core hears of one, and no longer than it runs', async () => {
    const updateReady = vi.fn();
    const stop = vi.fn();
    const followUpdates = vi.fn((_wish: Parameters<DesktopParts['followUpdates']>[0]) => stop);
    const settings = { path: '', rev: 'r1', problem: null, preferences: DEFAULT_PREFERENCES };
    host.handlers['settings.get'] = () => settings;
    await start({ followUpdates, openCore: async () => openedOn(host, { role: 'owner', updateReady }) });
    const { isAsked, onReady } = followUpdates.mock.calls[0]![0];
    onReady('0.2.0');
    expect(updateReady.mock.calls).toEqual([['0.2.0']]);
    expect(await isAsked()).toBe(false);
    settings.preferences = { ...DEFAULT_PREFERENCES, updates: { look: true } };
    expect([await isAsked(), stop.mock.calls.length]).toEqual([true, 0]);
    double.app.quit();
    await eventually(() => double.app.exits.length > 0);
    expect(stop).toHaveBeenCalledOnce();
  });

  it('when another instance holds the lock, then it exits without opening the core', async () => {
    double.app.hasLock = false;
    const openCore = vi.fn();
    await start({ openCore });
    expect([double.app.exits, openCore.mock.calls, double.windows.length]).toEqual([[0], [], 0]);
  });

  it('when a second instance starts, then the window of the first is shown', async () => {
    const shown = await openedWindow();
    shown.hide();
    double.app.emit('second-instance', {}, []);
    expect([double.windows.length, shown.visible]).toEqual([1, true]);
  });

  it('when it has started, then the sandboxed window loads the panel and appears once it is drawn', async () => {
    await start();
    expect([window().loaded, window().options.show, window().visible]).toEqual([['app://understudy/'], false, false]);
    expect(window().options.webPreferences).toMatchObject({
      sandbox: true,
      preload: join(builtRoot, 'preload', 'index.cjs'),
    });
    window().emit('ready-to-show');
    expect(window().visible).toBe(true);
  });

  it('when the core cannot be opened, then it says why and ends with 1', async () => {
    const complain = vi.spyOn(console, 'error').mockImplementation(() => {});
    await start({ openCore: () => Promise.reject(new Error('The state folder belongs to another user.')) });
    expect([double.app.exits, complain.mock.calls]).toEqual([
      [1],
      [['Understudy could not start: The state folder belongs to another user.']],
    ]);
  });

  it('when its menu is read, then there is nothing for developers in it', async () => {
    await start();
    const text = JSON.stringify(double.applicationMenus[0]?.template);
    expect(text).toContain('"quit"');
    expect(text).not.toMatch(/devtools|reload|viewMenu/i);
  });
});

describe('given pushes to the window', () => {
  const revs = () => window().webContents.sent.map(([channel, data]) => [channel, (data as { rev: number }).rev]);

  it('when the page has loaded, then it gets the present snapshot', async () => {
    const shown = await openedWindow();
    shown.webContents.emit('did-finish-load');
    await expect.poll(revs).toEqual([['understudy:push:snapshot', 1]]);
  });

  it('when 50 come in one go, then the first and 100 ms later the newest are sent', async () => {
    await openedWindow();
    vi.useFakeTimers();
    for (let rev = 2; rev <= 51; rev += 1) host.publish({ ...first, rev });
    vi.advanceTimersByTime(99);
    expect(revs().map(([, rev]) => rev)).toEqual([2]);
    vi.advanceTimersByTime(1);
    expect(revs().map(([, rev]) => rev)).toEqual([2, 51]);
  });

  it('when the page asks for all of it, or is loaded anew, then the next push is whole; any other is a change', async () => {
    const shown = await openedWindow();
    vi.useFakeTimers();
    const publish = (rev: number) => {
      host.publish({ ...first, rev });
      vi.advanceTimersByTime(100);
    };
    publish(2);
    publish(3);
    const sender = { id: shown.webContents.id };
    const senderFrame = { url: 'app://understudy/', parent: null };
    await double.handlers.get('understudy:ask:snapshot.get')?.({ senderFrame, sender }, null);
    publish(4);
    publish(5);
    shown.webContents.emit('did-finish-load');
    publish(6);
    expect(revs()).toEqual([
      ['understudy:push:snapshot', 2],
      ['understudy:push:change', 3],
      ['understudy:push:snapshot', 4],
      ['understudy:push:change', 5],
      ['understudy:push:snapshot', 6],
    ]);
  });

  it.each(['hidden', 'minimized'])('when the window is %s, then none is sent until it shows again', async (how) => {
    const shown = await openedWindow();
    if (how === 'hidden') shown.hide();
    else shown.minimize();
    host.publish({ ...first, rev: 2 });
    host.publish({ ...first, rev: 3 });
    expect(revs()).toEqual([]);
    if (how === 'hidden') shown.show();
    else shown.restore();
    expect(revs().map(([, rev]) => rev)).toEqual([3]);
  });
});

describe('given a notice of the core', () => {
  const push: NoticePush = { type: 'show', notice: noticeRow({ at: Date.now() }) };

  it('when it comes, then the page hears of it, and the desktop shows it', async () => {
    const shown = await openedWindow();
    host.push('notice', push);
    await expect.poll(() => double.notifications.length).toBe(1);
    expect(shown.webContents.sent).toContainEqual(['understudy:push:notice', push]);
    double.notifications[0]?.emit('click', {});
    expect(shown.loaded.at(-1)).toBe('app://understudy/#/now');
  });

  it.each([
    ['app://understudy/', 0],
    ['app://understudy/#/now', 0],
    ['app://understudy/#/nowhere', 1],
    ['app://understudy/#/events', 1],
  ])('when %s has the focus, then %i is shown', async (url, count) => {
    const shown = await openedWindow();
    shown.focus();
    shown.webContents.url = url;
    host.push('notice', push);
    host.push('notice', { type: 'show', notice: noticeRow({ at: Date.now(), notice: 'N8', key: 'lost' }) });
    await expect.poll(() => double.notifications.length).toBe(count + 1);
  });
});

describe('given the icon in the bar', () => {
  it('when the core’s snapshot is known, then icon, tooltip and menu follow it', async () => {
    await start();
    await expect.poll(() => tray().toolTip).toBe('build: claude-sonnet-4-5 (primary)');
    expect(tray().image.shape()).toBe('healthy');
    await expect
      .poll(() => tray().menu?.labels())
      .toEqual([
        ...['● build  claude-sonnet-4-5 · primary', 'separator', 'Models: none yet', 'separator'],
        ...['Pause automatic fallback', 'Mute notifications', 'Export last scorecard', 'separator'],
        ...['Open Understudy', 'Settings…', 'Quit'],
      ]);
  });

  it('when something is chosen in its menu, then it is done as the panel would do it, in the name of the tray', async () => {
    const acts: unknown[] = [];
    host = fakeHost(first, {
      'person.act': (input) => {
        acts.push(input);
        return { accepted: true, rev: 2 };
      },
    });
    await start();
    await expect.poll(() => tray().menu?.labels()[0]).toBe('● build  claude-sonnet-4-5 · primary');
    tray().menu!.choose('Pause automatic fallback', '1 h');
    await expect
      .poll(() => acts)
      .toEqual([{ act: { type: 'switching.paused', forMs: 3_600_000 }, rev: 1, actor: 'tray' }]);
  });

  it('when notices are muted, then the menu says so as soon as the settings have changed', async () => {
    await start();
    await expect.poll(() => tray().menu?.labels()).toContain('Mute notifications');
    const notices = { ...DEFAULT_PREFERENCES.notices, mutedUntil: Date.now() + 3_600_000 };
    const inForce = { preferences: { ...DEFAULT_PREFERENCES, notices }, path: '/p', rev: 'a', problem: null };
    Object.assign(host.handlers, { 'settings.get': () => inForce });
    host.publish({ ...first, at: Date.now(), rev: 2, settings: 1 });
    await expect.poll(() => tray().menu?.labels().join()).toContain('Unmute notifications (until ');
  });

  it('when the page speaks German, then so does the icon, and the core does not', async () => {
    await start({ userData: builtRoot });
    const ours = { senderFrame: { url: 'app://understudy/', parent: null }, sender: window().webContents };
    const answered = await double.handlers.get('understudy:ask:shell.language')?.(ours, {
      language: 'de',
    });
    expect(answered).toEqual({ ok: true, value: { ok: true } });
    await expect.poll(() => tray().menu?.labels()).toContain('Einstellungen…');
    expect([tray().toolTip, spokenLanguage()]).toEqual(['build: claude-sonnet-4-5 (Primärmodell)', 'en']);
  });

  it('when it is clicked on Linux, then the window shows who speaks now', async () => {
    const shown = await openedWindow();
    tray().emit('click');
    expect(shown.loaded.at(-1)).toBe('app://understudy/#/now');
  });

  it('when Open is chosen, then the window comes back; when Quit is chosen, then the app quits', async () => {
    const shown = await openedWindow();
    shown.close();
    expect(shown.visible).toBe(false);
    tray().menu!.choose('Open Understudy');
    expect(shown.visible).toBe(true);
    tray().menu!.choose('Quit');
    await expect.poll(() => double.app.exits).toEqual([0]);
    expect([closed, tray().destroyed, shown.destroyed]).toEqual([1, true, true]);
  });

  it.each([
    ['linux', ['app://understudy/#/now']],
    ['win32', ['app://understudy/', 'app://understudy/#/glance']],
    ['darwin', ['app://understudy/', 'app://understudy/#/glance']],
  ] as const)(
    'when it is clicked on %s, then there are the windows %j, and each may ask',
    async (platform, addresses) => {
      await start({ platform });
      tray().emit('click', {}, { x: 1000, y: 764, width: 24, height: 32 });
      expect(double.windows.map(({ loaded }) => loaded.at(-1))).toEqual(addresses);
      const ask = double.handlers.get('understudy:ask:snapshot.get');
      const answers = await Promise.all(
        double.windows.map(({ webContents: sender, loaded }) =>
          ask?.({ sender, senderFrame: { parent: null, url: loaded[0] } }, null),
        ),
      );
      expect(answers).toEqual(addresses.map(() => expect.objectContaining({ ok: true })));
    },
  );

  it('when the popover is left for a view, then it hides, and the window shows that view', async () => {
    await start({ platform: 'win32' });
    window().emit('ready-to-show');
    tray().emit('click', {}, { x: 1000, y: 764, width: 24, height: 32 });
    const glance = double.windows[1]!;
    glance.emit('ready-to-show');
    const leave = double.handlers.get('understudy:ask:shell.leaveGlance');
    const event = { sender: glance.webContents, senderFrame: { parent: null, url: 'app://understudy/#/glance' } };
    expect(await leave?.(event, { view: 'models', detail: 'a/b' })).toEqual({ ok: true, value: { ok: true } });
    expect([glance.visible, window().visible, window().loaded.at(-1)]).toEqual([
      ...[false, true, 'app://understudy/#/models/a%2Fb'],
    ]);
  });

  it('when it cannot be made, then the window opens all the same', async () => {
    double = electronDouble({ tray: true });
    const complain = vi.spyOn(console, 'error').mockImplementation(() => {});
    await start();
    expect([double.windows.length, complain.mock.calls]).toEqual([1, [['No tray icon: There is no bar.']]]);
  });
});

describe('given a window that is closed', () => {
  it('when a tray is certain, then it hides', async () => {
    const shown = await openedWindow();
    shown.close();
    expect([shown.visible, shown.minimized, shown.destroyed]).toEqual([false, false, false]);
  });

  it.each([
    ['nobody knows of a tray', () => ({ hasTrayHost: async () => false })],
    [
      'the tray could not be made',
      () => {
        vi.spyOn(console, 'error').mockImplementation(() => {});
        double = electronDouble({ tray: true });
        return {};
      },
    ],
  ])('when %s, then it minimizes, and closed once more it quits', async (_case, prepare) => {
    await start(prepare());
    window().emit('ready-to-show');
    window().close();
    expect([window().visible, window().minimized, double.app.calls.includes('quit')]).toEqual([true, true, false]);
    window().close();
    await expect.poll(() => double.app.exits).toEqual([0]);
  });

  it('when all windows are gone, then the app stays where a tray is certain and quits where it is not', async () => {
    await start();
    double.app.emit('window-all-closed');
    expect(double.app.calls.includes('quit')).toBe(false);
    double = electronDouble();
    await start({ hasTrayHost: async () => false });
    double.app.emit('window-all-closed');
    expect(double.app.calls.includes('quit')).toBe(true);
  });
});

describe('given a window that was hidden in the tray', () => {
  const hidden = async () => {
    const shown = await openedWindow();
    vi.useFakeTimers();
    shown.webContents.url = 'app://understudy/#/models/openai%2Fgpt-5';
    shown.close();
    return shown;
  };

  it('when 30 s pass, then its page is gone, and the next one shows the same view', async () => {
    const shown = await hidden();
    vi.advanceTimersByTime(29_999);
    expect(shown.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    expect([shown.destroyed, double.app.calls.includes('quit')]).toEqual([true, false]);
    tray().menu!.choose('Open Understudy');
    expect(double.windows.map(({ loaded }) => loaded)).toEqual([
      ['app://understudy/'],
      ['app://understudy/#/models/openai%2Fgpt-5'],
    ]);
  });

  it('when it is shown again before, then it stays', async () => {
    const shown = await hidden();
    vi.advanceTimersByTime(20_000);
    tray().menu!.choose('Open Understudy');
    vi.advanceTimersByTime(60_000);
    expect([shown.destroyed, double.windows.length]).toEqual([false, 1]);
  });
});

describe('given a history that a newer version wrote', () => {
  it('when the window is closed, then the app quits: it would stay on and keep nothing', async () => {
    const close = async () => void closed++;
    await start({ openCore: async () => openedOn(host, { role: 'owner', isReadOnly: true, close }) });
    window().emit('ready-to-show');
    window().close();
    await expect.poll(() => double.app.exits).toEqual([0]);
    expect(closed).toBe(1);
  });
});

describe('given a page that crashes', () => {
  const crash = () => double.windows.at(-1)!.webContents.emit('render-process-gone', {}, { reason: 'crashed' });

  it('when it happens, then it is made anew with the same view; the fourth time in 10 minutes a page without a script comes', async () => {
    const shown = await openedWindow();
    shown.webContents.url = 'app://understudy/#/events';
    for (let times = 0; times < 4; times++) {
      crash();
      double.windows.at(-1)!.emit('ready-to-show');
    }
    expect(double.windows.map(({ loaded, destroyed }) => [loaded[0], destroyed])).toEqual([
      ['app://understudy/', true],
      ['app://understudy/#/events', true],
      ['app://understudy/#/events', true],
      ['app://understudy/#/events', true],
      ['app://understudy/safe.html', false],
    ]);
  });

  it('when nobody sees it, then it is made anew only when it is asked for', async () => {
    const shown = await openedWindow();
    shown.hide();
    crash();
    expect([double.windows.length, shown.destroyed]).toEqual([1, true]);
    tray().menu!.choose('Open Understudy');
    expect(double.windows.length).toBe(2);
  });
});

describe('given how the app is started', () => {
  it.each([
    [true, 0],
    [false, 1],
  ])('when hidden is asked for and a tray seen is %s, then %i windows open', async (isSeen, windows) => {
    await start({ args: ['--hidden'], hasTrayHost: async () => isSeen });
    expect(double.windows.length).toBe(windows);
  });

  it('when a link comes with it or later, then its view is shown, and what is no link changes nothing', async () => {
    await start({ args: ['understudy://models/openai%2Fgpt-5'] });
    window().emit('ready-to-show');
    double.app.emit('second-instance', {}, ['/app', 'understudy://events/15']);
    const event = { preventDefault: vi.fn() };
    double.app.emit('open-url', event, 'understudy://usage');
    double.app.emit('second-instance', {}, ['understudy://evil/x', 'https://example.org/#/models']);
    expect([window().loaded, event.preventDefault.mock.calls.length]).toEqual([
      ['app://understudy/#/models/openai%2Fgpt-5', 'app://understudy/#/events/15', 'app://understudy/#/usage'],
      1,
    ]);
  });
});

describe('given the machine', () => {
  it('when it wakes, then the core is told; when its theme changes, then the window follows; when it shuts down, then the app quits', async () => {
    const woken = vi.fn();
    await start({ openCore: async () => openedOn(host, { role: 'owner', woken }) });
    window().emit('ready-to-show');
    const { powerMonitor, nativeTheme } = double.electron;
    powerMonitor.emit('resume');
    expect(woken).toHaveBeenCalledTimes(1);
    Object.assign(nativeTheme, { shouldUseDarkColors: true });
    nativeTheme.emit('updated');
    expect(window().background).toBe('#15171a');
    powerMonitor.emit('shutdown');
    await expect.poll(() => double.app.exits).toEqual([0]);
  });
});

describe('given the app quits', () => {
  it('when the core closes, then it exits after it with 0, once', async () => {
    await start();
    double.app.quit();
    double.app.quit();
    expect(double.app.exits).toEqual([]);
    await expect.poll(() => double.app.exits).toEqual([0]);
    expect([closed, host.listenerCount()]).toEqual([1, 0]);
  });

  it('when the core never closes, then it exits all the same within 3 s', async () => {
    const close = () => new Promise<void>(() => {});
    await start({
      openCore: async () => openedOn(host, { role: 'owner', close }),
    });
    vi.useFakeTimers();
    double.app.quit();
    vi.advanceTimersByTime(2_499);
    expect(double.app.exits).toEqual([]);
    vi.advanceTimersByTime(500);
    expect(double.app.exits).toEqual([0]);
  });
});
