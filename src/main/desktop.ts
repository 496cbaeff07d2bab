import { join } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import { answer, type Handlers, onPush } from '../contract/contract';
import type { PreferencesInForce } from '../contract/preferences';
import type { Snapshot } from '../contract/snapshot';
import type { OpenedCore } from '../node/attach-core';
import { failureText } from '../node/base/failure';
import { readBundle } from '../panel/bundle';
import { presentSnapshot } from '../panel/present-snapshot';
import { type Autostart, HIDDEN_FLAG } from './autostart';
import type { Electron } from './electron';
import { createGlance, type Glance } from './glance';
import { serveContract } from './ipc';
import { createSpeech, type Speech } from './language';
import { hashInArguments, hashOfLink, LINK_SCHEME } from './links';
import { createNotices, type DesktopNotices } from './notices';
import { PANEL_SCHEME_RULES, servePanelScheme } from './protocol';
import { lockNavigation, lockSession } from './security';
import { desktopShell } from './shell-handlers';
import { type AppTray, createTray } from './tray';
import { createTrayActs } from './tray-acts';
import type { UpdatesParts } from './updates';
import { type AppWindow, createWindow } from './window';

export type DesktopParts = Readonly<{
  electron: Electron;
  platform: NodeJS.Platform;
  builtRoot: string;
  /** Also identifies the single instance. */
  userData: string;
  args: readonly string[];
  autostart: Autostart;
  openCore(): Promise<OpenedCore>;
  /** Only while the user allows it. */
  followUpdates(wish: Pick<UpdatesParts, 'isAsked' | 'onReady'>): () => void;
  hasTrayHost(): Promise<boolean>;
}>;

type Windows = Readonly<{ window: AppWindow; glance: Glance }>;

type ShellState = { isQuitting: boolean; canHide: boolean; tray: AppTray | null };

/** Half a second of the three remains for quitting. */
const QUIT_DEADLINE_MS = 2_500;
const APP_ID = 'dev.understudy.desktop';
/** Windows starts the app under this id after a click on a notice. Never change it: existing shortcuts contain it. */
const TOAST_ACTIVATOR = '{781E790D-772A-451D-8F5F-ABFDC9040DEB}';
const LANGUAGE_FILE = 'language';

export async function startDesktop(parts: DesktopParts): Promise<void> {
  const { app, protocol, session } = parts.electron;
  app.enableSandbox();
  // Before the lock, which belongs to this folder: another state home is a separate Understudy.
  app.setPath('userData', parts.userData);
  if (!app.requestSingleInstanceLock()) {
    app.exit(0);
    return;
  }
  app.setAppUserModelId(APP_ID);
  if (parts.platform === 'win32') app.setToastActivatorCLSID(TOAST_ACTIVATOR);
  protocol.registerSchemesAsPrivileged([PANEL_SCHEME_RULES]);
  lockNavigation(app);
  await app.whenReady();
  lockSession(session.defaultSession);
  try {
    await composeShell(parts);
  } catch (error) {
    console.error(`Understudy could not start: ${failureText(error)}`);
    app.exit(1);
  }
}

async function composeShell(parts: DesktopParts): Promise<void> {
  const { electron, platform } = parts;
  const { ipcMain, protocol } = electron;
  const bundle = await readBundle(join(parts.builtRoot, 'renderer'));
  servePanelScheme(protocol, bundle);
  const [core, isHostSeen] = await Promise.all([parts.openCore(), parts.hasTrayHost()]);
  const state: ShellState = { isQuitting: false, canHide: false, tray: null };
  const windows = createWindows(parts, core, state);
  const { window, glance } = windows;
  const speech = createSpeech(join(parts.userData, LANGUAGE_FILE), () => state.tray?.redraw());
  const notices = createNotices({ electron, platform, host: core.host, window, say: speech.say });
  const handlers = answersOf(parts, { core, windows, speech, notices, state });
  const isOurWindow = (id: number): boolean => window.isOurs(id) || glance.isOurs(id);
  serveContract({ ipcMain, isOurWindow }, handlers);
  setMenu(electron, platform);
  state.tray = createIcon(parts, windows, { handlers, say: speech.say });
  state.canHide = state.tray !== null && isHostSeen;
  const stopFeeding = feed(core, windows, { tray: state.tray, notices });
  listenToApp(parts, state, window);
  listenToMachine(electron, core, windows, state.tray);
  const stopUpdates = parts.followUpdates({
    isAsked: async () => (await core.host.handlers['settings.get'](null)).preferences.updates.look,
    onReady: core.updateReady,
  });
  closeOnQuit(electron, async () => {
    stopFeeding();
    stopUpdates();
    state.tray?.close();
    glance.close();
    window.close();
    await core.close();
  });
  const link = hashInArguments(parts.args);
  if (link !== null) window.goTo(link);
  // A hidden app without a tray could never be shown.
  else if (!parts.args.includes(HIDDEN_FLAG) || !state.canHide) window.show();
}

