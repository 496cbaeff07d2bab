import { existsSync } from 'node:fs';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openJournal } from '../../../src/features/council/node/journal';
import {
  cloneFolder,
  copyFolder,
  createRun,
  emptyFolder,
  KEPT_MS,
  removeCopy,
  removeOldRuns,
  runFolder,
  runsIn,
  takeRun,
} from '../../../src/features/council/node/run-folder';
import { tempFolder } from '../temp-folder';

const NOW = Date.now();

/** A run that has last heard something so long ago. */
async function runOf(home: string, run: string, agoMs: number): Promise<void> {
  const place = { v: 1, run, directory: emptyFolder(home, run), repo: copyFolder(home, run), source: '/shop' } as const;
  await createRun(home, { ...place, isOwn: true, askedIn: null, createdAt: 1 });
  await mkdir(copyFolder(home, run));
  await writeFile(join(copyFolder(home, run), 'cart.js'), '1');
  const journal = await openJournal(home, run);
  await journal.append({ v: 1, at: 1, event: { type: 'tick' } });
  await journal.close();
  const at = new Date(NOW - agoMs);
  await utimes(join(runFolder(home, run), 'journal.jsonl'), at, at);
}

describe('given runs of different age', () => {
  it('when old ones are removed, then those go that have heard nothing for 30 days and that nobody plays', async () => {
    const home = await tempFolder();
    const [fresh, old, played] = ['r20261126-113002-a1b2', 'r20261001-113002-a1b2', 'r20261001-113003-c3d4'] as const;
    await runOf(home, fresh, KEPT_MS - 60_000);
    await runOf(home, old, KEPT_MS + 60_000);
    await runOf(home, played, KEPT_MS + 60_000);
    await mkdir(join(home, 'council', 'mine'));
    await takeRun(home, played);
    expect(await removeOldRuns(home, NOW)).toEqual([old]);
    expect(await runsIn(home)).toEqual([fresh, played]);
    expect(existsSync(join(home, 'council', 'mine'))).toBe(true);
  });

  it('when a fetch was left in one that has begun, then that goes, and the run stays', async () => {
    const home = await tempFolder();
    const run = 'r20261126-113002-a1b2';
    await runOf(home, run, 0);
    await mkdir(cloneFolder(home, run));
    expect(await removeOldRuns(home, NOW)).toEqual([]);
    expect([existsSync(cloneFolder(home, run)), await runsIn(home)]).toEqual([false, [run]]);
  });

  it('when there was none ever, then nothing is removed', async () => {
    expect(await removeOldRuns(await tempFolder(), NOW)).toEqual([]);
  });
});

describe('given a run that is over', () => {
  it('when its copy is removed, then what it heard stays, and a second time is as good', async () => {
    const home = await tempFolder();
    const run = 'r20261126-113002-a1b2';
    await runOf(home, run, 0);
    await mkdir(cloneFolder(home, run));
    expect([await removeCopy(home, run), await removeCopy(home, run)]).toEqual([{ ok: true }, { ok: true }]);
    expect((await readdir(runFolder(home, run))).toSorted()).toEqual(['journal.jsonl', 'place.json']);
    expect(await removeCopy(home, '../other')).toMatchObject({ ok: false });
  });
});
