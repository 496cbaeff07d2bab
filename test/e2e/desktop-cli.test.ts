import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDemoChild } from '../../src/node/opencode/demo-child';
import { desktopCommand } from '../support/desktop/launch';
import { opencodeBinary } from '../support/opencode-binary';
import { startPanel } from '../support/panel-process';

const { command, env: around } = desktopCommand();
/** A packaged app on a server has neither. */
const NOWHERE = { DISPLAY: '', WAYLAND_DISPLAY: '', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };

let folder: string;
let home: string;
let started: ChildProcess[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'us-'));
  home = join(folder, 'u');
  started = [];
});
afterEach(async () => {
  for (const child of started) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs the app as a command line. @returns its exit code and what it wrote. */
async function run(...args: string[]) {
  const [program, ...before] = command;
  const child = spawn(program, [...before, '--cli', '--', ...args], {
    env: { ...process.env, ...around, ...NOWHERE, UNDERSTUDY_HOME: home, STAND_IN_USER_DATA: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  const [output, complaints, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, output, complaints };
}

describe('given the desktop app started as a command line, without a display', () => {
  it('when nothing runs, then it says so in its own exit code, and there is no lock and no file', async () => {
    const { code, complaints } = await run('status', '--json');
    expect([code, complaints]).toEqual([3, '']);
    expect(await readdir(folder)).toEqual([]);
  });

  it('when Understudy runs, then the snapshot is its whole output, and the running one goes on', async () => {
    const panel = await startPanel(home);
    // The panel itself writes now and then, and holds a lock for that long.
    const kept = async () => (await readdir(home)).filter((name) => !name.endsWith('.lock'));
    const before = await kept();
    const { code, output } = await run('status', '--json');
    expect([code, JSON.parse(output)]).toEqual([0, expect.objectContaining({ v: 1, instances: [] })]);
    expect(await kept()).toEqual(before);
    expect(await panel.stop()).toBe(0);
  });

  it('when it is asked what it cannot do, then the code says so, and the words are on the error output', async () => {
    const { code, output, complaints } = await run('nonsense');
    expect([code, output]).toEqual([2, '']);
    expect(complaints).toContain("unknown command 'nonsense'");
  });

  it('when a panel starts the demo by it, as a packaged app does, then the demo tells its address, and ends when told', {
    tags: ['nightly'],
  }, async () => {
    const temporary = join(folder, 't');
    await mkdir(temporary);
    const demo = createDemoChild({
      commandLine: [...command, '--cli', '--'],
      env: {
        ...{ ...process.env, ...around, ...NOWHERE, UNDERSTUDY_HOME: home, STAND_IN_USER_DATA: home },
        ...{ TMPDIR: temporary, TEMP: temporary, TMP: temporary, OPENCODE_BIN: (await opencodeBinary()).path },
      },
    });
    try {
      expect(await demo.start()).toEqual({
        state: 'running',
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?t=/),
      });
      expect(await demo.stop()).toEqual({ state: 'off' });
    } finally {
      await demo.close();
    }
    expect((await readdir(temporary)).filter((name) => name.startsWith('understudy-'))).toEqual([]);
  });
});
