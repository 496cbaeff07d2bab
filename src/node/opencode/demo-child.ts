import { type ChildProcess, spawn } from 'node:child_process';
import * as z from 'zod';
import { DemoStatus } from '../../contract/demo';
import type { DemoPort } from '../../core/ports/ports';
import type { Environment } from '../base/state-home';

const END_LIMIT_MS = 8_000;
const LAST_WORDS_MS = 100;
const REASON_MAX_CHARS = 500;
/** Sent when the panel is open and OpenCode connected. */
const Opened = z.object({ url: z.string() });

/** Ends with this process, even after a crash. */
export type DemoChild = DemoPort & Readonly<{ close(): Promise<void> }>;

export type DemoChildOptions = Readonly<{ commandLine: readonly [string, ...string[]]; env: Environment }>;

export function createDemoChild({ commandLine: [program, ...args], env }: DemoChildOptions): DemoChild {
  let status: DemoStatus = { state: 'off' };
  let child: ChildProcess | null = null;
  let opening: Promise<void> = Promise.resolve();
  let ended: Promise<void> = Promise.resolve();

  const open = (): void => {
    status = { state: 'starting' };
    const started = spawn(program, [...args, 'demo', '--loop'], {
      // Makes Electron run as plain Node; Node ignores the variable.
      env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child = started;
    let output = '';
    started.stderr?.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-REASON_MAX_CHARS);
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
      // "close" never fires for a detached process; "exit" may precede its last output.
      started.once('exit', () => {
        const why = () => end(output.replace(/^The demo failed: /, '').trim() || 'it ended unexpectedly.');
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
    // It cleans up when the connection ends.
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
