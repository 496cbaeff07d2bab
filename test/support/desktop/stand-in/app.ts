import { EventEmitter } from 'node:events';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { prevented } from '../../electron-double';
import type { StandInWindow } from './window';

export class StandInApp extends EventEmitter {
  readonly isPackaged = process.env.STAND_IN_PACKAGED === '1';
  readonly #windows: ReadonlySet<StandInWindow>;
  readonly #ready = new Promise<void>((resolve) => setImmediate(resolve));
  readonly #paths: Record<string, string> = {
    home: homedir(),
    temp: tmpdir(),
    appData: join(homedir(), '.config'),
    userData: join(process.env.STAND_IN_USER_DATA ?? join(homedir(), '.config', 'understudy')),
    exe: process.execPath,
  };
  #isQuitting = false;
  #login = { openAtLogin: false };

  constructor(windows: ReadonlySet<StandInWindow>) {
    super();
    this.#windows = windows;
  }

  enableSandbox(): void {}
  /** One process per user data folder; the first one gets the arguments of a second. */
  requestSingleInstanceLock(): boolean {
    const folder = this.getPath('userData');
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'stand-in.lock');
    if (!takeLock(path)) {
      writeFileSync(join(folder, `second-${process.pid}.json`), JSON.stringify(process.argv));
      return false;
    }
    process.once('exit', () => rmSync(path, { force: true }));
    watch(folder, () => this.#hearSeconds(folder)).unref();
    return true;
  }
  setAppUserModelId(): void {}
  setToastActivatorCLSID(): void {}
  setAsDefaultProtocolClient(): boolean {
    return true;
  }
  whenReady(): Promise<void> {
    return this.#ready;
  }
  getAppPath(): string {
    return process.env.STAND_IN_APP_PATH ?? process.cwd();
  }
  getPath(name: string): string {
    const path = this.#paths[name];
    if (path === undefined) throw new TypeError(`The stand-in has no app.getPath('${name}').`);
    return path;
  }
  setPath(name: string, path: string): void {
    this.#paths[name] = path;
  }
  setLoginItemSettings(settings: { openAtLogin?: boolean }): void {
    this.#login = { openAtLogin: settings.openAtLogin === true };
  }
  getLoginItemSettings(): { openAtLogin: boolean } {
    return this.#login;
  }
  /** Windows close first and can prevent it; then `will-quit` can. */
  quit(): void {
    if (prevented(this, 'before-quit')) return;
    this.#isQuitting = true;
    for (const window of [...this.#windows]) window.close();
    if (this.#windows.size > 0) {
      this.#isQuitting = false;
      return;
    }
    if (!prevented(this, 'will-quit')) this.exit(0);
  }
  exit(code = 0): void {
    this.emit('quit', {}, code);
    process.exit(code);
  }
  /** The last window closed: quits unless there is a listener, as Electron does. */
  lastClosed(): void {
    if (this.#isQuitting) return;
    if (this.listenerCount('window-all-closed') === 0) this.quit();
    else this.emit('window-all-closed');
  }

  #hearSeconds(folder: string): void {
    for (const name of readdirSync(folder).filter((entry) => /^second-\d+\.json$/.test(entry))) {
      try {
        const argv = JSON.parse(readFileSync(join(folder, name), 'utf8')) as string[];
        rmSync(join(folder, name));
        this.emit('second-instance', {}, argv, process.cwd());
      } catch {
        // Partly written: the folder will change again.
      }
    }
  }
}

function takeLock(path: string): boolean {
  try {
    const file = openSync(path, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch {
    const owner = Number(readFileSync(path, 'utf8'));
    try {
      process.kill(owner, 0);
      return false;
    } catch {
      rmSync(path, { force: true });
      return takeLock(path);
    }
  }
}
