import { execFileSync } from 'node:child_process';
import { appendFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { journalPath, journalReader } from '../../../src/features/council/node/journal';
import { followLines, openLines } from '../../../src/features/council/node/line-reader';
import { open } from '../../../src/node/base/disk';
import { beginWritten, FIRST_RUN, runsHome } from '../../support/council-home';
import { tempFolder } from '../temp-folder';

const newParser = () => (line: string) => (line === '' ? [] : [line]);

async function file(text?: string) {
  const path = join(await tempFolder(), 'lines');
  if (text !== undefined) await writeFile(path, text);
  return { path, reader: openLines(path, newParser) };
}

const lines = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at} ${'x'.repeat(40)}`);
const textOf = (from: number, to: number): string => `${lines(from, to).join('\n')}\n`;

describe('given a file that grows', () => {
  it('when it is read again, then only new lines are returned, and earlier bytes are not read', async () => {
    const { path, reader } = await file(textOf(1, 20));
    expect(await reader.more()).toEqual({ values: lines(1, 20), isAnew: false });
    expect(await reader.more()).toEqual({ values: [], isAnew: false });
    const handle = await open(path, 'r+');
    await handle.write('#'.repeat(100), 0);
    await handle.close();
    await appendFile(path, textOf(21, 22));
    expect(await reader.more()).toEqual({ values: lines(21, 22), isAnew: false });
  });

  it('when its last line is partial, then the line is returned once, when it has an end', async () => {
    const { path, reader } = await file();
    const bytes = Buffer.from('first\ndéjà vu\n');
    await writeFile(path, bytes.subarray(0, 8));
    expect((await reader.more()).values).toEqual(['first']);
    expect((await reader.more()).values).toEqual([]);
    await appendFile(path, bytes.subarray(8, 12));
    expect((await reader.more()).values).toEqual([]);
    await appendFile(path, bytes.subarray(12));
    expect((await reader.more()).values).toEqual(['déjà vu']);
  });

  it('when it does not exist yet, then it has no lines until it does', async () => {
    const { path, reader } = await file();
    expect(await reader.more()).toEqual({ values: [], isAnew: false });
    await writeFile(path, 'a\n');
    expect(await reader.more()).toEqual({ values: ['a'], isAnew: false });
  });
});

describe('given a file that another one replaces', () => {
  it.each([
    ['it is shorter', (path: string) => writeFile(path, textOf(31, 32)), lines(31, 32)],
    ['it is longer', (path: string) => writeFile(path, textOf(31, 90)), lines(31, 90)],
    ['it is cut after whole lines', (path: string) => truncate(path, textOf(1, 3).length), lines(1, 3)],
    ['it is emptied', (path: string) => truncate(path, 0), []],
    ['it is removed', (path: string) => rm(path), []],
    [
      'it is put in its place',
      async (path: string) => {
        await writeFile(`${path}.new`, textOf(31, 60));
        await rename(`${path}.new`, path);
      },
      lines(31, 60),
    ],
  ])('when %s, then its lines are returned from the first, and later ones once', async (_, replace, expected) => {
    const { path, reader } = await file(textOf(1, 20));
    await reader.more();
    await replace(path);
    expect(await reader.more()).toEqual({ values: expected, isAnew: true });
    await appendFile(path, 'more\n');
    expect(await reader.more()).toEqual({ values: ['more'], isAnew: false });
  });

  it('when lines are followed, then the follower starts again', async () => {
    const { path, reader } = await file(textOf(1, 2));
    const seen: string[] = [];
    const following = followLines(path, reader, {
      handle: (line) => seen.push(line),
      restart: () => seen.push('restart'),
    });
    onTestFinished(following.end);
    await following.look();
    expect(seen).toEqual(lines(1, 2));
    await writeFile(path, textOf(5, 9));
    await following.look();
    expect(seen).toEqual([...lines(1, 2), 'restart', ...lines(5, 9)]);
    following.end();
    await appendFile(path, 'late\n');
    await following.look();
    expect(seen).not.toContain('late');
  });

  it('when it is a journal, then the numbers of its players count from the first line again', async () => {
    const home = join(await runsHome(), 'u');
    await beginWritten(home, FIRST_RUN);
    const path = journalPath(home, FIRST_RUN);
    const reader = journalReader(home, FIRST_RUN);
    const lineOf = (at: number, player: number): string =>
      `${JSON.stringify({ v: 1, at, event: { type: 'tick' }, player })}\n`;
    const times = async () => (await reader.more()).values.map(({ at }) => at);
    await times();
    await appendFile(path, lineOf(1, 7) + lineOf(2, 6));
    expect(await times()).toEqual([1]);
    await writeFile(path, lineOf(3, 1) + lineOf(4, 2));
    expect(await times()).toEqual([3, 4]);
  });
});

describe('given something that is no journal', () => {
  it('when it is a pipe, then it has no lines, and nothing waits for it', async () => {
    const { path, reader } = await file();
    execFileSync('mkfifo', [path]);
    expect(await reader.more()).toEqual({ values: [], isAnew: false });
  });

  it('when it is too long, then it is not read', async () => {
    const { path, reader } = await file('');
    await truncate(path, 65 * 1_048_576);
    await expect(reader.more()).rejects.toThrow('is too long to be a journal');
  });
});
