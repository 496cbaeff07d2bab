import { mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { writeFileAtomic } from '../../../src/node/base/atomic-file';
import { quarantine } from '../../../src/node/base/quarantine';
import { tempFolder } from '../temp-folder';

describe('given a file to replace', () => {
  it('when it is written, then it has the new content, is 0600, and nothing is left beside it', async () => {
    const folder = await tempFolder();
    const path = join(folder, 'state.json');
    await writeFile(path, 'old', { mode: 0o644 });
    expect(await writeFileAtomic(path, 'new')).toEqual({ ok: true });
    expect([await readFile(path, 'utf8'), (await stat(path)).mode & 0o777]).toEqual(['new', 0o600]);
    expect(await readdir(folder)).toEqual(['state.json']);
  });

  it('when 20 write at once while it is read all the time, then every reader sees one whole content', async () => {
    const path = join(await tempFolder(), 'state.json');
    const contents = Array.from({ length: 20 }, (_, index) => String(index % 10).repeat(100_000));
    await writeFileAtomic(path, contents[0] ?? '');
    let isWriting = true;
    const seen = new Set<string>();
    const reading = (async () => {
      while (isWriting) seen.add(await readFile(path, 'utf8'));
    })();
    await Promise.all(contents.map((content) => writeFileAtomic(path, content)));
    isWriting = false;
    await reading;
    expect([...seen].every((content) => contents.includes(content))).toBe(true);
  });

  it('when it cannot be replaced, then the reason is a value and nothing is left beside it', async () => {
    const folder = await tempFolder();
    await mkdir(join(folder, 'state.json', 'inside'), { recursive: true });
    expect((await writeFileAtomic(join(folder, 'state.json'), 'new')).ok).toBe(false);
    expect(await readdir(folder)).toEqual(['state.json']);
  });
});

describe('given a disk that refuses a step, as network drives do', () => {
  const CODES = ['EIO', 'ESTALE', 'EBUSY', 'EDQUOT', 'ENOSPC', 'EROFS', 'ETIMEDOUT', 'EINVAL'];
  /** The methods of an open file, by the step at which each is called. */
  const STEPS = [
    ['writes the content', 'writeFile', 0, 'old'],
    ['syncs the content', 'sync', 0, 'old'],
    // The new content is there by then.
    ['syncs the folder', 'sync', 1, 'new'],
  ] as const;

  it.each(CODES.flatMap((code) => STEPS.map((step) => [code, ...step] as const)))(
    'when it says %s as it %s, then the outcome says which whole content is there, and nothing is left beside it',
    async (code, _, method, at, content) => {
      const folder = await tempFolder();
      const path = join(folder, 'state.json');
      await writeFile(path, 'old');
      const file = await open(path);
      const anyFile = Object.getPrototypeOf(file) as typeof file;
      await file.close();
      const original = anyFile[method] as (data: unknown) => Promise<void>;
      let calls = 0;
      const spy = vi.spyOn(anyFile, method).mockImplementation(async function (this: typeof file, data?: unknown) {
        const isRefused = calls++ === at;
        await original.call(this, isRefused ? 'n' : data);
        if (isRefused) throw Object.assign(new Error(`${code}: refused`), { code });
      });
      onTestFinished(() => void spy.mockRestore());
      expect(await writeFileAtomic(path, 'new')).toEqual(
        content === 'new' ? { ok: true } : { ok: false, reason: `${code}: refused` },
      );
      spy.mockRestore();
      expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual([content, ['state.json']]);
    },
  );
});

describe('given a file we cannot read', () => {
  it('when it is put aside, then its content is kept under a name that says when', async () => {
    const path = join(await tempFolder(), 'state.json');
    await writeFile(path, '{broken');
    const aside = await quarantine(path, Date.UTC(2026, 2, 17, 14, 23, 1));
    expect(aside).toMatch(/state\.json\.corrupt-2026-03-17T14-23-01-000Z-[0-9a-f]{6}$/);
    expect(await readFile(aside ?? '', 'utf8')).toBe('{broken');
  });

  it('when there is none, then there is nothing to do', async () => {
    expect(await quarantine(join(await tempFolder(), 'none'))).toBeNull();
  });
});
