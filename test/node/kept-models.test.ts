import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepModels, keptModels } from '../../src/node/kept-models';
import { tempFolder } from './temp-folder';

const HOUR_MS = 3_600_000;
const newHome = async (): Promise<string> => join(await tempFolder(), 'u');

describe('given the models OpenCode has', () => {
  it('when they are kept, then each directory has its own, and the file is the user’s alone', async () => {
    const home = await newHome();
    await keepModels(home, '/one', ['a/1'], 1);
    await keepModels(home, '/two', ['b/2'], 2);
    await keepModels(home, '/one', ['a/1', 'a/2'], 3);
    const kept = await Promise.all(['/one', '/two', '/three'].map((directory) => keptModels(home, directory)));
    const { mode } = await stat(join(home, 'models.json'));
    expect([kept, process.platform === 'win32' ? 0o600 : mode & 0o777]).toEqual([
      [{ directory: '/one', at: 3, models: ['a/1', 'a/2'] }, { directory: '/two', at: 2, models: ['b/2'] }, null],
      0o600,
    ]);
  });

  it('when they are the same within the hour, then nothing is written; later the date is new', async () => {
    const home = await newHome();
    const dates: (number | undefined)[] = [];
    for (const at of [1, HOUR_MS, HOUR_MS + 1]) {
      await keepModels(home, '/one', ['a/1'], at);
      dates.push((await keptModels(home, '/one'))?.at);
    }
    expect(dates).toEqual([1, 1, HOUR_MS + 1]);
  });

  it('when eleven directories have been seen, then the newest ten are kept', async () => {
    const home = await newHome();
    for (let count = 1; count <= 11; count++) await keepModels(home, `/${count}`, ['a/1'], count);
    const kept = await Promise.all(['/1', '/2', '/11'].map((directory) => keptModels(home, directory)));
    expect(kept.map((list) => list?.at)).toEqual([undefined, 2, 11]);
  });

  it('when the file cannot be read, then nothing is known, and the next list replaces it', async () => {
    const home = await newHome();
    await mkdir(home, { mode: 0o700 });
    await writeFile(join(home, 'models.json'), '{"v":1,"lists":[{', { mode: 0o600 });
    expect(await keptModels(home, '/one')).toBeNull();
    await keepModels(home, '/one', ['a/1'], 1);
    expect(JSON.parse(await readFile(join(home, 'models.json'), 'utf8')).lists).toHaveLength(1);
  });
});
