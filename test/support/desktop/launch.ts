import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { _electron, type Browser, chromium, type Page } from 'playwright';
import { electronBinary } from '../../../scripts/electron-binary.mjs';
import { toApp } from './stand-in/address';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const STAND_IN = join(ROOT, '.cache', 'stand-in', 'electron.js');
const REGISTER = join(import.meta.dirname, 'stand-in', 'register.mjs');

/** Electron as a test uses it inside the app's process. */
export type ElectronHere = typeof import('electron');

/** The running desktop app: over a real Electron if there is one, else over the fake. */
export type Desktop = Readonly<{
  pid: number;
  /** Runs a function in the app's process; it cannot use variables of its scope. */
  evaluate<R, A = undefined>(run: (electron: ElectronHere, given: A) => R | Promise<R>, given?: A): Promise<R>;
  pages(): Promise<Page[]>;
  firstPage(): Promise<Page>;
  exited: Promise<number | null>;
  kill(signal?: NodeJS.Signals): void;
  close(): Promise<void>;
}>;

export type DesktopOptions = Readonly<{
  /** Holds all state; the lock belongs to this folder. */
  home: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Platform that the shell detects; only the fake can pretend. */
  platform?: 'darwin' | 'win32';
}>;

/** `builtApp` is the folder above `out` of another build. */
type StandInOptions = DesktopOptions & Readonly<{ builtApp?: string }>;

/** Path of a real Electron; null if there is none, in which case the fake is used. */
export const realElectron = (): string | null => (process.env.STAND_IN_ONLY === '1' ? null : electronBinary());

export const addressOf = (page: Page): string => toApp(page.url());

/** Command and environment that start the built app; arguments of the app follow. */
export function desktopCommand(): Readonly<{ command: readonly [string, ...string[]]; env: NodeJS.ProcessEnv }> {
  const program = realElectron();
  if (program !== null) return { command: [program, ROOT, ...asRoot()], env: {} };
  return { command: standInCommand(), env: STAND_IN_ENV };
}

/** Command for a built app over the fake; requires `STAND_IN` in the environment. @param app Its folder. */
export const standInCommand = (app = ROOT): readonly [string, ...string[]] => [
  process.execPath,
  ...['--import', REGISTER, join(app, 'out', 'main', 'index.js')],
];
export const STAND_IN_ENV: Readonly<Record<string, string>> = { STAND_IN };

/** Chromium does not run its sandbox as root. */
const asRoot = (): string[] => (process.getuid?.() === 0 ? ['--no-sandbox'] : []);

export async function launchDesktop(options: DesktopOptions): Promise<Desktop> {
  const program = realElectron();
  return program === null ? await launchStandIn(options) : await launchReal(program, options);
}

async function launchReal(executablePath: string, { home, args = [], env = {} }: DesktopOptions): Promise<Desktop> {
  const started = await _electron.launch({
    executablePath,
    args: [ROOT, ...asRoot(), ...args],
    env: { ...(process.env as Record<string, string>), ...env, UNDERSTUDY_HOME: home },
  });
  const child = started.process();
  return {
    pid: child.pid ?? 0,
    evaluate: (run, given) => started.evaluate(run as never, given as never) as never,
    pages: async () => started.windows(),
    firstPage: async () => drawn(await started.firstWindow()),
    exited: exitOf(child),
    kill: (signal = 'SIGKILL') => void child.kill(signal),
    close: () => started.close(),
  };
}

/** Starts a built app over the fake even if there is an Electron. */
export async function launchStandIn(options: StandInOptions): Promise<Desktop> {
  const { home, args = [], env = {}, platform, builtApp } = options;
  const [program, ...before] = standInCommand(builtApp);
  const child = spawn(program, [...before, ...args], {
    env: {
      ...{ ...process.env, ...env, STAND_IN, STAND_IN_USER_DATA: home, UNDERSTUDY_HOME: home },
      ...(platform && { STAND_IN_PLATFORM: platform }),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = exitOf(child);
  const news = listen(child, exited);
  let browser: Promise<Browser> | null = null;
  const context = async () => {
    browser ??= news.devtoolsPort.then((port) =>
      chromium.connectOverCDP(`http://127.0.0.1:${port}`, { timeout: 120_000 }),
    );
    const [first] = (await browser).contexts();
    if (!first) throw new Error('Chromium has no profile');
    return first;
  };
  const isPanel = (page: Page) => toApp(page.url()).startsWith('app:');
  const pages = async () => (await context()).pages().filter(isPanel);
  const firstPage = async (): Promise<Page> => {
    const open = await context();
    const panel = new Promise<Page>((resolve) => {
      // A page exists before it has an address.
      const watch = (page: Page): void =>
        void page
          .waitForURL((url) => toApp(url.href).startsWith('app:'))
          .then(
            () => resolve(page),
            () => undefined,
          );
      open.pages().forEach(watch);
      open.on('page', watch);
    });
    return await drawn(await panel);
  };
  return {
    pid: child.pid ?? 0,
    evaluate: (run, given) => news.ask(run.toString(), given) as never,
    pages,
    firstPage,
    exited,
    kill: (signal = 'SIGKILL') => void child.kill(signal),
    async close() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
      await browser?.then((open) => open.close()).catch(() => undefined);
    },
  };
}

async function drawn(page: Page): Promise<Page> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('exit', (code) => resolve(code)));

type News = Readonly<{ devtoolsPort?: number; id?: number; value?: unknown; error?: string }>;

function listen(child: ChildProcess, exited: Promise<unknown>) {
  const waiting = new Map<number, Readonly<{ resolve: (value: unknown) => void; reject: (error: Error) => void }>>();
  let count = 0;
  const devtoolsPort = new Promise<number>((resolve, reject) => {
    child.on('message', (news: News) => {
      if (news.devtoolsPort !== undefined) resolve(news.devtoolsPort);
      const asked = waiting.get(news.id ?? 0);
      if (!asked) return;
      waiting.delete(news.id ?? 0);
      if (news.error === undefined) asked.resolve(news.value);
      else asked.reject(new Error(news.error));
    });
    void exited.then(() => {
      const gone = new Error('the app has ended');
      reject(gone);
      for (const { reject: fail } of waiting.values()) fail(gone);
    });
  });
  devtoolsPort.catch(() => undefined);
  return {
    devtoolsPort,
    ask: (source: string, given: unknown) =>
      new Promise<unknown>((resolve, reject) => {
        waiting.set(++count, { resolve, reject });
        child.send({ id: count, source, given });
      }),
  };
}
