import { existsSync } from 'node:fs';
import { appendFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { journalPath } from '../../../src/features/council/node/journal';
import { councilFolder, runFolder, takeRun } from '../../../src/features/council/node/run-folder';
import { type RunsSeen, watchRuns } from '../../../src/features/council/node/runs-seen';
import { beginWritten, FIRST_RUN, hanging, playedRun, runsHome, SECOND_RUN } from '../../support/council-home';

/** Runs that are watched; `told` is what whoever waits for changes has heard last. */
function watching(home: string): RunsSeen & { told(): readonly string[] | null } {
  const runs = watchRuns(home);
  let told: readonly string[] | null = null;
  runs.onChange(() => {
    told = states(runs);
  });
  onTestFinished(() => runs.close());
  return { ...runs, told: () => told };
}

const states = ({ rows }: RunsSeen): readonly string[] => rows().map(({ run, state }) => `${run} ${state}`);

describe('given a home without any run', () => {
  it('when it is watched, then nothing is made, and the first run that comes is told', async () => {
    const home = await runsHome();
    const runs = watching(home);
    expect([await runs.all(), runs.told()]).toEqual([[], null]);
    expect(existsSync(councilFolder(home))).toBe(false);

    const { world, write } = await beginWritten(home, FIRST_RUN, { reply: hanging });
    await expect.poll(runs.told).toEqual([`${FIRST_RUN} left`]);
    const letGo = await takeRun(home, FIRST_RUN);
    await expect.poll(runs.told).toEqual([`${FIRST_RUN} ai_generating`]);

    world.play();
    await write();
    await expect.poll(() => runs.rows()[0]?.stage).toEqual({ id: 'reconnaissance', at: 1, of: 6 });
    expect(runs.rows()[0]?.rev).toBeGreaterThanOrEqual(world.log.length);

    if (letGo.ok) await letGo.release();
    await expect.poll(runs.told).toEqual([`${FIRST_RUN} left`]);
    await rm(runFolder(home, FIRST_RUN), { recursive: true });
    await expect.poll(runs.told).toEqual([]);
  });
});

describe('given a run that was left by this process', () => {
  it('when that is said before anybody has looked at it, or while somebody does who still saw it played, then the reason is told', async () => {
    const home = await runsHome();
    await beginWritten(home, FIRST_RUN, { reply: hanging });
    const runs = watchRuns(home);
    onTestFinished(() => runs.close());
    runs.leftFor(FIRST_RUN, 'OpenCode did not start');
    await runs.all();
    const why = () => runs.rows()[0]?.whyLeft;
    expect(why()).toBe('OpenCode did not start');

    const again = await takeRun(home, FIRST_RUN);
    const entry = await runs.entry(FIRST_RUN);
    expect(entry?.row().whyLeft).toBeUndefined();
    entry?.leftFor('OpenCode went away');
    await entry?.look();
    if (again.ok) await again.release();
    await expect.poll(why).toBe('OpenCode went away');
  });
});

describe('given runs of before', () => {
  it('when they are watched, then those that were left and those that ended within a day are shown, the newest first', async () => {
    const home = await runsHome();
    const [day, now] = [86_400_000, Date.now()];
    const OLD = 'r20261001-113002-a1b2';
    await playedRun(home, OLD, { at: now - 2 * day });
    await playedRun(home, FIRST_RUN, { reply: hanging, at: now - 2 * day });
    await playedRun(home, SECOND_RUN, { at: now - day / 2 });
    const runs = watching(home);
    await expect.poll(() => states(runs)).toEqual([`${SECOND_RUN} finished`, `${FIRST_RUN} left`]);
    expect((await runs.all()).map(({ run }) => run)).toEqual([SECOND_RUN, FIRST_RUN, OLD]);
    const entry = await runs.entry(OLD);
    expect((await entry?.seen())?.course.state.board).toHaveLength(1);
  });

  it('when there are many, then at most twenty are in the snapshot, and all in the list', async () => {
    const home = await runsHome();
    for (let nth = 10; nth < 35; nth++) await beginWritten(home, `r20261126-1130${nth}-a1b2`);
    const runs = watching(home);
    expect(await runs.all()).toHaveLength(25);
    expect(runs.rows()).toHaveLength(20);
    expect(runs.rows()[0]?.run).toBe('r20261126-113034-a1b2');
  });
});

describe('given a player that has died without a word', () => {
  it('when its process is gone, then the run counts as left', async () => {
    const home = await runsHome();
    await beginWritten(home, FIRST_RUN);
    const player = join(runFolder(home, FIRST_RUN), 'player.json');
    const write = (pid: number): Promise<void> =>
      writeFile(player, JSON.stringify({ v: 1, pid, at: Date.now() }), { mode: 0o600 });
    await write(process.pid);
    const runs = watching(home);
    await expect.poll(() => states(runs)).toEqual([`${FIRST_RUN} ai_generating`]);
    const before = runs.rows()[0]?.rev ?? 0;
    await write(2 ** 30);
    await expect.poll(() => states(runs)).toEqual([`${FIRST_RUN} left`]);
    expect(runs.rows()[0]?.rev).toBe(before + 1);
  });
});

describe('given what else may lie among runs', () => {
  it('when it is no run, then it is left alone; what cannot be read is told as one that never began', async () => {
    const home = await runsHome();
    const { world } = await playedRun(home, SECOND_RUN);
    const folder = councilFolder(home);
    const NOT_READ = [
      'r20261101-000000-aaaa',
      'r20261102-000000-aaaa',
      'r20261103-000000-aaaa',
      'r20261104-000000-aaaa',
    ];
    const [empty, torn, strange, folderJournal] = NOT_READ as [string, string, string, string];
    for (const name of ['..', 'metrics.log', 'r1', 'R20261101-000000-aaaa', 'r20261101-000000-aaaa\u202e'])
      if (name !== '..') await mkdir(join(folder, name));
    for (const run of NOT_READ) await mkdir(runFolder(home, run), { mode: 0o700 });
    await writeFile(journalPath(home, empty), '');
    await writeFile(journalPath(home, torn), '{"v":1,"at":1,"event":{"type":"run.beg');
    const setup = world.log[0]?.event;
    await writeFile(journalPath(home, strange), `${JSON.stringify({ v: 1, at: 1e300, event: setup })}\n`);
    await mkdir(journalPath(home, folderJournal));
    await symlink('/nowhere', runFolder(home, 'r20261105-000000-aaaa'));
    const runs = watching(home);
    const all = await runs.all();
    expect(all.filter(({ run }) => NOT_READ.includes(run)).map(({ state }) => state)).toEqual(
      NOT_READ.map(() => 'not_begun'),
    );
    expect(runs.rows().map(({ run }) => run)).toEqual([SECOND_RUN]);
    expect(await runs.entry('../..')).toBeNull();
    expect(await runs.entry('r20261105-000000-aaaa')).toBeNull();
    for (const run of NOT_READ) expect(await (await runs.entry(run))?.seen()).toBeNull();
  });

  it('when a line is torn and mended, then what stands in whole lines counts, and once', async () => {
    const home = await runsHome();
    const { world } = await beginWritten(home, FIRST_RUN, { reply: hanging });
    const runs = watching(home);
    const rev = async (): Promise<number | undefined> => {
      await runs.entry(FIRST_RUN);
      return runs.rows()[0]?.rev;
    };
    expect(await rev()).toBe(1);
    world.play();
    const [, second, third] = world.log.map(({ event, at }) => JSON.stringify({ v: 1, at: Date.now() + at, event }));
    await appendFile(journalPath(home, FIRST_RUN), second?.slice(0, 20) ?? '');
    expect(await rev()).toBe(1);
    await appendFile(journalPath(home, FIRST_RUN), `${second?.slice(20)}\n\n{"v":1,"at":\n${third}\n`);
    expect(await rev()).toBe(3);
  });

  it('when a journal is replaced by a shorter one, then the run is what that one says', async () => {
    const home = await runsHome();
    const { world } = await playedRun(home, FIRST_RUN, { reply: hanging });
    const runs = watching(home);
    await runs.entry(FIRST_RUN);
    expect(runs.rows()[0]?.stage?.id).toBe('reconnaissance');
    await writeFile(
      journalPath(home, FIRST_RUN),
      `${JSON.stringify({ v: 1, at: Date.now(), event: world.log[0]?.event })}\n`,
    );
    await runs.entry(FIRST_RUN);
    expect(runs.rows()[0]).toMatchObject({ rev: 1, stage: null });
  });
});
