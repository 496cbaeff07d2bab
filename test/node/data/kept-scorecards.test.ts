import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepScorecard, scorecardsFolder } from '../../../src/node/data/kept-scorecards';
import { eraseData } from '../../../src/node/data/own-data';
import {
  COMPANION,
  configured,
  openTestCore,
  prompted,
  START,
  SWITCHED_TURN,
  virtualClock,
} from '../../core/virtual-core';
import { newPath, open } from '../store/store-support';
import { tempFolder } from '../temp-folder';

const DAY_MS = 86_400_000;

/** A home, and a core that has lived through one turn of `s1`; nobody was asked in `s2`. */
async function lived() {
  const home = await tempFolder();
  const store = await open(await newPath());
  const { core, tell } = openTestCore(virtualClock(), store);
  core.connected(COMPANION);
  for (const event of [configured(), ...SWITCHED_TURN]) tell(event);
  tell(prompted({ turn: 't2', session: 's2' }));
  core.flush();
  await store.flush();
  const folder = scorecardsFolder(home);
  const keep = (session = 's1', now = START) => keepScorecard(core.desk, session, home, now);
  const index = async () => JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'));
  return { home, folder, keep, index };
}

describe('given sessions that have ended', () => {
  it('when one is kept, then it lies under its end and its name, is the latest, and stands in the index; others cannot read it', async () => {
    const { folder, keep, index } = await lived();
    expect(await keep()).toEqual({ ok: true });
    const file = '2026-09-21T14-13-20Z-s1.json';
    expect((await readdir(folder)).sort()).toEqual([file, 'index.json', 'latest.json']);
    const text = await readFile(join(folder, file), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      ...{ schema: 'scorecard/1', session: 's1', totals: { totalCalls: 2 } },
      agents: [{ agent: 'build', turns: { total: 1, answered: 1 } }],
    });
    expect(await readFile(join(folder, 'latest.json'), 'utf8')).toBe(text);
    expect(await index()).toEqual({
      schema: 'scorecard-index/1',
      scorecards: [{ file, session: 's1', endedAt: '2026-09-21T14:13:20Z' }],
    });
    expect([(await stat(folder)).mode & 0o777, (await stat(join(folder, file))).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it('when 30 days have gone by, then the oldest goes; what bears another name stays', async () => {
    const { folder, keep, index } = await lived();
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'mine.json'), '{}');
    await keep('s1', START);
    await keep('s1', START + DAY_MS);
    await keep('s1', START + 30 * DAY_MS);
    const { scorecards } = await index();
    expect(scorecards.map(({ endedAt }: { endedAt: string }) => endedAt.slice(0, 10))).toEqual([
      '2026-10-21',
      '2026-09-22',
    ]);
    expect((await readdir(folder)).filter((name) => name.includes('s1'))).toHaveLength(2);
    expect(await readFile(join(folder, 'mine.json'), 'utf8')).toBe('{}');
  });

  it('when there are more than 500, then the oldest go', async () => {
    const { folder, keep, index } = await lived();
    await mkdir(folder, { recursive: true });
    for (let at = 0; at < 520; at++) {
      const name = new Date(START - at * 1_000).toISOString().slice(0, 19).replaceAll(':', '-');
      await writeFile(join(folder, `${name}Z-old.json`), '{}');
    }
    await keep('s1', START + DAY_MS);
    const { scorecards } = await index();
    expect([scorecards.length, scorecards[0].session, (await readdir(folder)).length]).toEqual([500, 's1', 502]);
  });

  it('when nobody was asked in one, then there is none of it', async () => {
    const { folder, keep } = await lived();
    expect(await keep('s2')).toEqual({ ok: true });
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
  });

  it('when a session’s name would lead elsewhere, then its file stays in the folder', async () => {
    const { folder, keep } = await lived();
    await keep('../../s1');
    await keep('s1');
    expect((await readdir(folder)).every((name) => !name.includes('/'))).toBe(true);
  });

  it('when everything is erased, then they are gone, and what bears another name stays', async () => {
    const { home, folder, keep } = await lived();
    await keep();
    for (const name of ['mine.json', '.latest.json.999999999.0123456789ab.tmp'])
      await writeFile(join(folder, name), '{}');
    expect(await eraseData(home)).toMatchObject({
      ok: true,
      files: expect.arrayContaining([join('scorecards', 'latest.json')]),
    });
    expect(await readdir(folder)).toEqual(['mine.json']);
  });

  it('when the folder is something else, then the reason is told', async () => {
    const { folder, keep } = await lived();
    await writeFile(folder, '');
    expect(await keep()).toMatchObject({ ok: false, reason: expect.stringMatching(/scorecards/) });
  });
});
