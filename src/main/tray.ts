import type { Menu as MenuInstance, MenuItemConstructorOptions, Rectangle, Tray } from 'electron';
import { DEFAULT_PREFERENCES, type Preferences } from '../contract/preferences';
import type { Snapshot } from '../contract/snapshot';
import { latest } from '../node/socket/latest';
import { nextTurnOf } from '../wording/headroom-page-words';
import type { Electron } from './electron';
import type { Speech } from './language';
import { type TrayLevel, trayLevel } from './tray-headroom';
import { trayImage } from './tray-image';
import { type TrayAction, type TrayRow, trayFoot, trayMenu } from './tray-menu';
import { awoken, dueAt, FIRST_ICON, type SteadyIcon, steadied } from './tray-steady';
import { minuteLeftMs, type TrayIcon, trayIcon, trayTitle, trayTooltip } from './tray-view';

export type TrayOptions = Readonly<{
  electron: Pick<Electron, 'Tray' | 'Menu' | 'nativeImage' | 'nativeTheme'>;
  platform: NodeJS.Platform;
  assets: string;
  say: Speech['say'];
  perform(action: TrayAction): void;
  /** Without it a click opens the window, and on macOS the menu. */
  onClick?(bounds: Rectangle): void;
}>;

export type AppTray = Readonly<{
  show(snapshot: Snapshot): void;
  prefer(preferences: Preferences): void;
  /** The language or the theme changed. */
  redraw(): void;
  woken(): void;
  /** `unsure` until the system may have placed the icon. */
  visibility(): 'seen' | 'unsure' | 'hidden';
  close(): void;
}>;

