import type { BrowserWindow } from 'electron';
import type { NoticePush } from '../contract/notices';
import { pushChannel } from '../preload/channels';
import { createPageWindow, type PageWindow, type WindowParts } from './page-window';
import { isPanelUrl, PANEL_URL, SAFE_URL } from './security';

export type WindowOptions = WindowParts &
  Readonly<{
    /** Only the tray brings back a hidden window, the taskbar a minimized one. */
    whenClosed(): 'hide' | 'minimize' | 'quit';
    quit(): void;
  }>;

export type AppWindow = Omit<PageWindow, 'goTo'> &
  Readonly<{
    /** `hash` as in `#/models`. */
    goTo(hash: string): void;
    /** A closed page reads the notice in the inbox. */
    tell(push: NoticePush): void;
    isOnAgents(): boolean;
  }>;

const SHAPE = { width: 1080, height: 720, minWidth: 640, minHeight: 480, autoHideMenuBar: true } as const;

export function createWindow(options: WindowOptions): AppWindow {
  const window = createPageWindow({
    ...options,
    home: PANEL_URL,
    safe: SAFE_URL,
    shape: () => SHAPE,
    whenClosed: (closed, hide) => closeOrHide(options, closed, hide),
    // Windows ends the session without asking the app.
    listen: (opened) => void opened.on('session-end', () => options.quit()),
  });
  return {
    ...window,
    goTo: (hash) => window.goTo(`${PANEL_URL}${hash}`),
    tell: (push) => window.current()?.webContents.send(pushChannel('notice'), push),
    isOnAgents() {
      const shown = window.current();
      return shown !== null && window.isSeen() && shown.isFocused() && isAgentsUrl(shown.webContents.getURL());
    },
  };
}

const isAgentsUrl = (url: string): boolean => isPanelUrl(url) && /^$|^#\/now\b/.test(new URL(url).hash);

function closeOrHide(options: WindowOptions, window: BrowserWindow, hide: () => void): void {
  const meaning = options.whenClosed();
  if (meaning === 'hide') hide();
  // Closed again from the taskbar: without a tray the user means to quit.
  else if (meaning === 'quit' || window.isMinimized()) options.quit();
  else window.minimize();
}
