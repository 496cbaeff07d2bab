import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHANGES } from '../support/globals/changes';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'security-status.md'), 'utf8');
const SOURCE = join(ROOT, 'src');
const OF_COMPANION = /(?:^|[\\/])plugin[\\/].*\.ts$/;

/** Cells of the rows below the heading of a section, without code marks. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const section = PAGE.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

describe('given the list of changes that tests allow in OpenCode’s process', () => {
  it('when the page about security is read, then it has the same list', () => {
    const listed = CHANGES.map(({ what, generations, from, to }) => [what, generations, from, to]);
    expect(rowsBelow("Changes in OpenCode's process")).toEqual(listed);
  });

  it('when the companion’s sources are searched for shared symbols, then each is in the list or on the engine', () => {
    const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((path) =>
      OF_COMPANION.test(path),
    );
    const found = sources.flatMap((path) =>
      [...readFileSync(join(SOURCE, path), 'utf8').matchAll(/Symbol\.for\(['`](.+?)['`]\)/g)].map(([, name]) => name),
    );
    const names = found.map((name) => name?.replace(/\$.*/, '<version> <state folder>'));
    const onEngine = ['understudy accounts being read', 'understudy accounts in use'];
    const listed = CHANGES.flatMap(({ what }) => /^Symbol\((.+)\)$/.exec(what)?.[1] ?? []);
    expect(names.sort()).toEqual([...listed, ...onEngine].sort());
  });
});
