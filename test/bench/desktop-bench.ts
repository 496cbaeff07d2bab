import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as later } from 'node:timers/promises';
import { processorMs } from '../support/processor-time';
import { residentMib } from '../support/resident';
import { type BenchRow, rowOf } from './bench-row';

/** For so long the engine of JavaScript goes on tidying its heap, some seconds apart. */
const SETTLE_MS = 90_000;
const IDLE_MS = 20_000;

/** What the desktop app costs while nobody looks: its own process over the stand-in, with no page at all. */
export async function desktopBench(): Promise<readonly BenchRow[]> {
  if (process.platform !== 'linux') return [{ name: 'the desktop app, idle', why: 'only Linux tells it in /proc' }];
  const home = await mkdtemp(join(tmpdir(), 'us-'));
  const tray = join(home, 'bin');
  await mkdir(tray);
  await writeFile(join(tray, 'gdbus'), "#!/bin/sh\necho '(<true>,)'\n", { mode: 0o755 });
  const child = spawn(
    process.execPath,
    ['--import', resolve('test/support/desktop/stand-in/register.mjs'), resolve('out/main/index.js'), '--hidden'],
    {
      env: {
        ...process.env,
        PATH: `${tray}${delimiter}${process.env.PATH}`,
        STAND_IN: resolve('.cache/stand-in/electron.js'),
        UNDERSTUDY_HOME: home,
      },
      stdio: 'ignore',
    },
  );
  try {
    await later(SETTLE_MS);
    const { pid = 0 } = child;
    const [before, wokenBefore] = [processorMs(pid), await wakeupsOf(pid)];
    await later(IDLE_MS);
    const wakeups = (await wakeupsOf(pid)) - wokenBefore;
    const busyMs = processorMs(pid) - before;
    const kilobytes = (residentMib(pid) ?? Number.NaN) * 1_024;
    const share = { note: `${((100 * busyMs) / IDLE_MS).toFixed(2)} % of one core; 0.3 % at most` };
    return [
      rowOf('processor time in 20 s, window closed', 'ms', [busyMs], { target: (IDLE_MS * 0.3) / 100, ...share }),
      rowOf('times it woke in 20 s, window closed', 'times', [wakeups], { target: 0, note: 'the thread that runs it' }),
      rowOf('memory of the process, window closed', 'kB', [kilobytes], {
        target: 180 * 1_024,
        note: 'over the stand-in, without Chromium',
      }),
    ];
  } finally {
    child.kill('SIGKILL');
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** How often the main thread of a process has gone to sleep, and so has woken. Source: proc(5). */
async function wakeupsOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/task/${pid}/status`, 'utf8');
  return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1]);
}
