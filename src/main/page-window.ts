import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';
import type { PanelHost } from '../contract/contract';
import type { Snapshot } from '../contract/snapshot';
import { latest } from '../node/socket/latest';
import { presentSnapshot } from '../panel/present-snapshot';
import { snapshotSender } from '../panel/snapshot-sender';
import { pushChannel } from '../preload/channels';
import { createCrashGuard } from './crashes';
import type { Electron } from './electron';
import { isPanelUrl, windowPreferences } from './security';

export type WindowParts = Readonly<{
  electron: Pick<Electron, 'app' | 'BrowserWindow' | 'nativeTheme'>;
  preload: string;
  host: PanelHost;
  isQuitting(): boolean;
}>;

export type PageWindowOptions = WindowParts &
  Readonly<{
    home: string;
    /** Address after too many crashes; null leaves the window closed. */
    safe: string | null;
    shape(): BrowserWindowConstructorOptions;
    whenClosed(window: BrowserWindow, hide: () => void): void;
    listen(window: BrowserWindow, hide: () => void): void;
  }>;

export type PageWindow = Readonly<{
  show(): void;
  hide(): void;
  goTo(address: string): void;
  current(): BrowserWindow | null;
  isSeen(): boolean;
  push(snapshot: Snapshot): void;
  /** The page may have missed changes. */
  tellWhole(): void;
  isOurs(webContentsId: number): boolean;
  repaint(): void;
  close(): void;
}>;

const PUSH_INTERVAL_MS = 100;
/** Closing frees memory; the view is restored later. */
const HIDDEN_LIMIT_MS = 30_000;
const BACKGROUND = { dark: '#15171a', light: '#f6f7f9' } as const;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function createPageWindow(options: PageWindowOptions): PageWindow {
  let window: BrowserWindow | null = null;
  let address = options.home;
  let hiding: NodeJS.Timeout | undefined;
  const mayReopen = createCrashGuard();
  const sender = snapshotSender((name, data) => window?.webContents.send(pushChannel(name), data));
  const snapshots = latest<Snapshot>({
    intervalMs: PUSH_INTERVAL_MS,
    isReady: () => isSeen(window),
    send: sender.send,
  });
  const remember = ({ webContents }: BrowserWindow): void => {
    const shown = webContents.getURL();
    if (isPanelUrl(shown)) address = shown;
  };
  const drop = (): void => {
    clearTimeout(hiding);
    const dropped = window;
    if (dropped === null) return;
    remember(dropped);
    window = null;
    dropped.destroy();
  };
  const hide = (): void => {
    if (window === null) return;
    window.hide();
    clearTimeout(hiding);
    hiding = setTimeout(drop, HIDDEN_LIMIT_MS);
    hiding.unref();
  };
  const reopen = (gone: BrowserWindow): void => {
    if (window !== gone || options.isQuitting()) return;
    clearTimeout(hiding);
    remember(gone);
    const isHopeless = !mayReopen(performance.now());
    if (isHopeless && options.safe !== null) address = options.safe;
    // Open the new window first: without any the app ends. A hidden one is recreated when shown.
    window = isSeen(gone) && !(isHopeless && options.safe === null) ? open() : null;
    gone.destroy();
  };
  const open = (): BrowserWindow => {
    const opened = openWindow(options);
    opened.on('show', snapshots.poke);
    opened.on('restore', snapshots.poke);
    opened.on('close', (event) => {
      if (options.isQuitting()) return;
      event.preventDefault();
      options.whenClosed(opened, hide);
    });
    opened.on('closed', () => {
      if (window === opened) window = null;
    });
    opened.webContents.on('render-process-gone', () => reopen(opened));
    opened.webContents.on('did-finish-load', () => {
      sender.startOver();
      void presentSnapshot(options.host).then((snapshot) => snapshot && snapshots.offer(snapshot));
    });
    options.listen(opened, hide);
    void opened.loadURL(address);
    // The next window starts at home, unless this one is closed to free memory.
    address = options.home;
    return opened;
  };
  const show = (): void => {
    clearTimeout(hiding);
    if (window === null) {
      window = open();
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
  return {
    show,
    hide,
    goTo(wanted) {
      address = wanted;
      if (window) void window.loadURL(address);
      show();
    },
    current: () => window,
    isSeen: () => isSeen(window),
    push: snapshots.offer,
    tellWhole: sender.startOver,
    isOurs: (id) => window !== null && window.webContents.id === id,
    repaint: () => window?.setBackgroundColor(backgroundOf(options)),
    close() {
      snapshots.close();
      drop();
    },
  };
}

function openWindow(options: PageWindowOptions): BrowserWindow {
  const { electron, preload } = options;
  const opened = new electron.BrowserWindow({
    ...options.shape(),
    title: 'Understudy',
    show: false,
    backgroundColor: backgroundOf(options),
    webPreferences: windowPreferences(preload, electron.app.isPackaged),
  });
  opened.once('ready-to-show', () => opened.show());
  return opened;
}

const backgroundOf = ({ electron }: WindowParts): string =>
  electron.nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light;

const isSeen = (window: BrowserWindow | null): boolean => window?.isVisible() === true && !window.isMinimized();
