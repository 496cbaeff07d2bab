import {
  type FileHandle,
  mkdir,
  open as openHandle,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openRotatingFile } from '../../../src/node/base/rotating-file';
import { patiently } from '../../support/eventually';
import { tempFolder } from '../temp-folder';

/** The disk takes so many bytes of the next write and is full then; the write after that it takes. */
async function takeOnly(bytes: number): Promise<void> {
  const probe = await openHandle(process.execPath);
  const anyFile = Object.getPrototypeOf(probe) as typeof probe;
  await probe.close();
  const write = anyFile.write as (this: FileHandle, ...all: unknown[]) => Promise<unknown>;
  let calls = 0;
  const spy = vi.spyOn(anyFile, 'write').mockImplementation(function (this: FileHandle, data: unknown, ...rest) {
    calls++;
    if (calls === 1) return write.call(this, data, 0, bytes) as never;
    if (calls === 2) return Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }));
    return write.call(this, data, ...rest) as never;
  });
  onTestFinished(() => spy.mockRestore());
}

const isOurs = (beginning: string): boolean => beginning.startsWith('line');

async function openFile(options: Readonly<{ maxBytes?: number; path?: string }> = {}) {
  const folder = await tempFolder();
  const path = options.path ?? join(folder, 'logs', 'f.log');
  const faults: string[] = [];
  const open = () =>
    openRotatingFile({
      path,
      isOurs,
      ...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
      onFault: (error) => faults.push(String(error)),
    });
  return { folder, path, faults, open, file: open(), read: (end = '') => readFile(`${path}${end}`, 'utf8') };
}

describe('given a file that is not there', () => {
  it('when lines are written, then it is made for this user alone, in a folder for this user alone', async () => {
    const { file, path, folder, read, faults } = await openFile();
    file.append('line 1\nline 2\n');
    file.append('line 3\n');
    await file.flush();
    expect([await read(), faults]).toEqual(['line 1\nline 2\nline 3\n', []]);
    const modes = await Promise.all([path, join(folder, 'logs')].map(async (at) => (await stat(at)).mode & 0o777));
    expect(modes).toEqual([0o600, 0o700]);
  });
});

describe('given a file that is nearly full', () => {
  it('when it would grow beyond its size, then it is put aside, and three files are kept', async () => {
    const { file, path, read } = await openFile({ maxBytes: 20 });
    for (let number = 1; number <= 9; number++) file.append(`line ${number}.\n`);
    await file.flush();
    expect(await readdir(join(path, '..'))).toEqual(['f.log', 'f.log.1', 'f.log.2']);
    expect([await read('.2'), await read('.1'), await read()]).toEqual([
      'line 5.\nline 6.\n',
      'line 7.\nline 8.\n',
      'line 9.\n',
    ]);
  });

  it('when eight write at once, then no line is lost or torn while the files hold it', async () => {
    const { open, path, faults } = await openFile({ maxBytes: 40_000 });
    const writers = Array.from({ length: 8 }, open);
    for (let number = 0; number < 1_000; number++)
      writers[number % 8]?.append(`line ${String(number).padStart(4, '0')} ${'x'.repeat(80)}\n`);
    await Promise.all(writers.map((writer) => writer.flush()));
    const files = (await readdir(join(path, '..'))).sort();
    const texts = await Promise.all(files.map((name) => readFile(join(path, '..', name), 'utf8')));
    const lines = texts.join('').trimEnd().split('\n');
    expect([faults, files]).toEqual([[], ['f.log', 'f.log.1', 'f.log.2']]);
    expect(lines.every((line) => /^line \d{4} x{80}$/.test(line))).toBe(true);
    expect([lines.length, new Set(lines).size]).toEqual([1_000, 1_000]);
  });

  it('when another process is putting it aside, then it is written on', async () => {
    const { file, path, read } = await openFile({ maxBytes: 10 });
    file.append('line 1\n');
    await file.flush();
    await writeFile(`${path}.lock`, '');
    file.append('line 2\n');
    await file.flush();
    expect(await read()).toBe('line 1\nline 2\n');
  });

  it('when the process that was putting it aside has died, then the next but one write does it', async () => {
    const { file, path, read } = await openFile({ maxBytes: 10 });
    file.append('line 1\n');
    await file.flush();
    await writeFile(`${path}.lock`, '');
    await utimes(`${path}.lock`, new Date(0), new Date(0));
    for (const number of [2, 3]) file.append(`line ${number}\n`);
    await file.flush();
    expect([await read('.1'), await read()]).toEqual(['line 1\nline 2\n', 'line 3\n']);
  });
});

