import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepModels, keptModels, latestModels } from '../../../src/node/base/kept-models';
import { tempFolder } from '../temp-folder';

const HOUR_MS = 3_600_000;
const hostOf = (models: readonly string[]) => ({ leads: {}, defaultModel: null, models });
/** What is kept of an OpenCode that has one account of each provider, and says nothing else. */
const NOTHING_MORE = { catalogue: {}, leads: {}, defaultModel: null, tellsAccounts: true };
const newHome = async (): Promise<string> => join(await tempFolder(), 'u');

describe('given the models OpenCode has', () => {
  it('when they are kept, then each directory has its own, and the file is the user’s alone', async () => {
    const home = await newHome();
    await keepModels(home, '/one', hostOf(['a/1']), 1);
    await keepModels(home, '/two', hostOf(['b/2']), 2);
    await keepModels(home, '/one', hostOf(['a/1', 'a/2']), 3);
    const kept = await Promise.all(['/one', '/two', '/three'].map((directory) => keptModels(home, directory)));
    const { mode } = await stat(join(home, 'models.json'));
    expect([kept, process.platform === 'win32' ? 0o600 : mode & 0o777]).toEqual([
      [
        { directory: '/one', at: 3, models: ['a/1', 'a/2'], ...NOTHING_MORE },
        { directory: '/two', at: 2, models: ['b/2'], ...NOTHING_MORE },
        null,
      ],
      0o600,
    ]);
  });

  it('when they are the same within the hour, then nothing is written; later the date is new', async () => {
    const home = await newHome();
    const dates: (number | undefined)[] = [];
    for (const at of [1, HOUR_MS, HOUR_MS + 1]) {
      await keepModels(home, '/one', hostOf(['a/1']), at);
      dates.push((await keptModels(home, '/one'))?.at);
    }
    expect(dates).toEqual([1, 1, HOUR_MS + 1]);
  });

  it('when eleven directories have been seen, then the newest ten are kept', async () => {
    const home = await newHome();
    for (let count = 1; count <= 11; count++) await keepModels(home, `/${count}`, hostOf(['a/1']), count);
    const kept = await Promise.all(['/1', '/2', '/11'].map((directory) => keptModels(home, directory)));
    expect(kept.map((list) => list?.at)).toEqual([undefined, 2, 11]);
  });

  it('when the file cannot be read, then nothing is known, and the next list replaces it', async () => {
    const home = await newHome();
    await mkdir(home, { mode: 0o700 });
    await writeFile(join(home, 'models.json'), '{"v":1,"lists":[{', { mode: 0o600 });
    expect(await keptModels(home, '/one')).toBeNull();
    await keepModels(home, '/one', hostOf(['a/1']), 1);
    expect(JSON.parse(await readFile(join(home, 'models.json'), 'utf8')).lists).toHaveLength(1);
  });

  it('when their sizes, prices and agents are known, then they are kept too; what is out of bounds and keys are not', async () => {
    const home = await newHome();
    const catalogue = { 'a/1': { context: 200_000, priceIn: 3, priceOut: 15, isLocal: true }, 'b/2': { context: -1 } };
    const host = { models: ['a/1', 'b/2'], leads: { build: 'a/1', plan: null }, defaultModel: 'b/2', catalogue };
    await keepModels(home, '/one', { ...host, abilities: ['ask'] }, 1);
    await keepModels(home, '/two', hostOf(['c/3']), 0);
    expect([await latestModels(home), await keptModels(home, '/one')]).toEqual(
      Array(2).fill({
        ...{ directory: '/one', at: 1, ...host, catalogue: { 'a/1': catalogue['a/1'] } },
        tellsAccounts: true,
      }),
    );
  });

  it('when there are several accounts of one provider, then what they are called is kept, the one in use first', async () => {
    const home = await newHome();
    const accounts = { openai: ['home', 'my-work', 'büro'], xai: ['a', 'b'] };
    await keepModels(home, '/two', { ...hostOf(['openai/gpt']), accounts }, 1);
    await keepModels(home, '/one', { ...hostOf(['openai/gpt']), accounts: {} }, 1);
    expect(await keptModels(home, '/two')).toMatchObject({ accounts, tellsAccounts: true });
    expect(await keptModels(home, '/one')).toMatchObject({ accounts: {}, tellsAccounts: true });
    await keepModels(home, '/two', { ...hostOf(['openai/gpt']), accounts: { openai: ['my-work', 'home'] } }, 2);
    expect(await keptModels(home, '/two')).toMatchObject({ accounts: { openai: ['my-work', 'home'] }, at: 2 });
  });

  it('when there are more than anybody has, then the first are kept', async () => {
    const home = await newHome();
    const openai = Array.from({ length: 60 }, (_, at) => `a${at}`);
    await keepModels(home, '/one', { ...hostOf(['openai/gpt']), accounts: { openai } }, 1);
    expect((await keptModels(home, '/one'))?.accounts?.openai).toEqual(openai.slice(0, 50));
  });

  it.each([
    ['a key in place of a name', ['home', 'Bearer sk-1234 abc']],
    ['a name that is too long', ['home', 'x'.repeat(61)]],
    ['one alone', ['home']],
    ['no names', [1, 2]],
    ['no list', 'home'],
  ])('when accounts are %s, then they are neither written nor read, and the rest is', async (_, wrong) => {
    const home = await newHome();
    const accounts = { openai: wrong, xai: ['a', 'b'] } as Record<string, string[]>;
    await keepModels(home, '/one', { ...hostOf(['openai/gpt']), accounts }, 1);
    const path = join(home, 'models.json');
    const written = JSON.parse(await readFile(path, 'utf8'));
    expect(written.lists[0].accounts).toEqual({ xai: ['a', 'b'] });
    written.lists[0].accounts = accounts;
    await writeFile(path, JSON.stringify(written), { mode: 0o600 });
    expect(await keptModels(home, '/one')).toMatchObject({ models: ['openai/gpt'], accounts: { xai: ['a', 'b'] } });
  });

  it('when the file holds names alone, as the first ones did, then they are read', async () => {
    const home = await newHome();
    await mkdir(home, { mode: 0o700 });
    const first = { v: 1, lists: [{ directory: '/one', at: 1, models: ['a/1'] }] };
    await writeFile(join(home, 'models.json'), JSON.stringify(first), { mode: 0o600 });
    expect(await keptModels(home, '/one')).toEqual({ ...first.lists[0], ...NOTHING_MORE, tellsAccounts: false });
  });

  it('when lists are too long together, then the oldest gives way', async () => {
    const home = await newHome();
    const long = Array.from({ length: 30_000 }, (_, at) => `provider/${'x'.repeat(150)}-${at}`);
    await keepModels(home, '/old', hostOf(long), 1);
    await keepModels(home, '/new', hostOf(long), 2);
    expect([await keptModels(home, '/old'), (await keptModels(home, '/new'))?.at]).toEqual([null, 2]);
  });
});
