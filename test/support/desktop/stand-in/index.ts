/**
 * Stands in for the module `electron`: the slice the shell uses, over Node and a real Chromium. Windows are pages, the
 * preload runs in a world of its own, what passes between window and shell really passes. What the shell asks for and
 * this does not have throws.
 */
import { EventEmitter } from 'node:events';
import process from 'node:process';
import type {
  BrowserWindowConstructorOptions,
  MenuItemConstructorOptions,
  NotificationConstructorOptions,
  Rectangle,
} from 'electron';
import type { Electron as ElectronOfShell } from '../../../../src/main/electron';
import { StandInApp } from './app';
import { type Chromium, startChromium } from './chromium';
import { answerDriver, tellDriver } from './control';
import { only } from './only';
import { Rules, type Runtime } from './runtime';
import { StandInWindow } from './window';

const rules = new Rules();
const windows = new Set<StandInWindow>();
let started: Promise<Chromium> | null = null;

const runtime: Runtime = {
  chromium() {
    started ??= startChromium(standInApp.getPath('userData')).then((chromium) => {
      tellDriver({ devtoolsPort: chromium.port });
      return chromium;
    });
    return started;
  },
  mayLoad: (address) => rules.mayLoad(address),
  serve: (address, method) => rules.serve(address, method),
  invoke: (channel, event, given) => rules.invoke(channel, event, given),
};

const standInApp = new StandInApp(windows);
if (standInApp.isPackaged) {
  // A packaged program is its own first argument, and has no folder beside it.
  process.argv.splice(1, 1);
  Object.assign(process, { resourcesPath: process.env.STAND_IN_RESOURCES });
}

class BrowserWindow extends StandInWindow {
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
    // biome-ignore lint/correctness/noConstructorReturn: the shell gets a window that has no more than it has.
    return only('BrowserWindow', this);
  }
}

class Menu extends EventEmitter {
  static application: Menu | null = null;
  static buildFromTemplate(template: MenuItemConstructorOptions[]): Menu {
    return new Menu(template);
  }
  static setApplicationMenu(menu: Menu): void {
    Menu.application = menu;
  }
  static getApplicationMenu(): Menu | null {
    return Menu.application;
  }
  constructor(readonly items: readonly MenuItemConstructorOptions[]) {
    super();
  }
}

const bar: { image: string; toolTip: string; menu: Menu | null } = { image: '', toolTip: '', menu: null };

class Tray extends EventEmitter {
  constructor(image: Readonly<{ path: string }>) {
    super();
    if (process.env.STAND_IN_NO_TRAY === '1') throw new Error('There is no bar.');
    trays.push(this);
    this.setImage(image);
  }
  setImage({ path }: Readonly<{ path: string }>): void {
    bar.image = path;
  }
  setToolTip(text: string): void {
    bar.toolTip = text;
  }
  setContextMenu(menu: Menu): void {
    bar.menu = menu;
  }
  popUpContextMenu(menu: Menu): void {
    bar.menu = menu;
  }
  setTitle(): void {}
  getBounds(): Rectangle {
    return { x: 1000, y: 764, width: 24, height: 32 };
  }
  destroy(): void {}
}

/** The service of this machine: shown as Linux shows it, or missing, as `STAND_IN_NOTIFICATIONS` says. */
const shownNotices: Notification[] = [];
class Notification extends EventEmitter {
  static isSupported(): boolean {
    return process.env.STAND_IN_NOTIFICATIONS !== 'missing';
  }
  static remove(): void {}
  static handleActivation(): void {}
  isClosed = false;
  constructor(readonly options: NotificationConstructorOptions) {
    super();
    // biome-ignore lint/correctness/noConstructorReturn: the shell gets a notification that has no more than it has.
    return only('Notification', this);
  }
  show(): void {
    shownNotices.push(this);
    setImmediate(() => this.emit('show', {}));
  }
  close(): void {
    this.isClosed = true;
  }
}

const rule = (name: string) => (handler: (...given: never[]) => unknown) => void sessionRules.set(name, handler);
const sessionRules = new Map<string, (...given: never[]) => unknown>();

class NativeTheme extends EventEmitter {
  shouldUseDarkColors = process.env.STAND_IN_DARK === '1';
  shouldUseDarkColorsForSystemIntegratedUI = true;
  #source = 'system';
  get themeSource(): string {
    return this.#source;
  }
  set themeSource(source: string) {
    this.#source = source;
    if (source !== 'system') this.shouldUseDarkColors = source === 'dark';
    this.emit('updated');
  }
}

/** The icons in the bar; a driver clicks on them. */
const trays: EventEmitter[] = [];
/** One screen, with a bar of 40 at its lower edge. */
const display = only('Display', {
  bounds: { x: 0, y: 0, width: 1280, height: 800 },
  workArea: { x: 0, y: 0, width: 1280, height: 760 },
});
/** What boxes of the system said, and where a file is saved; null gives it up. */
const boxes = { messages: [] as object[], saveTo: null as string | null };

const opened: string[] = [];

const electron = {
  app: only('app', standInApp),
  autoUpdater: only('autoUpdater', Object.assign(new EventEmitter(), { setFeedURL() {}, checkForUpdates() {} })),
  BrowserWindow,
  ipcMain: only('ipcMain', {
    handle: (channel: string, handler: (event: unknown, ...given: unknown[]) => unknown) => {
      if (rules.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
      rules.handlers.set(channel, handler);
    },
    removeHandler: (channel: string) => void rules.handlers.delete(channel),
  }),
  dialog: only('dialog', {
    showMessageBox: async (options: object) => {
      boxes.messages.push(options);
      return { response: 0 };
    },
    showSaveDialog: async () => ({ canceled: boxes.saveTo === null, filePath: boxes.saveTo ?? '' }),
  }),
  Menu: only('Menu', Menu),
  nativeImage: only('nativeImage', {
    createFromPath: (path: string) => only('NativeImage', { path }),
  }),
  nativeTheme: only('nativeTheme', new NativeTheme()),
  Notification,
  powerMonitor: only('powerMonitor', new EventEmitter()),
  protocol: only('protocol', {
    registerSchemesAsPrivileged() {},
    handle: (scheme: string, handler: (request: Request) => Response) => void rules.schemes.set(scheme, handler),
  }),
  screen: only('screen', { getDisplayMatching: () => display }),
  session: only('session', {
    defaultSession: only('session.defaultSession', {
      setPermissionRequestHandler: rule('permissionRequest'),
      setPermissionCheckHandler: rule('permissionCheck'),
      setDevicePermissionHandler: rule('devicePermission'),
      setDisplayMediaRequestHandler: rule('displayMedia'),
      webRequest: only('webRequest', {
        onBeforeRequest: (listener: NonNullable<Rules['beforeRequest']>) => {
          rules.beforeRequest = listener;
        },
      }),
    }),
  }),
  shell: only('shell', {
    openExternal: async (address: string) => void opened.push(address),
    showItemInFolder: (path: string) => void opened.push(path),
  }),
  Tray,
} as const;

// Whatever part of Electron the shell is given, the stand-in has: else this does not compile.
electron satisfies Record<keyof ElectronOfShell, unknown>;

answerDriver(electron, { rules: sessionRules, opened, bar, boxes, shownNotices, trays });

export const { app, autoUpdater, dialog, ipcMain, nativeImage, nativeTheme, powerMonitor, protocol, screen } = electron;
export const { session, shell } = electron;
export { BrowserWindow, Menu, Notification, Tray };
