import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tabsIn, tabsPath } from '../../src/panel/stored-tabs';

const DAY_MS = 86_400_000;
let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'understudy-tabs-'));
});
afterEach(() => rm(home, { recursive: true }));

const tab = (id: string, at: number) => ({ id: id.repeat(22), key: 'k'.repeat(43), at });

describe('given the tabs of a panel', () => {
  it('when they are stored twice at once, then the later ones are read again, by this user alone', async () => {
    const [store, now] = [tabsIn(home), Date.now()];
    await Promise.all([store.write([tab('a', now)], 4767), store.write([tab('b', now)], 4768)]);
    expect(await tabsIn(home).read()).toEqual({ tabs: [tab('b', now)], port: 4768 });
    expect((await stat(tabsPath(home))).mode & 0o077).toBe(0);
  });

  it('when a day has passed for one, then only the others are read', async () => {
    const now = Date.now();
    await tabsIn(home).write([tab('a', now - DAY_MS), tab('b', now - DAY_MS + 60_000)], 4767);
    const { tabs, port } = await tabsIn(home).read();
    expect([tabs.map(({ id }) => id), port]).toEqual([['b'.repeat(22)], 4767]);
    await tabsIn(home).write([tab('a', now - DAY_MS)], 4767);
    expect(await tabsIn(home).read()).toEqual({ tabs: [], port: null });
  });

  it.each(['', '{"v":1}', '{"v":1,"tabs":[{"id":"x","key":"y","at":1}]}'])(
    'when the file holds %j, then there are none, and the file stays until the next tab',
    async (text) => {
      await writeFile(tabsPath(home), text, { mode: 0o600 });
      expect([await tabsIn(home).read(), await readFile(tabsPath(home), 'utf8')]).toEqual([
        { tabs: [], port: null },
        text,
      ]);
    },
  );
});
