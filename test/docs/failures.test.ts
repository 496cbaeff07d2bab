import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOTICES } from '../../src/contract/preferences';
import { FAILURE_KINDS, KIND_INFO } from '../../src/engine/base/kinds';
import { formatStep } from '../../src/engine/policy/policy-steps';
import { PRESETS } from '../../src/engine/policy/presets';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'failures.md'), 'utf8');

/** The rows of the table under a heading, cell by cell, without their quotes. */
function rowsUnder(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  const lines = own.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1).map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.replace(/^`(.*)`$/, '$1')),
  );
}

describe('given the page of failures, policies and numbers', () => {
  it('when its kinds are read, then each is there once, and speaks about and touches what the engine has it do', () => {
    const told = rowsUnder('Kinds of failure').map(([kind, , scope, lane, name]) => [kind, scope, lane, name]);
    expect(told).toEqual(
      FAILURE_KINDS.map((kind) => [kind, KIND_INFO[kind].scope, KIND_INFO[kind].lane, KIND_INFO[kind].class]),
    );
  });

  it('when its policies are read, then each row is the one in force', () => {
    const rows = FAILURE_KINDS.map((kind) => [
      kind,
      ...Object.values(PRESETS).map((policy) => (policy[kind] ?? []).map(formatStep).join(', ')),
    ]);
    expect(rowsUnder('Policies')).toEqual(rows);
  });

  it('when its notices are read, then each that there is has a line', () => {
    expect(rowsUnder('Notices').map(([id]) => id)).toEqual(NOTICES);
  });
});
