import { EventEmitter } from 'node:events';
import type {
  ActivationArguments,
  MenuItemConstructorOptions,
  NotificationConstructorOptions,
  Rectangle,
} from 'electron';
import type { Electron } from '../../src/main/electron';

type WindowOptionsDouble = { show?: boolean; webPreferences?: Record<string, unknown> } & Partial<Rectangle>;
type Handler = (event: unknown, input: unknown) => unknown;

export class WindowDouble extends EventEmitter {
  readonly webContents: ContentsDouble;
  readonly options: WindowOptionsDouble;
  visible = false;
  minimized = false;
  focused = false;
  destroyed = false;
  loaded: string[] = [];
  background = '';
  bounds: Rectangle | null = null;

  constructor(options: WindowOptionsDouble, id: number) {
    super();
    this.options = options;
    this.webContents = new ContentsDouble(id);
  }
  loadURL(url: string): Promise<void> {
    this.loaded.push(url);
    this.webContents.url = url;
    return Promise.resolve();
  }
  show(): void {
    this.visible = true;
    this.emit('show');
  }
  hide(): void {
    this.visible = false;
  }
  focus(): void {
    this.focused = true;
  }
  isFocused(): boolean {
    return this.focused;
  }
  minimize(): void {
    this.minimized = true;
  }
  restore(): void {
    this.minimized = false;
    this.emit('restore');
  }
  setBackgroundColor(color: string): void {
    this.background = color;
  }
  setBounds(bounds: Rectangle): void {
    this.bounds = bounds;
  }
  isVisible(): boolean {
    return this.visible;
  }
  isMinimized(): boolean {
    return this.minimized;
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('closed');
  }
  close(): void {
    if (!prevented(this, 'close')) this.destroy();
  }
}

export class ContentsDouble extends EventEmitter {
  readonly sent: [string, unknown][] = [];
  openHandler: (() => { action: string }) | null = null;
  url = '';

  constructor(readonly id: number) {
    super();
  }
  getURL(): string {
    return this.url;
  }
  send(channel: string, data: unknown): void {
    this.sent.push([channel, data]);
  }
  setWindowOpenHandler(handler: () => { action: string }): void {
    this.openHandler = handler;
  }
}

export class TrayDouble extends EventEmitter {
  toolTip = '';
  title = '';
  readonly menus: MenuDouble[] = [];
  popped: MenuDouble[] = [];
  destroyed = false;
  readonly images: string[] = [];
  bounds = { x: 1200, y: 0, width: 22, height: 22 };

  constructor(public image: ImageDouble) {
    super();
  }
  setImage(image: ImageDouble): void {
    this.image = image;
    this.images.push(image.shape());
  }
  setTitle(title: string): void {
    this.title = title;
  }
  popUpContextMenu(menu: MenuDouble): void {
    this.popped.push(menu);
  }
  getBounds() {
    return this.bounds;
  }
  setToolTip(text: string): void {
    this.toolTip = text;
  }
  setContextMenu(menu: MenuDouble): void {
    this.menus.push(menu);
  }
  get menu(): MenuDouble | null {
    return this.menus.at(-1) ?? null;
  }
  destroy(): void {
    this.destroyed = true;
  }
}

export class MenuDouble extends EventEmitter {
  constructor(readonly template: readonly MenuItemConstructorOptions[]) {
    super();
  }
  labels(): string[] {
    return this.template.map((item) => item.label ?? item.type ?? '');
  }
  /** Selects a row; earlier labels name its parent menus. */
  choose(...labels: readonly string[]): void {
    const row = labels.reduce<MenuItemConstructorOptions>(
      (menu, label) => (menu.submenu as MenuItemConstructorOptions[])?.find((item) => item.label === label) ?? {},
      { submenu: [...this.template] },
    );
    const click = row.click as (() => void) | undefined;
    if (!click) throw new RangeError(`No row "${labels.join(' ▸ ')}" can be chosen.`);
    click();
  }
}

export class NotificationDouble extends EventEmitter {
  isShown = false;
  isClosed = false;

