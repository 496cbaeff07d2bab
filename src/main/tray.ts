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

/** What the tray needs. `assets` is the folder of the icons. */
export type TrayOptions = Readonly<{
  electron: Pick<Electron, 'Tray' | 'Menu' | 'nativeImage' | 'nativeTheme'>;
  platform: NodeJS.Platform;
  assets: string;
  say: Speech['say'];
  perform(action: TrayAction): void;
  /** What a click opens beside the icon; without it a click opens the window, and on macOS the menu. */
  onClick?(bounds: Rectangle): void;
}>;

/** The icon in the bar. */
export type AppTray = Readonly<{
  show(snapshot: Snapshot): void;
  prefer(preferences: Preferences): void;
  /** Draws and says all of it anew: the language or the theme is another one. */
  redraw(): void;
  /** The machine may have slept. */
  woken(): void;
  /** Whether people see it, as far as the system tells; `unsure` until it has had the time to place it. */
  visibility(): 'seen' | 'unsure' | 'hidden';
  close(): void;
}>;

const REBUILD_INTERVAL_MS = 500;
/** Some desktops never report that a menu closed; after this long it counts as closed. */
const MENU_OPEN_LIMIT_MS = 60_000;
/** macOS has placed an icon by then, or hides it. */
const PLACED_MS = 10_000;
/** Timers take no longer delay. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Puts the icon into the bar. @returns null where that fails: the window works without. */
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
  // Without a GUID: Windows ties one to the program's path unless the program is signed, and this one need not be.
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

/** Only macOS hides an icon for which there is no room, or that its user has not allowed. */
function visibilityOf(tray: Tray, platform: NodeJS.Platform): AppTray['visibility'] {
  const startedAt = performance.now();
  return () => {
    if (platform !== 'darwin' || tray.getBounds().width > 0) return 'seen';
    return performance.now() - startedAt < PLACED_MS ? 'unsure' : 'hidden';
  };
}

/** Wakes when a limit changes by the clock alone: it has begun anew, and nobody need say anything then. */
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

/**
 * The icon, which is set only when its shape or its level changes; it keeps a timer only while another shape is due. The
 * level is what the snapshot says, at once: within its time a plan only fills, so nothing makes it flicker.
 */
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

/** Tooltip and title. They are set only when they change; a minute wakes them only while they name a time that is left. */
function tellingTime(tray: Tray, { platform, say }: TrayOptions, told: () => TrayContent) {
  let tooltip = '';
  let title = '';
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    const { snapshot, title: wanted } = told();
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

/** The menu: made anew at most twice a second, and never while it is open. */
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
    // Linux shows a changed menu only when it is set again; macOS would show one that is set on every click.
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
  // macOS opens the menu on a click; a window on top of it would be in the way.
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
