import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unknownWord } from '../cli/command-tree';

const SOURCES = join(import.meta.dirname, '..', '..', 'src');
/** Files that print commands: texts, sentences, the command line, reports, the doctor and problems of configurations. */
const PRINTING =
  /^(?:texts|wording|cli|panel|node\/setup|core\/(?:config|scorecard|acts)|plugin\/runtime)\/|^features\/\w+\/(?:wording|cli|core|rules|node|plugin)\//;
/** Comments, keys that no user sees, and names of commands from a table. */
const KEY = /Symbol\.for\(|understudy \$\{|^ *(?:\*|\/\*)/;

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => PRINTING.test(path) && path.endsWith('.ts'));

/** The commands that a file names, each up to the end of its quotation or clause. */
const commandsIn = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => !KEY.test(line))
    .flatMap((line) => [...line.replaceAll(/\$\{[^}]*\}/g, 'x').matchAll(/\bunderstudy ([a-z].*)/g)])
    .flatMap(([, rest = '']) => rest.split(/['"`“”;:)\\]|[.,](?!\w)| …/)[0]?.split(' or understudy ')[0] ?? []);

describe('given every file that prints commands', () => {
  it('when its commands are parsed, then the command line has each of them, with its options', () => {
    const named = files.flatMap((path) =>
      commandsIn(readFileSync(join(SOURCES, path), 'utf8')).map((command) => [path, command] as const),
    );
    expect(new Set(named.map(([path]) => path)).size).toBeGreaterThan(40);
    expect(named.filter(([, command]) => unknownWord(command) !== null)).toEqual([]);
  });
});
