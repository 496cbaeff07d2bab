import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
