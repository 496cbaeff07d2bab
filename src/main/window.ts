import type { BrowserWindow } from 'electron';
import type { NoticePush, PanelHost, Snapshot } from '../contract';
import { latest } from '../panel/latest';
import { presentSnapshot } from '../panel/present-snapshot';
import { snapshotSender } from '../panel/snapshot-sender';
import { pushChannel } from '../preload/channels';
import { createCrashGuard } from './crashes';
import type { Electron } from './electron';
import { isPanelUrl, PANEL_URL, SAFE_URL, windowPreferences } from './security';

/** What the window needs. `preload` is the path of the built preload script. */
export type WindowOptions = Readonly<{
  electron: Pick<Electron, 'app' | 'BrowserWindow' | 'nativeTheme'>;
  preload: string;
  /** What closing means: hidden it can be brought back by the tray alone, minimized by the taskbar. */
  whenClosed(): 'hide' | 'minimize' | 'quit';
  /** Whether the app is on its way out, so that a window must really close. */
  isQuitting(): boolean;
  quit(): void;
}>;

/** The one window of the app; made when first shown. */
export type AppWindow = Readonly<{
  show(): void;
  /** Shows a view: `hash` as in `#/models`. */
  goTo(hash: string): void;
  push(snapshot: Snapshot): void;
  /** Passes on what the core told about a notice; a window that is not there reads it in the inbox. */
  tell(push: NoticePush): void;
  /** Whether somebody is looking at the agents. */
  isOnAgents(): boolean;
  /** The page has asked for the whole snapshot: it may have missed what was told. */
  tellWhole(): void;
  isOurs(webContentsId: number): boolean;
  /** Follows the system's theme. */
  repaint(): void;
  close(): void;
}>;

const PUSH_INTERVAL_MS = 100;
/** A window nobody has looked at for this long gives its memory back; what it showed comes again with it. */
const HIDDEN_LIMIT_MS = 30_000;
const BACKGROUND = { dark: '#15171a', light: '#f6f7f9' } as const;

/** Prepares the window without opening it. @param host Asked for the present snapshot when the page has loaded. */
export function createWindow(options: WindowOptions, host: PanelHost): AppWindow {
  let window: BrowserWindow | null = null;
  let address = PANEL_URL;
  let hiding: NodeJS.Timeout | undefined;
  const mayReopen = createCrashGuard();
  const sender = snapshotSender((name, data) => window?.webContents.send(pushChannel(name), data));
  const snapshots = latest<Snapshot>({
    intervalMs: PUSH_INTERVAL_MS,
    isReady: () => window !== null && isSeen(window),
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
    window?.hide();
    clearTimeout(hiding);
    hiding = setTimeout(drop, HIDDEN_LIMIT_MS);
    hiding.unref();
  };
  const reopen = (gone: BrowserWindow): void => {
    if (window !== gone || options.isQuitting()) return;
    clearTimeout(hiding);
    remember(gone);
    if (!mayReopen(performance.now())) address = SAFE_URL;
    // One that crashed unseen is made anew when somebody wants to see it. First the new one: with none at all the app ends.
    window = isSeen(gone) ? open() : null;
    gone.destroy();
  };
  const open = (): BrowserWindow => {
    const opened = openWindow(options);
    opened.on('show', snapshots.poke);
    opened.on('restore', snapshots.poke);
    opened.on('close', (event) => closeOrHide(options, { window: opened, event, hide }));
    opened.on('closed', () => {
      if (window === opened) window = null;
    });
    opened.webContents.on('render-process-gone', () => reopen(opened));
    opened.webContents.on('did-finish-load', () => {
      sender.startOver();
      void presentSnapshot(host).then((snapshot) => snapshot && snapshots.offer(snapshot));
    });
    // Windows ends the session without asking the app.
    opened.on('session-end', () => options.quit());
    void opened.loadURL(address);
    // The next window starts over, unless this one is dropped and remembered.
    address = PANEL_URL;
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
    goTo(hash) {
      address = `${PANEL_URL}${hash}`;
      if (window) void window.loadURL(address);
      show();
    },
    push: snapshots.offer,
    tell: (push) => window?.webContents.send(pushChannel('notice'), push),
    isOnAgents: () =>
      window !== null && isSeen(window) && window.isFocused() && isAgentsUrl(window.webContents.getURL()),
    tellWhole: sender.startOver,
    isOurs: (id) => window !== null && window.webContents.id === id,
    repaint: () => window?.setBackgroundColor(backgroundOf(options)),
    close() {
      snapshots.close();
      drop();
    },
  };
}

function openWindow(options: WindowOptions): BrowserWindow {
  const { electron, preload } = options;
  const opened = new electron.BrowserWindow({
    title: 'Understudy',
    width: 1080,
    height: 720,
    minWidth: 640,
    minHeight: 480,
    show: false,
    autoHideMenuBar: true,
    backgroundColor: backgroundOf(options),
    webPreferences: windowPreferences(preload, electron.app.isPackaged),
  });
  opened.once('ready-to-show', () => opened.show());
  return opened;
}

const backgroundOf = ({ electron }: WindowOptions): string =>
  electron.nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light;

/** The panel opens at its agents. */
const isAgentsUrl = (url: string): boolean => isPanelUrl(url) && /^$|^#\/now\b/.test(new URL(url).hash);

const isSeen = (window: BrowserWindow): boolean => window.isVisible() && !window.isMinimized();

type Closing = Readonly<{ window: BrowserWindow; event: { preventDefault(): void }; hide: () => void }>;

function closeOrHide(options: WindowOptions, { window, event, hide }: Closing): void {
  if (options.isQuitting()) return;
  event.preventDefault();
  const meaning = options.whenClosed();
  if (meaning === 'hide') hide();
  // Closed once more from the taskbar: there is no tray to quit from, so this is how it is meant.
  else if (meaning === 'quit' || window.isMinimized()) options.quit();
  else window.minimize();
}