  constructor(
    readonly options: NotificationConstructorOptions,
    private readonly says: () => readonly [name: string, ...given: unknown[]] | null,
  ) {
    super();
  }
  show(): void {
    this.isShown = true;
    const said = this.says();
    if (said) this.emit(said[0], {}, ...said.slice(1));
  }
  close(): void {
    this.isClosed = true;
  }
}

/** Behaviour of the notification service; undefined if there is none. */
export type NotificationService = 'shows' | 'fails' | 'says nothing' | 'missing';

export class ImageDouble {
  constructor(readonly path: string) {}
  shape(): string {
    return /([a-z-]+?)(?:Template)?\.\w+$/.exec(this.path)?.[1] ?? '';
  }
}

export class AppDouble extends EventEmitter {
  readonly calls: string[] = [];
  readonly exits: number[] = [];
  isPackaged = true;
  hasLock = true;

  enableSandbox(): void {
    this.calls.push('enableSandbox');
  }
  requestSingleInstanceLock(): boolean {
    this.calls.push('requestSingleInstanceLock');
    return this.hasLock;
  }
  setAppUserModelId(): void {
    this.calls.push('setAppUserModelId');
  }
  setToastActivatorCLSID(id: string): void {
    this.calls.push(`setToastActivatorCLSID ${id}`);
  }
  setPath(name: string, path: string): void {
    this.calls.push(`setPath ${name} ${path}`);
  }
  setAsDefaultProtocolClient(scheme: string): void {
    this.calls.push(`setAsDefaultProtocolClient ${scheme}`);
  }
  whenReady(): Promise<void> {
    this.calls.push('whenReady');
    return Promise.resolve();
  }
  getAppPath(): string {
    return '/app';
  }
  /** As Electron quits: windows close, and a listener that prevents `will-quit` must exit itself. */
  quit(): void {
    this.calls.push('quit');
    this.emit('before-quit', {});
    if (!prevented(this, 'will-quit')) this.exit(0);
  }
  exit(code: number): void {
    this.exits.push(code);
  }
}

const SCREEN = {
  bounds: { x: 0, y: 0, width: 1280, height: 800 },
  workArea: { x: 0, y: 0, width: 1280, height: 760 },
} as const;
export class DialogDouble {
  readonly messages: Readonly<{ message: string; detail?: string }>[] = [];
  readonly saves: Readonly<{ defaultPath: string }>[] = [];
  saveTo: string | null = null;

  async showMessageBox(options: Readonly<{ message: string; detail?: string }>): Promise<{ response: number }> {
    this.messages.push(options);
    return { response: 0 };
  }
  async showSaveDialog(options: Readonly<{ defaultPath: string }>): Promise<{ canceled: boolean; filePath: string }> {
    this.saves.push(options);
    return { canceled: this.saveTo === null, filePath: this.saveTo ?? '' };
  }
}

/** A fake of Electron that records the shell's calls. The built app runs over it with windows that Chromium draws. */
export type ElectronDouble = Readonly<{
  electron: Electron;
  app: AppDouble;
  windows: WindowDouble[];
  trays: TrayDouble[];
  handlers: Map<string, Handler>;
  schemes: Map<string, (request: Request) => Response | Promise<Response>>;
  registeredSchemes: string[];
  /** Dialogs in order; a null `saveTo` cancels saving. */
  boxes: DialogDouble;
  sessionRules: Record<string, (...args: never[]) => unknown>;
  applicationMenus: MenuDouble[];
  notifications: NotificationDouble[];
  /** Identifiers that the shell removed on macOS. */
  removed: string[];
  activate(details: Partial<ActivationArguments>): void;
}>;

type Failing = Readonly<{ tray?: boolean; notifications?: NotificationService }>;