const REBUILD_INTERVAL_MS = 500;
/** Some desktops never report that a menu closed. */
const MENU_OPEN_LIMIT_MS = 60_000;
/** macOS places or hides the icon within this time. */
const PLACED_MS = 10_000;
/** Node's limit. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Null on failure: the window works without a tray. */
export function createTray(options: TrayOptions): AppTray | null {
  try {
    return startTray(options);
  } catch (error) {
    console.error(`No tray icon: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

function startTray(options: TrayOptions): AppTray {
  const { electron, platform, assets } = options;
  // Windows ties a GUID to the program's path unless the program is signed.
  const tray = new electron.Tray(trayImage(electron, platform, assets, FIRST_ICON.shown, null));
  let present: Readonly<{ snapshot: Snapshot; heardAt: number }> | null = null;
  let preferences = DEFAULT_PREFERENCES;
  const now = (): Snapshot | null =>
    present && { ...present.snapshot, at: present.snapshot.at + performance.now() - present.heardAt };
  const icon = steadyIcon(tray, options);
  const words = tellingTime(tray, options, () => ({ snapshot: now(), title: preferences.tray.title }));
  const menu = steadyMenu(tray, options, () => {
    const snapshot = now();
    return snapshot ? trayMenu(snapshot, { mutedUntil: preferences.notices.mutedUntil }) : trayFoot();
  });
  openOnClick(tray, options);
  const sayAll = (): void => {
    words.say();
    menu.rebuild();
  };
  const turns = turning(() => showNow());
  const showNow = (): void => {
    const snapshot = now();
    if (snapshot === null) return;
    icon.seek(trayIcon(snapshot), trayLevel(snapshot));
    sayAll();
    turns.watch(snapshot);
  };
  return {
    show(snapshot) {
      present = { snapshot, heardAt: performance.now() };
      showNow();
    },
    prefer(chosen) {
      preferences = chosen;
      sayAll();
    },
    redraw() {
      icon.repaint();
      sayAll();
    },
    woken() {
      icon.woken();
      words.say();
    },
    visibility: visibilityOf(tray, platform),
    close() {
      for (const piece of [icon, words, menu, turns]) piece.close();
      tray.destroy();
    },
  };
}

/** Only macOS hides an icon without space or permission. */
function visibilityOf(tray: Tray, platform: NodeJS.Platform): AppTray['visibility'] {
  const startedAt = performance.now();
  return () => {
    if (platform !== 'darwin' || tray.getBounds().width > 0) return 'seen';
    return performance.now() - startedAt < PLACED_MS ? 'unsure' : 'hidden';
  };
}

/** Some limits change by time alone. */
function turning(wake: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    watch({ headroom, at }: Snapshot): void {
      clearTimeout(timer);
      const next = nextTurnOf(headroom, at);
      if (next !== null) timer = setTimeout(wake, Math.min(Math.ceil(next - at), TIMER_MAX_MS)).unref();
    },
    close: () => clearTimeout(timer),
  };
}

/** The level may change at once: within its period a plan only fills. */
function steadyIcon(tray: Tray, { electron, platform, assets }: TrayOptions) {
  let icon: SteadyIcon = FIRST_ICON;
  let level: TrayLevel | null = null;
  let timer: NodeJS.Timeout | undefined;
  const paint = (): void => tray.setImage(trayImage(electron, platform, assets, icon.shown, level));
  const become = (next: SteadyIcon, wantedLevel = level): void => {
    const isOther = next.shown !== icon.shown || wantedLevel !== level;
    icon = next;
    level = wantedLevel;
    if (isOther) paint();
    clearTimeout(timer);
    const due = dueAt(icon);
    const wanted = icon.waiting?.icon;
    if (due !== null && wanted) timer = setTimeout(() => seek(wanted, level), due - performance.now()).unref();
  };
  const seek = (wanted: TrayIcon, wantedLevel: TrayLevel | null): void =>
    become(steadied(icon, wanted, performance.now()), wantedLevel);
  return {
    seek,
    repaint: paint,
    woken: () => become(awoken(icon, performance.now())),
    close: () => clearTimeout(timer),
  };
}

type TrayContent = Readonly<{ snapshot: Snapshot | null; title: Preferences['tray']['title'] }>;

/** Wakes each minute only while a remaining time is shown. */
function tellingTime(tray: Tray, { platform, say }: TrayOptions, current: () => TrayContent) {
  let tooltip = '';
  let title = '';
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    const { snapshot, title: wanted } = current();
    const next = snapshot ? say(() => trayTooltip(snapshot)) : 'Understudy';
    if (next !== tooltip) tray.setToolTip(next);
    tooltip = next;
    if (platform === 'darwin') drawTitle(snapshot ? trayTitle(snapshot, wanted) : '');
    clearTimeout(timer);
    const leftMs = snapshot && minuteLeftMs(snapshot, platform === 'darwin' ? wanted : 'off');
    if (leftMs !== null) timer = setTimeout(draw, leftMs).unref();
  };
  const drawTitle = (next: string): void => {
    if (next !== title) tray.setTitle(next, { fontType: 'monospacedDigit' });
    title = next;
  };
  draw();
  return { say: draw, close: () => clearTimeout(timer) };
}

/** Never rebuilt while open. */
function steadyMenu(tray: Tray, options: TrayOptions, rows: () => readonly TrayRow[]) {
  const { electron, platform, say, perform, onClick } = options;
  const isPoppedUp = platform === 'darwin' && onClick !== undefined;
  let menu: MenuInstance;
  let openSince = Number.NEGATIVE_INFINITY;
  const draw = (): void => {
    menu = electron.Menu.buildFromTemplate(say(rows).map((row) => menuItem(row, perform)));
    menu.on('menu-will-show', () => {
      openSince = performance.now();
    });
    menu.on('menu-will-close', () => {
      openSince = Number.NEGATIVE_INFINITY;
      updates.poke();
    });
    // Linux shows a changed menu only when it is set again; macOS would show it on every click.
    if (!isPoppedUp) tray.setContextMenu(menu);
  };
  const updates = latest<null>({
    intervalMs: REBUILD_INTERVAL_MS,
    isReady: () => performance.now() - openSince > MENU_OPEN_LIMIT_MS,
    send: draw,
  });
  draw();
  if (isPoppedUp) tray.on('right-click', () => tray.popUpContextMenu(menu));
  return { rebuild: () => updates.offer(null), close: updates.close };
}

function openOnClick(tray: Tray, { platform, perform, onClick }: TrayOptions): void {
  if (onClick && platform !== 'linux') tray.on('click', (_event, bounds) => onClick(bounds));
  // macOS opens the menu instead.
  else if (platform !== 'darwin') tray.on('click', () => perform({ kind: 'go', hash: '#/now' }));
}

function menuItem(row: TrayRow, perform: TrayOptions['perform']): MenuItemConstructorOptions {
  if (row.kind === 'separator') return { type: 'separator' };
  // A single ampersand would underline the next letter.
  const label = row.label.replaceAll('&', '&&');
  switch (row.kind) {
    case 'text':
      return { label, enabled: false };
    case 'radio':
      return { label, enabled: false, type: 'radio', checked: row.isChosen };
    case 'submenu':
      return { label, submenu: row.rows.map((inner) => menuItem(inner, perform)) };
    case 'action':
      return { label, click: () => perform(row.action) };
  }
}
