import { join } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import { type Handlers, onPush, type PanelHost } from '../contract';
import type { OpenedCore } from '../node/open-core';
import { readBundle } from '../panel/bundle';
import { presentSnapshot } from '../panel/present-snapshot';
import { type Autostart, HIDDEN_FLAG } from './autostart';
import type { Electron } from './electron';
import { serveContract } from './ipc';
import { hashInArguments, hashOfLink, LINK_SCHEME } from './links';
import { createNotices, type DesktopNotices } from './notices';
import { PANEL_SCHEME_RULES, servePanelScheme } from './protocol';
import { lockNavigation, lockSession } from './security';
import { desktopShell } from './shell-handlers';
import { type AppTray, createTray } from './tray';
import { type AppWindow, createWindow } from './window';

/** What the desktop shell is composed of. */
export type DesktopParts = Readonly<{
  electron: Electron;
  platform: NodeJS.Platform;
  /** Folder of the built files: `renderer` and `preload` are in it. */
  builtRoot: string;
  /** Where Chromium keeps what it keeps, and the folder that the one instance is one of. */
  userData: string;
  /** What the program was started with. */
  args: readonly string[];
  autostart: Autostart;
  openCore(): Promise<OpenedCore>;
  hasTrayHost(): Promise<boolean>;
}>;

/** What changes while the shell runs. */
type ShellState = { isQuitting: boolean; canHide: boolean };

/** Leaves half a second of the three that quitting may take. */
const QUIT_DEADLINE_MS = 2_500;
const APP_ID = 'dev.understudy.desktop';
const TOAST_ACTIVATOR = '{027D139B-EA93-452B-B02F-A5873D296311}';

/**
 * Starts the desktop shell. The second start of the same user writes nothing, shows the window of the first and ends.
 *
 * @returns when the window and the tray are there, or this process turned out to be the second.
 */
export async function startDesktop(parts: DesktopParts): Promise<void> {
  const { app, protocol, session } = parts.electron;
  app.enableSandbox();
  // Before the lock, which holds for this folder: another state home is another Understudy.
  app.setPath('userData', parts.userData);
  if (!app.requestSingleInstanceLock()) {
    app.exit(0);
    return;
  }
  app.setAppUserModelId(APP_ID);
  // Windows starts the app by it when a notification of an earlier run is clicked: never another one.
  if (parts.platform === 'win32') app.setToastActivatorCLSID(TOAST_ACTIVATOR);
  protocol.registerSchemesAsPrivileged([PANEL_SCHEME_RULES]);
  lockNavigation(app);
  await app.whenReady();
  lockSession(session.defaultSession);
  try {
    await composeShell(parts);
  } catch (error) {
    console.error(`Understudy could not start: ${error instanceof Error ? error.message : String(error)}`);
    app.exit(1);
  }
}

async function composeShell(parts: DesktopParts): Promise<void> {
  const { electron, platform } = parts;
  const { app, ipcMain, protocol } = electron;
  const bundle = await readBundle(join(parts.builtRoot, 'renderer'));
  servePanelScheme(protocol, bundle);
  const [core, isHostSeen] = await Promise.all([parts.openCore(), parts.hasTrayHost()]);
  const state: ShellState = { isQuitting: false, canHide: false };
  const window = createWindow(
    {
      electron,
      preload: join(parts.builtRoot, 'preload', 'index.cjs'),
      // A history that a newer version wrote is only shown: an app that keeps nothing must not stay on unseen.
      whenClosed: () => (core.isReadOnly ? 'quit' : state.canHide ? 'hide' : 'minimize'),
      isQuitting: () => state.isQuitting,
      quit: () => app.quit(),
    },
    core.host,
  );
  const notices = createNotices({ electron, platform, host: core.host, window });
  const { handlers: answers } = core.host;
  const handlers: Handlers = {
    ...answers,
    ...desktopShell({ electron, autostart: parts.autostart, notices }),
    'snapshot.get': (nothing) => {
      window.tellWhole();
      return answers['snapshot.get'](nothing);
    },
  };
  serveContract({ ipcMain, isOurWindow: window.isOurs }, handlers);
  setMenu(electron, platform);
  const assets = join(app.getAppPath(), 'resources', 'tray');
  const tray = createTray({ electron, platform, assets, open: window.show, quit: () => app.quit() });
  state.canHide = tray !== null && isHostSeen;
  const stopListening = listenToCore(core.host, { window, tray, notices });
  listenToApp(parts, state, window);
  listenToMachine(electron, core, window);
  closeOnQuit(electron, async () => {
    stopListening();
    tray?.close();
    window.close();
    await core.close();
  });
  const link = hashInArguments(parts.args);
  if (link !== null) window.goTo(link);
  // Unseen and without a tray nothing would ever show it.
  else if (!parts.args.includes(HIDDEN_FLAG) || !state.canHide) window.show();
}

type Surfaces = Readonly<{ window: AppWindow; tray: AppTray | null; notices: DesktopNotices }>;

/** Shows what the core tells, from now on. @returns what ends it. */
function listenToCore(host: PanelHost, { window, tray, notices }: Surfaces): () => void {
  const stops = [
    onPush(host, 'snapshot', (snapshot) => {
      window.push(snapshot);
      tray?.show(snapshot);
    }),
    onPush(host, 'notice', (push) => {
      window.tell(push);
      notices.hear(push);
    }),
  ];
  void presentSnapshot(host).then((snapshot) => snapshot && tray?.show(snapshot));
  return () => {
    for (const stop of stops) stop();
  };
}

function listenToApp({ electron, platform }: DesktopParts, state: ShellState, window: AppWindow): void {
  const { app } = electron;
  // In development the scheme would lead to Electron itself.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
  const follow = (hash: string | null): void => (hash === null ? window.show() : window.goTo(hash));
  app.on('second-instance', (_event, args) => follow(hashInArguments(args)));
  app.on('open-url', (event, link) => {
    event.preventDefault();
    follow(hashOfLink(link));
  });
  app.on('activate', window.show);
  // Listening is what keeps the app on while no window is open; without a tray nothing could open one again.
  app.on('window-all-closed', () => {
    if (!state.canHide && platform !== 'darwin') app.quit();
  });
  app.on('before-quit', () => {
    // A window that does not close must not keep the app either.
    if (!state.isQuitting) setTimeout(() => app.exit(0), QUIT_DEADLINE_MS);
    state.isQuitting = true;
  });
}

/** Sleep, the end of the session, and the theme. */
function listenToMachine({ app, nativeTheme, powerMonitor }: Electron, core: OpenedCore, window: AppWindow): void {
  powerMonitor.on('resume', core.woken);
  powerMonitor.on('shutdown', () => app.quit());
  nativeTheme.on('updated', window.repaint);
}

/** Quitting waits for the core to write and close; the deadline runs since the quit began. */
function closeOnQuit({ app }: Pick<Electron, 'app'>, close: () => Promise<void>): void {
  let isClosing = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (isClosing) return;
    isClosing = true;
    void close()
      .catch((error: unknown) => console.error(`Not everything was closed: ${String(error)}`))
      .finally(() => app.exit(0));
  });
}

/** Only what people need: the default menu would open developer tools and reload. */
function setMenu({ Menu }: Pick<Electron, 'Menu'>, platform: NodeJS.Platform): void {
  const template: MenuItemConstructorOptions[] =
    platform === 'darwin'
      ? [{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }]
      : [{ label: 'Understudy', submenu: [{ role: 'quit', accelerator: 'CmdOrCtrl+Q' }] }, { role: 'editMenu' }];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
