import { chmod, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { logPath, readLog } from '../../src/node/data/own-data';
import { configured } from '../core/virtual-core';
import { openOpencodes } from '../support/damage/opencode';
import {
  execute,
  giveToPrograms,
  hasOtherUsers,
  programUser,
  runCommand,
  takeForPrograms,
} from '../support/damage/programs';
import { startPanel } from '../support/panel-process';
import { sayTurn, wireCompanion } from '../support/wire-companion';

const GIBIBYTE = 1_073_741_824;
const TURNS = 200;

/** A state home of the programs' user. */
async function newHome() {
  takeForPrograms();
  const home = await mkdtemp(join(tmpdir(), 'us-'));
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  await giveToPrograms(home);
  const around = { cwd: tmpdir(), env: { ...process.env, UNDERSTUDY_HOME: home } };
  return { home, around, start: () => startPanel(home, around.env, 0, programUser) };
}

/** Gives a home a disk of 4 MiB of its own. @returns false where this user may not make one. */
async function onSmallDisk(home: string): Promise<boolean> {
  const made = await execute('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', home]).catch(() => null);
  if (made === null) return false;
  onTestFinished(async () => void (await execute('umount', ['-l', home])));
  await chmod(home, 0o700);
  await giveToPrograms(home);
  return true;
}

const eventsIn = async (home: string): Promise<number> => (await readLog(home)).filter(({ from }) => from).length;

describe('given a disk that is full while the app runs', () => {
  it('when room is made, then all that was told is acknowledged and in the log; before that, nothing that is not', async ({
    skip,
  }) => {
    const { home, start } = await newHome();
    if (!(await onSmallDisk(home))) return skip('no disk can be made here');
    const panel = await start();
    const companion = await wireCompanion(home);
    companion.say(configured());
    await companion.settled();
    const filler = join(home, 'filler');
    await execute('sh', ['-c', `cat /dev/zero > ${filler} || true`]).catch(() => undefined);
    for (let n = 0; n < TURNS; n++) sayTurn(companion, `t${n}`);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const [acknowledged, held] = [companion.acknowledged() + 1, await eventsIn(home)];
    expect(held).toBeGreaterThanOrEqual(acknowledged);
    expect(acknowledged).toBeLessThan(companion.last() + 1);
    await rm(filler);
    await companion.settled();
    expect(await eventsIn(home)).toBe(companion.last() + 1);
    companion.close();
    expect(await panel.stop()).toBe(0);
    console.log(
      `full disk: ${companion.last() + 1} events told, ${acknowledged} acknowledged while it was full, all afterwards, 0 lost`,
    );
  });
});

describe('given a disk that is full when the app starts', () => {
  it('when it starts or is refused, then that is said; with room it serves, and nothing that was acknowledged is lost', async ({
    skip,
  }) => {
    const { home, around, start } = await newHome();
    if (!(await onSmallDisk(home))) return skip('no disk can be made here');
    const first = await start();
    const before = await wireCompanion(home);
    before.say(configured());
    for (let n = 0; n < TURNS; n++) sayTurn(before, `t${n}`);
    await before.settled();
    const told = before.last() + 1;
    before.close();
    await first.stop();
    const filler = join(home, 'filler');
    await execute('sh', ['-c', `cat /dev/zero > ${filler} || true`]).catch(() => undefined);
    const again = await start().catch((error: Error) => error.message);
    if (typeof again === 'string') expect(again).toContain(`Check that the disk has free space`);
    const codes = [(await runCommand(['doctor'], around)).code, (await runCommand(['status'], around)).code];
    expect(codes).toEqual(typeof again === 'string' ? [6, 3] : [expect.any(Number), 0]);
    await rm(filler);
    const panel = typeof again === 'string' ? await start() : again;
    const companion = await wireCompanion(home);
    for (let n = 0; n < TURNS; n++) sayTurn(companion, `u${n}`);
    await companion.settled();
    companion.close();
    expect(await panel.stop()).toBe(0);
    expect(await eventsIn(home)).toBe(told + 3 * TURNS);
    console.log(
      `full disk at the start: the app ${typeof again === 'string' ? 'was refused with folder and remedy' : 'served'}, ${told} events told before and ${3 * TURNS} afterwards, 0 lost`,
    );
  });
});

describe('given a home on a disk that takes nothing', () => {
  it.for([
    ['is full', ['sh', '-c', 'cat /dev/zero > "$0/filler" || true']],
    ['may only be read', ['mount', '-o', 'remount,ro']],
  ] as const)(
    'when it %s and a real OpenCode starts on it, then its turn moves to the next model as ever',
    async ([what, [command, ...args]], { skip }) => {
      const home = await mkdtemp(join(tmpdir(), 'us-'));
      onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
      const opencodes = await openOpencodes();
      onTestFinished(() => opencodes.close());
      const made = await execute('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', home]).catch(() => null);
      if (made === null) return skip('no disk can be made here');
      onTestFinished(async () => void (await execute('umount', ['-l', home])));
      await chmod(home, 0o700);
      for (const isKnown of [false, true]) {
        if (isKnown) {
          await execute('mount', ['-o', 'remount,rw', home]);
          await rm(join(home, 'filler'), { force: true });
          await opencodes.introduce(home);
        }
        await execute(command, [...args, home]).catch(() => undefined);
        // Where nothing could be taken from it, nothing would be proved.
        await expect(writeFile(join(home, 'refused'), Buffer.alloc(65_536))).rejects.toThrow(/ENOSPC|EROFS/);
        expect([what, isKnown, await opencodes.playOn(home)]).toEqual([what, isKnown, []]);
      }
      console.log(`home that ${what}: 2 starts of a real OpenCode, its turn moved in both`);
    },
  );
});

describe.skipIf(!hasOtherUsers)('given a home that may only be read', () => {
  it('when the app is started, then it names the folder and what to do; the commands work; writable again, nothing is lost', async () => {
    const { home, around, start } = await newHome();
    const panel = await start();
    const companion = await wireCompanion(home);
    companion.say(configured());
    sayTurn(companion, 't1');
    await companion.settled();
    companion.close();
    await panel.stop();
    await chmod(home, 0o500);
    const codes = [(await runCommand(['doctor'], around)).code, (await runCommand(['status'], around)).code];
    expect(codes).toEqual([6, 3]);
    await expect(start()).rejects.toThrow(`Check that the disk has free space and that you may write to ${home}`);
    await chmod(home, 0o700);
    const again = await start();
    expect(await eventsIn(home)).toBe(4);
    expect(await again.stop()).toBe(0);
    console.log(
      'read-only home: 1 start refused with folder and remedy, 2 commands worked, 4 of 4 events there afterwards',
    );
  });
});

describe('given a log of a gibibyte', () => {
  it('when the app is started, then it serves, and what is told then is acknowledged and read again', async () => {
    const { home, around, start } = await newHome();
    await writeFile(logPath(home), '{"n":0}\n', { mode: 0o600 });
    await truncate(logPath(home), GIBIBYTE);
    await giveToPrograms(home);
    const startedAt = performance.now();
    const panel = await start();
    const startMs = Math.round(performance.now() - startedAt);
    const companion = await wireCompanion(home);
    companion.say(configured());
    for (let n = 0; n < TURNS; n++) sayTurn(companion, `t${n}`);
    await companion.settled();
    companion.close();
    expect((await runCommand(['status'], around)).code).toBe(0);
    expect(await panel.stop()).toBe(0);
    expect(await eventsIn(home)).toBe(companion.last() + 1);
    console.log(`log of 1 GiB: a start of ${startMs} ms, ${companion.last() + 1} events told then, 0 lost`);
  });
});
