import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { namesIn, namesOfValue, namesText, storedNames } from './names';
import { recordings } from './open';

const LIST = join(import.meta.dirname, 'names.txt');
const REMOVED = join(import.meta.dirname, 'removed-names.txt');
const ADRS = join(import.meta.dirname, '..', '..', 'docs', 'adr');
const ADD = 'node scripts/record-state.mjs names';

/** The names in JSON that commands print, as each version has recorded it. */
const printedNames = (): string[] =>
  recordings().flatMap((folder) => {
    const answers = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Record<string, unknown>;
    return Object.entries(answers).flatMap(([line, answer]) => {
      const { output } = answer as { output?: unknown };
      const isJson = line.startsWith('understudy ') && typeof output === 'object' && output !== null;
      return isJson ? namesOfValue(line.replace(/r\d{8}-\d{6}-\w{4}/, 'RUN'), output) : [];
    });
  });

describe('given the names in stored files, messages, JSON outputs and public schemas', () => {
  const names = new Set([...storedNames(), ...printedNames()]);
  const listed = namesIn(readFileSync(LIST, 'utf8'));
  const removals = readFileSync(REMOVED, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ adr: line.slice(0, 4), name: line.slice(5) }));

  it('when they are compared with the list, then none is gone', () => {
    const removed = new Set(removals.map(({ name }) => name));
    const gone = [...listed].filter((name) => !names.has(name) && !removed.has(name));
    expect(
      gone,
      `${gone.length} stored or sent names are gone or changed, the first is "${gone[0]}". ` +
        'Files of users and programs that read the output still hold them: this version would not load or send them. ' +
        'Keep the name. If it must go, write an ADR and add "NUMBER NAME" to test/recorded/removed-names.txt.',
    ).toEqual([]);
  });

  it('when they are compared with the list, then each new one is in it', () => {
    const added = [...names].filter((name) => !listed.has(name));
    if (process.env.UNDERSTUDY_RECORD_NAMES) return writeFileSync(LIST, namesText(new Set([...listed, ...names])));
    expect(
      added,
      `${added.length} stored or sent names are new, the first is "${added[0]}". To add them to the list: ${ADD}`,
    ).toEqual([]);
  });

  it('when a name was removed, then an ADR says why', () => {
    const adrs = readdirSync(ADRS);
    expect(removals.filter(({ adr }) => !adrs.some((file) => file.startsWith(`${adr}-`)))).toEqual([]);
  });
});