function createWindows({ electron, builtRoot }: DesktopParts, core: OpenedCore, state: ShellState): Windows {
  const shared = {
    electron,
    preload: join(builtRoot, 'preload', 'index.cjs'),
    host: core.host,
    isQuitting: () => state.isQuitting,
  };
  const window = createWindow({
    ...shared,
    // An app that stores nothing must not stay open hidden.
    whenClosed: () => (core.isReadOnly ? 'quit' : state.canHide ? 'hide' : 'minimize'),
    quit: () => electron.app.quit(),
  });
  return { window, glance: createGlance(shared) };
}

function createIcon(
  { electron, platform }: DesktopParts,
  { window, glance }: Windows,
  { handlers, say }: Readonly<{ handlers: Handlers; say: Speech['say'] }>,
): AppTray | null {
  const { app } = electron;
  return createTray({
    electron,
    platform,
    say,
    assets: join(app.getAppPath(), 'resources', 'tray'),
    perform: createTrayActs({
      electron,
      handlers,
      say,
      open: window.show,
      go: window.goTo,
      quit: () => app.quit(),
    }),
    onClick: glance.toggle,
  });
}

type Composed = Readonly<{
  core: OpenedCore;
  windows: Windows;
  speech: Speech;
  notices: DesktopNotices;
  state: Readonly<ShellState>;
}>;

function answersOf(
  { electron, autostart }: DesktopParts,
  { core, windows, speech, notices, state }: Composed,
): Handlers {
  const { handlers } = core.host;
  const { window, glance } = windows;
  const tray = () => (state.canHide ? (state.tray?.visibility() ?? 'absent') : 'absent');
  const leaveGlance = (hash: string | null): void => {
    glance.hide();
    if (hash !== null) window.goTo(hash);
  };
  return {
    ...handlers,
    ...desktopShell({ electron, autostart, speech, notices, tray, leaveGlance }),
    'snapshot.get': (nothing) => {
      // Either window may have requested it; an extra snapshot does no harm.
      window.tellWhole();
      glance.tellWhole();
      return handlers['snapshot.get'](nothing);
    },
  };
}

type Receivers = Readonly<{ tray: AppTray | null; notices: DesktopNotices }>;

function feed({ host }: OpenedCore, { window, glance }: Windows, { tray, notices }: Receivers): () => void {
  let settings: number | null = null;
  const show = (snapshot: Snapshot): void => {
    tray?.show(snapshot);
    if (settings === snapshot.settings) return;
    settings = snapshot.settings;
    void answer(host.handlers, 'settings.get', null).then((reply) => {
      // Checked by `answer`.
      if (reply.ok) tray?.prefer((reply.value as PreferencesInForce).preferences);
    });
  };
  void presentSnapshot(host).then((snapshot) => snapshot && show(snapshot));
  const stops = [
    onPush(host, 'snapshot', (snapshot) => {
      window.push(snapshot);
      glance.push(snapshot);
      show(snapshot);
    }),
    onPush(host, 'notice', (push) => {
      window.tell(push);
      notices.hear(push);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function listenToApp({ electron, platform }: DesktopParts, state: ShellState, window: AppWindow): void {
  const { app } = electron;
  // In development the scheme would start plain Electron.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
  const follow = (hash: string | null): void => (hash === null ? window.show() : window.goTo(hash));
  app.on('second-instance', (_event, args) => follow(hashInArguments(args)));
  app.on('open-url', (event, link) => {
    event.preventDefault();
    follow(hashOfLink(link));
  });
  app.on('activate', window.show);
  // Keeps the app running only if a tray can open a window.
  app.on('window-all-closed', () => {
    if (!state.canHide && platform !== 'darwin') app.quit();
  });
  app.on('before-quit', () => {
    // A window may refuse to close.
    if (!state.isQuitting) setTimeout(() => app.exit(0), QUIT_DEADLINE_MS);
    state.isQuitting = true;
  });
}

function listenToMachine(
  electron: Electron,
  core: OpenedCore,
  { window, glance }: Windows,
  tray: AppTray | null,
): void {
  const { app, nativeTheme, powerMonitor } = electron;
  powerMonitor.on('resume', () => {
    // First: later reports of the core are news.
    tray?.woken();
    core.woken();
  });
  powerMonitor.on('shutdown', () => app.quit());
  nativeTheme.on('updated', () => {
    window.repaint();
    glance.repaint();
    tray?.redraw();
  });
}

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

/** The default menu would offer developer tools and reload. */
function setMenu({ Menu }: Pick<Electron, 'Menu'>, platform: NodeJS.Platform): void {
  const template: MenuItemConstructorOptions[] =
    platform === 'darwin'
      ? [{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }]
      : [{ label: 'Understudy', submenu: [{ role: 'quit', accelerator: 'CmdOrCtrl+Q' }] }, { role: 'editMenu' }];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