class ThemeDouble extends EventEmitter {
  shouldUseDarkColors = false;
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

export const UNSIGNED = 'Notifications are not allowed for this application';
const SAID: Readonly<Record<NotificationService, readonly [string, ...unknown[]] | null>> = {
  shows: ['show'],
  fails: ['failed', UNSIGNED],
  'says nothing': null,
  missing: null,
};

/** @param failing Parts that throw when used, as on a machine without them. */
export function electronDouble(failing: Failing = {}): ElectronDouble {
  const app = new AppDouble();
  const boxes = new DialogDouble();
  const { notifications: service = 'shows' } = failing;
  const notifications: NotificationDouble[] = [];
  const removed: string[] = [];
  let activated: ((details: ActivationArguments) => void) | null = null;
  const windows: WindowDouble[] = [];
  const trays: TrayDouble[] = [];
  const handlers = new Map<string, Handler>();
  const schemes: ElectronDouble['schemes'] = new Map();
  const registeredSchemes: string[] = [];
  const sessionRules: ElectronDouble['sessionRules'] = {};
  const applicationMenus: MenuDouble[] = [];
  const rule = (name: string) => (handler: (...args: never[]) => unknown) => {
    sessionRules[name] = handler;
  };
  const electron = {
    app,
    autoUpdater: Object.assign(new EventEmitter(), { setFeedURL() {}, checkForUpdates() {} }),
    BrowserWindow: class extends WindowDouble {
      constructor(options: WindowOptionsDouble) {
        super(options, windows.length + 1);
        windows.push(this);
      }
    },
    Tray: class extends TrayDouble {
      constructor(image: ImageDouble) {
        if (failing.tray) throw new Error('There is no bar.');
        super(image);
        trays.push(this);
      }
    },
    ipcMain: {
      handle: (channel: string, handler: Handler) => {
        if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
        handlers.set(channel, handler);
      },
      removeHandler: (channel: string) => handlers.delete(channel),
    },
    Menu: {
      buildFromTemplate: (template: MenuItemConstructorOptions[]) => new MenuDouble(template),
      setApplicationMenu: (menu: MenuDouble) => applicationMenus.push(menu),
    },
    nativeImage: { createFromPath: (path: string) => new ImageDouble(path) },
    nativeTheme: new ThemeDouble(),
    Notification: class extends NotificationDouble {
      static isSupported = (): boolean => service !== 'missing';
      static remove = (id: string): void => void removed.push(id);
      static handleActivation = (listener: (details: ActivationArguments) => void): void => {
        app.calls.push('handleActivation');
        activated = listener;
      };
      constructor(options: NotificationConstructorOptions) {
        super(options, () => SAID[service]);
        notifications.push(this);
      }
    },
    powerMonitor: new EventEmitter(),
    screen: { getDisplayMatching: () => SCREEN },
    dialog: boxes,
    shell: {
      showItemInFolder: (path: string) => void app.calls.push(`showItemInFolder ${path}`),
      openExternal: async (address: string) => void app.calls.push(`openExternal ${address}`),
    },
    protocol: {
      registerSchemesAsPrivileged: (rules: { scheme: string }[]) => {
        app.calls.push('registerSchemesAsPrivileged');
        registeredSchemes.push(...rules.map((entry) => entry.scheme));
      },
      handle: (scheme: string, handler: (request: Request) => Response) => schemes.set(scheme, handler),
    },
    session: {
      defaultSession: {
        setPermissionRequestHandler: rule('permissionRequest'),
        setPermissionCheckHandler: rule('permissionCheck'),
        setDevicePermissionHandler: rule('devicePermission'),
        setDisplayMediaRequestHandler: rule('displayMedia'),
        webRequest: { onBeforeRequest: rule('beforeRequest') },
      },
    },
  };
  return {
    // The only cast: the fake has the parts that the shell uses, not all of Electron.
    electron: electron as unknown as Electron,
    ...{ app, boxes, windows, trays, handlers, schemes, registeredSchemes, sessionRules, applicationMenus },
    ...{ notifications, removed },
    activate: (details) => activated?.({ type: 'click', arguments: '', ...details }),
  };
}

/** Emits an event. @returns true if a listener prevented its default. */
export function prevented(emitter: EventEmitter, name: string, details: Record<string, unknown> = {}): boolean {
  let isPrevented = false;
  const preventDefault = (): void => {
    isPrevented = true;
  };
  emitter.emit(name, { ...details, preventDefault });
  return isPrevented;
}
