import type { BrowserWindow } from 'electron';
import type { PanelHost, Snapshot } from '../contract';
import { latest } from '../panel/latest';
import { presentSnapshot } from '../panel/present-snapshot';
import { pushChannel } from '../preload/channels';
import type { Electron } from './electron';
import { PANEL_URL, windowPreferences } from './security';

/** What the window needs. `preload` is the path of the built preload script. */
export type WindowOptions = Readonly<{
  electron: Pick<Electron, 'app' | 'BrowserWindow' | 'nativeTheme'>;
  preload: string;
  /** Whether a closed window can certainly be brought back by the tray. */
  canHide(): boolean;
  /** Whether the app is on its way out, so that a window must really close. */
  isQuitting(): boolean;
  quit(): void;
}>;

/** The one window of the app; made when first shown. */
export type AppWindow = Readonly<{
  show(): void;
  push(snapshot: Snapshot): void;
  isOurs(webContentsId: number): boolean;
  close(): void;
}>;

const PUSH_INTERVAL_MS = 100;
const BACKGROUND = { dark: '#15171a', light: '#f6f7f9' } as const;

/** Prepares the window without opening it. @param host Asked for the present snapshot when the page has loaded. */
export function createWindow(options: WindowOptions, host: PanelHost): AppWindow {
  let window: BrowserWindow | null = null;
  const snapshots = latest<Snapshot>({
    intervalMs: PUSH_INTERVAL_MS,
    isReady: () => window !== null && isSeen(window),
    send: (snapshot) => window?.webContents.send(pushChannel('snapshot'), snapshot),
  });
  const open = (): BrowserWindow => {
    const opened = openWindow(options);
    opened.on('show', snapshots.poke);
    opened.on('restore', snapshots.poke);
    opened.on('close', (event) => closeOrHide(options, opened, event));
    opened.on('closed', () => {
      window = null;
    });
    opened.webContents.on('did-finish-load', () => {
      void presentSnapshot(host).then((snapshot) => snapshot && snapshots.offer(snapshot));
    });
    void opened.loadURL(PANEL_URL);
    return opened;
  };
  return {
    show() {
      if (window === null) {
        window = open();
        return;
      }
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    push: snapshots.offer,
    isOurs: (id) => window !== null && window.webContents.id === id,
    close() {
      snapshots.close();
      window?.destroy();
      window = null;
    },
  };
}

function openWindow({ electron, preload }: WindowOptions): BrowserWindow {
  const opened = new electron.BrowserWindow({
    title: 'Understudy',
    width: 1080,
    height: 720,
    minWidth: 640,
    minHeight: 480,
    show: false,
    autoHideMenuBar: true,
    backgroundColor: electron.nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: windowPreferences(preload, electron.app.isPackaged),
  });
  opened.once('ready-to-show', () => opened.show());
  return opened;
}

const isSeen = (window: BrowserWindow): boolean => window.isVisible() && !window.isMinimized();

function closeOrHide(options: WindowOptions, window: BrowserWindow, event: { preventDefault(): void }): void {
  if (options.isQuitting()) return;
  event.preventDefault();
  if (options.canHide()) window.hide();
  // Closed once more from the taskbar: there is no tray to quit from, so this is how it is meant.
  else if (window.isMinimized()) options.quit();
  else window.minimize();
}