describe('given something that is not ours', () => {
  it('when the file is somebody else’s, then not a byte of it changes and the fault names it', async () => {
    const { file, path, read, faults } = await openFile();
    await mkdir(join(path, '..'));
    await writeFile(path, 'alias ls="rm -rf"\n');
    file.append('line 1\n');
    await file.flush();
    expect([await read(), faults]).toEqual([
      'alias ls="rm -rf"\n',
      [`Error: ${path} exists and is not a log of Understudy`],
    ]);
  });

  it('when it is reached through a link, then the same holds', async () => {
    const { file, path, folder, faults } = await openFile();
    const target = join(folder, 'rc');
    await writeFile(target, 'export A=1\n');
    await mkdir(join(path, '..'));
    await symlink(target, path);
    file.append('line 1\n');
    await file.flush();
    expect([await readFile(target, 'utf8'), faults.length]).toEqual(['export A=1\n', 1]);
  });

  it('when it is a folder, then the fault says so', async () => {
    const { file, path, faults } = await openFile();
    await mkdir(path, { recursive: true });
    file.append('line 1\n');
    await file.flush();
    expect(faults).toEqual([`Error: ${path} is not a file`]);
  });
});

describe('given a disk that refuses', () => {
  it('when it takes lines again, then they are written', async () => {
    const { file, folder, read, faults } = await openFile();
    await writeFile(join(folder, 'logs'), 'in the way');
    file.append('line 1\n');
    await file.flush();
    file.append('line 2\n');
    await file.flush();
    await rm(join(folder, 'logs'));
    file.append('line 3\n');
    await file.flush();
    expect([faults.length, await read()]).toEqual([1, 'line 1\nline 2\nline 3\n']);
  });

  it('when nothing more is written, then they are written by themselves', async () => {
    const { file, folder, read } = await openFile();
    await writeFile(join(folder, 'logs'), 'in the way');
    file.append('line 1\n');
    await file.flush();
    await rm(join(folder, 'logs'));
    await patiently(async () => expect(await read()).toBe('line 1\n'));
  });

  it('when it refuses for long, then what is over 1 MiB is lost, and the oldest are kept', async () => {
    const { file, folder, read, faults } = await openFile();
    await writeFile(join(folder, 'logs'), 'in the way');
    for (let number = 0; number < 4; number++) file.append(`line ${number} ${'x'.repeat(600_000)}\n`);
    await file.flush();
    await rm(join(folder, 'logs'));
    await file.flush();
    expect([(await read()).match(/line \d/g), faults.length]).toEqual([['line 0', 'line 1'], 3]);
  });

  it.each([
    ['', 'line 1\nline 2\n'],
    ['line 0\n', 'line 0\nline\nline 1\nline 2\n'],
  ])('when it takes only a part of a line after %j, then the line is written whole', async (before, text) => {
    const { file, path, read } = await openFile();
    await mkdir(join(path, '..'));
    await writeFile(path, before);
    await takeOnly(4);
    file.append('line 1\n');
    await file.flush();
    file.append('line 2\n');
    await file.flush();
    expect(await read()).toBe(text);
  });

  it('when it takes one line of three and a half, then none stands there twice', async () => {
    const { file, read } = await openFile();
    await takeOnly(11);
    file.append('line 1\nline 2\nline 3\n');
    await file.flush();
    await file.flush();
    expect(await read()).toBe('line 1\nline\nline 2\nline 3\n');
  });

  it('when a process died in the middle of a line, then the next line is one of its own', async () => {
    const { file, path, read } = await openFile();
    await mkdir(join(path, '..'));
    await writeFile(path, 'line 1\nline');
    for (const number of [2, 3]) file.append(`line ${number}\n`);
    await file.flush();
    expect(await read()).toBe('line 1\nline\nline 2\nline 3\n');
  });

  it('when more than 1 MiB waits for it, then the rest is lost and said', async () => {
    const { file, faults } = await openFile();
    for (let number = 0; number < 3; number++) file.append(`line ${'x'.repeat(600_000)}\n`);
    await file.flush();
    expect(faults).toHaveLength(1);
  });
});
