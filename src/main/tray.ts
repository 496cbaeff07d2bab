import type { Menu as MenuInstance, MenuItemConstructorOptions, Rectangle, Tray } from 'electron';
import type { Snapshot } from '../contract';
import { latest } from '../panel/latest';
import type { Electron } from './electron';
import { trayImage } from './tray-image';
import { TRAY_FOOT, type TrayIcon, type TrayMenuRow, trayIcon, trayMenu, trayTooltip } from './tray-view';

/** What the tray needs. `assets` is the folder of the icons. */
export type TrayOptions = Readonly<{
  electron: Pick<Electron, 'Tray' | 'Menu' | 'nativeImage' | 'nativeTheme'>;
  platform: NodeJS.Platform;
  assets: string;
  open(): void;
  /** A click on the icon, which lies there on its screen. */
  onClick(icon: Rectangle): void;
  quit(): void;
}>;

/** The icon in the bar. */
export type AppTray = Readonly<{ show(snapshot: Snapshot): void; close(): void }>;

const REBUILD_INTERVAL_MS = 500;
/** Some desktops never report that a menu closed; after this long it counts as closed. */
const MENU_OPEN_LIMIT_MS = 60_000;

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
  const tray = new electron.Tray(trayImage(electron, platform, assets, 'disconnected'));
  const toMenu = (rows: readonly TrayMenuRow[]): MenuInstance =>
    electron.Menu.buildFromTemplate(rows.map((row) => menuItem(row, options)));
  tray.setToolTip('Understudy');
  tray.setContextMenu(toMenu(TRAY_FOOT));
  let shape: TrayIcon = 'disconnected';
  let openSince = 0;
  const render = (snapshot: Snapshot): void => {
    const next = trayIcon(snapshot);
    if (next !== shape) tray.setImage(trayImage(electron, platform, assets, next));
    shape = next;
    tray.setToolTip(trayTooltip(snapshot));
    const menu = toMenu(trayMenu(snapshot));
    watchMenu(menu);
    // Linux shows a changed menu only when it is set again.
    tray.setContextMenu(menu);
  };
  const updates = latest<Snapshot>({
    intervalMs: REBUILD_INTERVAL_MS,
    isReady: () => Date.now() - openSince > MENU_OPEN_LIMIT_MS,
    send: render,
  });
  const watchMenu = (menu: MenuInstance): void => {
    menu.on('menu-will-show', () => {
      openSince = Date.now();
    });
    menu.on('menu-will-close', () => {
      openSince = 0;
      updates.poke();
    });
  };
  openOnClick(tray, options);
  return {
    show: updates.offer,
    close() {
      updates.close();
      tray.destroy();
    },
  };
}

function openOnClick(tray: Tray, options: TrayOptions): void {
  // macOS opens the menu on a click; a window on top of it would be in the way.
  if (options.platform !== 'darwin') tray.on('click', (_event, icon) => options.onClick(icon));
}

function menuItem(row: TrayMenuRow, options: TrayOptions): MenuItemConstructorOptions {
  if (row.kind === 'separator') return { type: 'separator' };
  // A single ampersand would underline the next letter.
  const label = row.label.replaceAll('&', '&&');
  if (row.kind === 'connection' || row.kind === 'drill') return { label, enabled: false };
  return { label, click: row.kind === 'quit' ? options.quit : options.open };
}
