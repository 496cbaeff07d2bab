import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { countError, countTogether, createInternalErrors } from '../../../src/core/base/internal-errors';
import {
  errorLines,
  internalErrorsPath,
  isPassing,
  readErrors,
  storeErrors,
} from '../../../src/node/data/internal-errors-file';
import { tempFolder } from '../temp-folder';

const WHO = { role: 'companion', version: '1.2.3' } as const;
const DAY_MS = 86_400_000;

beforeEach(() => countTogether(createInternalErrors()));

describe('given a process that stores its internal errors', () => {
  it('when none occurs, then no file is written', async () => {
    const home = join(await tempFolder(), 'u');
    await storeErrors(home, WHO).flush();
    await expect(stat(internalErrorsPath(home))).rejects.toThrow('ENOENT');
    expect(await readErrors(home)).toEqual([]);
  });

  it('when some occur, then another process reads place, class and count, and no text', async () => {
    const home = join(await tempFolder(), 'u');
    const stored = storeErrors(home, WHO);
    for (let at = 0; at < 3; at++) countError('brain.step', new TypeError('the prompt with sk-secret-123'));
    countError('health.write', Object.assign(new Error('/home/jo/acme'), { code: 'EROFS' }));
    await stored.flush();
    const [process_] = await readErrors(home);
    expect(process_).toMatchObject({ ...WHO, pid: process.pid, passesThrough: null });
    expect(process_ && errorLines(process_)).toEqual([
      expect.stringMatching(/^brain\.step: TypeError.*, 3×$/),
      expect.stringMatching(/^health\.write: Error EROFS.*, 1×$/),
    ]);
    const text = await readFile(internalErrorsPath(home), 'utf8');
    expect(text).not.toMatch(/secret|prompt|acme/);
    expect((await stat(internalErrorsPath(home))).mode & 0o077).toBe(0);
  });

  it('when errors go on, then the file is written after a second and then twice a minute at most', async () => {
    const home = join(await tempFolder(), 'u');
    const set = vi.spyOn(globalThis, 'setTimeout');
    const stored = storeErrors(home, WHO);
    const countMany = (): readonly unknown[] => {
      set.mockClear();
      for (let at = 0; at < 100; at++) countError('a', new Error('a'));
      return set.mock.calls.map(([, ms]) => ms);
    };
    expect(countMany()).toEqual([1_000]);
    await stored.flush();
    expect(countMany()).toEqual([30_000]);
    set.mockRestore();
    await stored.flush();
    expect((await readErrors(home))[0]?.errors[0]?.count).toBe(200);
  });

  it('when its breaker opens, then that is written at once', async () => {
    const home = join(await tempFolder(), 'u');
    const stored = storeErrors(home, WHO);
    countError('brain.step', new Error('a'));
    stored.passesThrough('brain.step');
    await vi.waitFor(async () => expect((await readErrors(home))[0]?.passesThrough?.place).toBe('brain.step'));
    const [own] = await readErrors(home);
    expect([own && isPassing(own), own && isPassing({ ...own, pid: 2 ** 22 + 1 })]).toEqual([true, false]);
  });

  it('when many processes have had errors, then the newest ten stay', async () => {
    const home = join(await tempFolder(), 'u');
    for (let at = 0; at < 12; at++) {
      countTogether(createInternalErrors());
      const stored = storeErrors(home, { ...WHO, version: String(at) });
      countError('a', new Error('a'));
      await stored.flush();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const versions = (await readErrors(home)).map(({ version }) => version);
    expect(versions).toEqual(Array.from({ length: 10 }, (_, at) => String(11 - at)));
    expect(await readErrors(home, Date.now() + 8 * DAY_MS)).toEqual([]);
  });

  it('when the file is damaged, then it is read as empty and replaced', async () => {
    const home = join(await tempFolder(), 'u');
    const stored = storeErrors(home, WHO);
    countError('a', new Error('a'));
    await stored.flush();
    await writeFile(internalErrorsPath(home), '{"v":1,"processes":[{"pid":"x"}]}');
    expect(await readErrors(home)).toEqual([]);
    countError('a', new Error('a'));
    await stored.flush();
    expect((await readErrors(home))[0]?.errors[0]?.count).toBe(2);
  });

  it('when the disk takes nothing, then nothing rejects', async () => {
    const file = join(await tempFolder(), 'file');
    await writeFile(file, '');
    const stored = storeErrors(join(file, 'u'), WHO);
    countError('a', new Error('a'));
    await expect(stored.flush()).resolves.toBeUndefined();
  });
});
