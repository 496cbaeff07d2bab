import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fits, readProofs, unproven } from '../../scripts/nightly-proofs.mjs';

const root = join(import.meta.dirname, '..', '..');

describe('given the tests that only the nightly run plays', () => {
  it('when one has no entry in test/nightly, then it is named', () => {
    const entries = [{ tests: ['test/e2e/a.test.ts > given a'] }];
    const names = ['test/e2e/a.test.ts > given a > when b', 'test/e2e/b.test.ts > given a > when b'];
    expect(unproven(names, entries)).toEqual(['test/e2e/b.test.ts > given a > when b']);
  });

  it('when the entries are read, then each names an existing faster test', () => {
    const files = readProofs().flatMap(({ break: { file }, fails }) => [file, fails.file]);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('when the entries are read, then each finds the code that it breaks exactly once', () => {
    const unfit = readProofs().filter(
      (entry) => !fits(readFileSync(join(root, entry.break.file), 'utf8'), entry.break),
    );
    expect(unfit.map(({ table, rule, break: { find } }) => `${table}: ${rule} ${find}`)).toEqual([]);
  });
});
