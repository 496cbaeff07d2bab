import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { leftProofs, noteProof } from '../../src/node/open-proofs';
import { tempFolder } from './temp-folder';

/** No process has this id: it is beyond what systems give out. */
const GONE = 2 ** 30;

describe('given notes of proofs whose process has ended', () => {
  it('when other things lie among them, then those of the directory are found, and nobody waits for the rest', async () => {
    const home = join(await tempFolder(), 'u');
    const names = [`${GONE}-a`, `${GONE}-b`, `${process.pid}-c`];
    for (const [at, name] of names.entries())
      expect(await noteProof(home, name, at === 1 ? '/other' : '/here')).toBe(true);
    const folder = join(home, 'proofs');
    await promisify(execFile)('mkfifo', ['-m', '600', join(folder, `${GONE}-pipe`)]);
    await symlink('/dev/zero', join(folder, `${GONE}-device`));
    await mkdir(join(folder, `${GONE}-folder`));
    await writeFile(join(folder, `${GONE}-long`), '/here'.repeat(1_000_000), { mode: 0o600 });
    expect(await leftProofs(home, '/here')).toEqual([`${GONE}-a`]);
  });
});
