import { type ChildProcess, spawn } from 'node:child_process';
import * as z from 'zod';
import { DemoStatus } from '../../contract/demo';
import type { DemoPort } from '../../core/ports/ports';
import type { Environment } from '../base/state-home';

/** How long a demo may take to clean up before it is ended by force, in ms. */
const END_LIMIT_MS = 8_000;
/** What it wrote before it ended arrives within this time, in ms. */
const LAST_WORDS_MS = 100;
const REASON_MAX_CHARS = 500;
/** What the child says once its panel is open and its OpenCode connected. */
const Opened = z.object({ url: z.string() });

/** A demo that runs as a process of its own. It ends with this one, however that ends. */
export type DemoChild = DemoPort & Readonly<{ close(): Promise<void> }>;

/** What the demo is run by: a program and its first arguments, which `demo --loop` follows. */
export type DemoChildOptions = Readonly<{ commandLine: readonly [string, ...string[]]; env: Environment }>;

/** Prepares the demo; nothing runs until it is asked for. */
export function createDemoChild({ commandLine: [program, ...args], env }: DemoChildOptions): DemoChild {
  let status: DemoStatus = { state: 'off' };
  let child: ChildProcess | null = null;
  let opening: Promise<void> = Promise.resolve();
  let ended: Promise<void> = Promise.resolve();

  const open = (): void => {
    status = { state: 'starting' };
    const started = spawn(program, [...args, 'demo', '--loop'], {
      // Electron is a plain Node then; Node itself looks at no such variable, and a packaged app is a command line.
      env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child = started;
    let said = '';
    started.stderr?.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-REASON_MAX_CHARS);
    });
    ended = new Promise((resolve) => {
      const end = (reason: string): void => {
        if (child === started) {
          child = null;
          status = { state: 'failed', reason };
        }
        resolve();
      };
      started.once('error', (error) => end(error.message));
      // "close" never comes where we let go of the process; "exit" may come before its last words.
      started.once('exit', () => {
        const why = () => end(said.replace(/^The demo failed: /, '').trim() || 'it has ended by itself.');
        setTimeout(why, LAST_WORDS_MS);
      });
    });
    const opened = new Promise<void>((resolve) => {
      started.on('message', (message) => {
        const running = DemoStatus.safeParse({ state: 'running', ...Opened.safeParse(message).data });
        if (running.success && child === started) status = running.data;
        resolve();
      });
    });
    opening = Promise.race([opened, ended]);
  };

  const stop = async (): Promise<DemoStatus> => {
    const running = child;
    child = null;
    status = { state: 'off' };
    if (running === null) return status;
    // It cleans up when it loses us.
    if (running.connected) running.disconnect();
    const timer = setTimeout(() => running.kill('SIGKILL'), END_LIMIT_MS);
    await ended;
    clearTimeout(timer);
    return status;
  };

  return {
    status: () => status,
    async start() {
      if (child === null) open();
      await opening;
      return status;
    },
    stop,
    close: async () => void (await stop()),
  };
}
