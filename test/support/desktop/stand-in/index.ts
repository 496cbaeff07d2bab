/**
 * Replaces the module `electron`: the unit tests' fake, with an app that is a process and windows that are pages of a
 * real Chromium. The preload runs in an isolated world, and messages between window and shell really pass. Parts that
 * are missing here throw.
 */
import process from 'node:process';
import type { BrowserWindowConstructorOptions } from 'electron';
import type { Electron as ElectronOfShell } from '../../../../src/main/electron';
import { electronDouble } from '../../electron-double';
import { StandInApp } from './app';
import { type Chromium, startChromium } from './chromium';
import { answerDriver, tellDriver } from './control';
import { newOnly, only } from './only';
import { runtimeOf } from './runtime';
import { StandInWindow } from './window';

const fake = electronDouble({
  tray: process.env.STAND_IN_NO_TRAY === '1',
  notifications: process.env.STAND_IN_NOTIFICATIONS === 'missing' ? 'missing' : 'shows',
});
const { electron: shared } = fake;
const windows = new Set<StandInWindow>();
let started: Promise<Chromium> | null = null;

const runtime = runtimeOf(fake, () => {
  started ??= startChromium(standInApp.getPath('userData')).then((chromium) => {
    tellDriver({ devtoolsPort: chromium.port });
    return chromium;
  });
  return started;
});

const standInApp = new StandInApp(windows);
if (standInApp.isPackaged) {
  // A packaged program has no script argument and its own resources path.
  process.argv.splice(1, 1);
  Object.assign(process, { resourcesPath: process.env.STAND_IN_RESOURCES });
}
Object.assign(shared.nativeTheme, { shouldUseDarkColors: process.env.STAND_IN_DARK === '1' });

class PageWindow extends StandInWindow {
  static getAllWindows(): StandInWindow[] {
    return [...windows];
  }
  constructor(options: BrowserWindowConstructorOptions) {
    super(
      {
        runtime,
        windows,
        contentsMade: (contents) => standInApp.emit('web-contents-created', {}, contents),
        lastClosed: () => standInApp.lastClosed(),
      },
      options,
    );
  }
}

const { defaultSession } = shared.session;
const opened: string[] = [];

const electron = {
  app: only('app', standInApp),
  autoUpdater: only('autoUpdater', shared.autoUpdater),
  BrowserWindow: newOnly('BrowserWindow', PageWindow),
  ipcMain: only('ipcMain', shared.ipcMain),
  dialog: only('dialog', shared.dialog),
  Menu: only('Menu', shared.Menu),
  nativeImage: only('nativeImage', shared.nativeImage),
  nativeTheme: only('nativeTheme', shared.nativeTheme),
  Notification: newOnly('Notification', shared.Notification),
  powerMonitor: only('powerMonitor', shared.powerMonitor),
  protocol: only('protocol', shared.protocol),
  screen: only('screen', shared.screen),
  session: only('session', {
    defaultSession: only('session.defaultSession', {
      ...defaultSession,
      webRequest: only('webRequest', defaultSession.webRequest),
    }),
  }),
  shell: only('shell', {
    openExternal: async (address: string) => void opened.push(address),
    showItemInFolder: (path: string) => void opened.push(path),
  }),
  Tray: newOnly('Tray', shared.Tray),
} as const;

// Does not compile if the fake lacks a part of Electron that the shell uses.
electron satisfies Record<keyof ElectronOfShell, unknown>;

answerDriver(electron, { ...fake, opened });

export const { app, autoUpdater, dialog, ipcMain, nativeImage, nativeTheme, powerMonitor, protocol, screen } = electron;
export const { BrowserWindow, Menu, Notification, session, shell, Tray } = electron;
