import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJournal } from '../../../src/features/council/node/journal';
import { createRun } from '../../../src/features/council/node/run-folder';
import { eraseData } from '../../../src/node/data/own-data';

it('removes runs of councils with everything else that was recorded', async () => {
  const home = await mkdtemp(join(tmpdir(), 'us-'));
  const run = 'r20261126-113002-a1b2';
  const place = { v: 1, run, directory: join(home, 'council', run, 'place'), repo: null, source: null } as const;
  await createRun(home, { ...place, isOwn: true, askedIn: null, createdAt: 1 });
  const journal = await openJournal(home, run);
  await journal.append({ v: 1, at: 1, event: { type: 'run.resumed' } });
  await journal.close();
  expect(await eraseData(home)).toEqual({ ok: true, files: [`council/${run}`] });
  expect(await readdir(home)).toEqual([]);
  await rm(home, { recursive: true });
});
