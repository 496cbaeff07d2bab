import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSharedFile } from '../../../src/node/base/shared-file';
import { tempFolder } from '../temp-folder';

/** A file of a number, as one process sees it. */
function opened(path: string) {
  const told: string[] = [];
  const file = openSharedFile<number>({
    path,
    parse(json) {
      const { v, value } = json as { v?: unknown; value?: unknown };
      if (v === 1 && typeof value === 'number') return { value };
      return typeof v === 'number' && v > 1 ? 'newer' : 'damaged';
    },
    write: (value) => ({ v: 1, value }),
    loss: 'Counting begins anew.',
    onUnreadable: (message) => told.push(message),
  });
  return { ...file, told, add: (more: number) => file.update((old) => (old ?? 0) + more) };
}

async function place(): Promise<string> {
  return join(await tempFolder(), 'home', 'number.json');
}
const contentOf = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));
const beside = async (path: string): Promise<string[]> => (await readdir(join(path, '..'))).sort();

describe('given a file that two processes share', () => {
  it('when one changes it, then the other hears it once, and the first not at all', async () => {
    const path = await place();
    const [one, other] = [opened(path), opened(path)];
    expect([await one.news(), await one.add(5)]).toEqual([null, { ok: true }]);
    expect([await one.news(), await other.news(), await other.news()]).toEqual([null, 5, null]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('when both change it fifty times at once, then no change is lost and nothing is left beside it', async () => {
    const path = await place();
    const files = [opened(path), opened(path)];
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, at) => files[at % 2]?.add(1)));
    expect(outcomes.every((outcome) => outcome?.ok)).toBe(true);
    expect([await contentOf(path), await beside(path)]).toEqual([{ v: 1, value: 50 }, ['number.json']]);
  }, 30_000);

  it('when one removes it, then the other hears nothing and can write it again', async () => {
    const path = await place();
    const [one, other] = [opened(path), opened(path)];
    await one.add(1);
    await other.news();
    await one.remove();
    expect([await other.news(), await other.add(7), await contentOf(path)]).toEqual([
      null,
      { ok: true },
      { v: 1, value: 7 },
    ]);
  });
});

describe('given the lock of a process that died with it', () => {
  it('when the next one writes, then it takes the lock over', async () => {
    const path = await place();
    const lock = `${path}.lock`;
    await mkdir(lock, { recursive: true });
    const died = new Date(Date.now() - 6_000);
    await utimes(lock, died, died);
    expect([await opened(path).add(3), await beside(path)]).toEqual([{ ok: true }, ['number.json']]);
  });

  it('when its clock was a day ahead, then the next one takes it over as well', async () => {
    const path = await place();
    const lock = `${path}.lock`;
    await mkdir(lock, { recursive: true });
    const ahead = new Date(Date.now() + 86_400_000);
    await utimes(lock, ahead, ahead);
    expect([await opened(path).add(3), await beside(path)]).toEqual([{ ok: true }, ['number.json']]);
  });
});

describe('given a file that cannot be read', () => {
  async function broken(content: string) {
    const path = await place();
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, content, { mode: 0o600 });
    return path;
  }

  it.each([
    ['half a line', '{ "v": 1, "val', 'could not be read'],
    ['nothing', '', 'could not be read'],
    ['what a newer version wrote', '{ "v": 2 }', 'was written by a newer Understudy'],
  ])('when it holds %s, then it is moved aside as it was, told once, and work goes on', async (_, content, words) => {
    const path = await broken(content);
    const file = opened(path);
    expect(await file.news()).toBeNull();
    await expect.poll(() => file.told.length).toBe(1);
    expect([await file.add(4), await contentOf(path), file.told[0]]).toEqual([
      { ok: true },
      { v: 1, value: 4 },
      expect.stringMatching(new RegExp(`${words}\\. It was moved to .*\\. Counting begins anew\\.$`)),
    ]);
    const aside = (await beside(path)).find((name) => name.includes('.corrupt-')) ?? '';
    expect(await readFile(join(path, '..', aside), 'utf8')).toBe(content);
  });

  it('when a newer version writes it again, then it is left to that one', async () => {
    const path = await broken('{ "v": 2 }');
    const file = opened(path);
    await file.add(1);
    await writeFile(path, '{ "v": 2, "mine": true }', { mode: 0o600 });
    const outcomes = [await file.add(1), await file.add(1), await file.remove()];
    expect([outcomes.map(({ ok }) => ok), await file.news(), await contentOf(path), file.told.length]).toEqual([
      [false, false, false],
      null,
      { v: 2, mine: true },
      1,
    ]);
  });
});
