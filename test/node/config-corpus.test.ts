import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDocument, plainValue } from '../../src/core/config/document';
import { addCompanion, type Edited, removeCompanion, setChain } from '../../src/core/edits';
import { runs } from '../support/runs';
import { chainRequest, contentsOf, userFile, write } from './config-write-support';

const CHAIN = ['b/2', 'c/3', 'a/1'];
const URL = 'file:///home/u/plugin/opencode-understudy.js';
const EDITS: Readonly<Record<string, (text: string) => Edited>> = {
  chain: (text) => setChain(text, 'build', CHAIN),
  install: (text) => addCompanion(text, URL),
  uninstall: (text) => removeCompanion(text, [URL]),
};

type Row = Readonly<{ ask: string; name: string; before: string; after: string }>;
const ROWS = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'fixtures', 'config-corpus', 'edits.json'), 'utf8'),
) as readonly Row[];

/** Every comment of a text, however it is placed. */
const commentsOf = (text: string): string[] =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"|(\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)/g)]
    .flatMap(([, comment]) => comment?.trimEnd() ?? [])
    .sort();

describe('given files as people have them', () => {
  it.each(ROWS.map((row) => [`${row.ask}: ${row.name}`, row] as const))(
    'when it is %s, then the edit is exact, and a second one changes nothing',
    async (_, { ask, before, after }) => {
      const { path, home, folder } = await userFile(before);
      const request = chainRequest(path, [], { edit: EDITS[ask] ?? (() => ({ ok: true, text: '' })) });
      expect(await write(request, home)).toBeNull();
      expect(await readFile(path, 'utf8')).toBe(after);
      expect(await write(request, home)).toBeNull();
      expect(await contentsOf(folder)).toEqual({ 'model-fallback.json': Buffer.from(after).toString('latin1') });
      expect(commentsOf(after)).toEqual(commentsOf(before));
    },
  );

  it('when they are counted, then there are more than sixty with the refused ones', () => {
    expect(ROWS.length + REFUSED.length).toBeGreaterThan(90);
  });
});

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const REFUSED: readonly (readonly [string, 'chain' | 'install' | 'uninstall', string | Uint8Array, string])[] = [
  ['an empty file', 'chain', '', ':1:1: the file is empty'],
  ['blanks only', 'chain', ' \n\t\n', ':1:1: the file is empty'],
  ['a byte order mark only', 'chain', '\ufeff', ':1:1: the file is empty'],
  ['a comment only', 'chain', '// later', ':1:9: a value is missing'],
  ['a list', 'chain', '[]', ':1:1: it must be an object in { }'],
  ['a text', 'chain', '"x"', ':1:1: it must be an object in { }'],
  ['null', 'install', 'null', ':1:1: it must be an object in { }'],
  ['two documents', 'chain', '{}\n{}', ':2:1: the file should end here'],
  ['a missing comma', 'chain', '{\n  "a": 1\n  "b": 2\n}', ':3:3: a comma is missing'],
  ['a missing brace', 'chain', '{"agents":{', ':1:12: a closing } is missing'],
  ['an open text', 'install', '{"plugin":["a]}', ':1:12: the text does not end'],
  ['an open comment', 'chain', '{} /* x', ':1:4: the comment does not end'],
  ['keys without quotes', 'chain', '{agents:{}}', ':1:2: this is not JSON'],
  ['single quotes', 'chain', "{'agents':{}}", ':1:2: this is not JSON'],
  ['a conflict of git', 'chain', '{\n<<<<<<< HEAD\n}', ':2:1: this is not JSON'],
  ['YAML', 'chain', 'agents:\n  build: x\n', ':1:1: this is not JSON'],
  ['zero bytes', 'chain', '{\u0000}', ':1:2: this is not JSON'],
  ['UTF-16', 'chain', utf16('{}'), ': it is not UTF-8 text'],
  ['Latin-1', 'chain', Buffer.from('{"a":"\u00e9"}', 'latin1'), ': it is not UTF-8 text'],
  ['half a letter', 'install', Buffer.from([0x7b, 0xe9, 0xa2, 0x7d]), ': it is not UTF-8 text'],
  ['nesting without end', 'chain', '['.repeat(100_000), ':1:1: it is nested too deep'],
  ['a huge file', 'chain', `{}${' '.repeat(131_072)}`, ': it is larger than 128 kB'],
  ['a key twice', 'chain', '{"a":1,\n"a":2}', ':2:1: a is written twice'],
  ['a key twice by another spelling', 'chain', '{"a":1,"\\u0061":2}', ':1:8: a is written twice'],
  ['a key twice far below', 'chain', '{"x":[{"y":{"z":1,"z":1}}]}', ':1:19: x[0].y.z is written twice'],
  ['two lists of plugins', 'install', '{"plugin":[],"plugin":[]}', ':1:14: plugin is written twice'],
  ['agents as a list', 'chain', '{"agents":[]}', ':1:11: agents must be an object'],
  ['an agent as a text', 'chain', '{"agents":{"build":"a/1"}}', ':1:20: agents.build must be an object'],
  [
    'a chain as a text',
    'chain',
    '{"agents":{"build":{"fallbackModels":"a/1"}}}',
    ':1:38: agents.build.fallbackModels must be a list',
  ],
  [
    'a number in a chain',
    'chain',
    '{"agents":{"build":{"fallbackModels":["a/1",2]}}}',
    ':1:45: agents.build.fallbackModels must hold models only',
  ],
  ['tiers as an object', 'chain', '{"agents":{"build":{"tiers":{}}}}', ':1:29: agents.build.tiers must be a list'],
  [
    'tiers that would need a choice',
    'chain',
    '{"agents":{"build":{"tiers":[{"models":["a/1"]},{"models":["b/2"]}]}}}',
    ':1:40: the chain of build is written in tiers: models can only be reordered within a tier; edit the file for any other change',
  ],
  ['plugins as a text', 'install', '{"plugin":"a"}', ':1:11: plugin must be a list'],
  ['plugins as null', 'uninstall', '{"plugin":null}', ':1:11: plugin must be a list'],
  [
    'the companion twice',
    'install',
    `{"plugin":["${URL}","${URL}"]}`,
    ':1:59: the companion is listed twice: remove one first',
  ],
  [
    'a companion from elsewhere',
    'uninstall',
    '{"plugin":["./opencode-understudy"]}',
    ':1:12: the entry of the companion is not as it was installed',
  ],
  [
    'a companion with options',
    'uninstall',
    `{"plugin":[["${URL}",{}]]}`,
    ':1:13: the entry of the companion is not as it was installed',
  ],
];

describe('given files in which nobody could say what a change would mean', () => {
  it.each(REFUSED)(
    'when it is %s, then it is refused with its place, and not a byte is changed',
    async (_, ask, before, why) => {
      const { path, home, folder } = await userFile(before);
      const whole = await contentsOf(folder);
      const reason = await write(
        chainRequest(path, [], { edit: EDITS[ask] ?? (() => ({ ok: true, text: '' })) }),
        home,
      );
      expect(reason).toBe(`${path}${why}. Nothing was changed.`);
      expect(await contentsOf(folder)).toEqual(whole);
      expect(await contentsOf(home)).toEqual({});
    },
  );
});

describe(`given ${runs(5_000)} files that were damaged by chance`, () => {
  it('when they are edited, then the edit says what it should and keeps what is outside, or is refused with a message', () => {
    const damaged = fc
      .tuple(
        fc.constantFrom(...ROWS),
        fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...'{}[],:"/*\\ \n\r\ta1')), { maxLength: 4 }),
      )
      .map(([row, cuts]) => ({
        row,
        text: cuts.reduce((text, [at, length, put]) => splice(text, at % (text.length + 1), length, put), row.before),
      }));
    fc.assert(
      fc.property(damaged, ({ row, text }) => {
        const edited = EDITS[row.ask]?.(text);
        if (edited === undefined || !edited.ok) {
          expect(edited?.message).toMatch(/\S/);
          return;
        }
        const [before, after] = [
          openDocument(text.replace('\ufeff', '')),
          openDocument(edited.text.replace('\ufeff', '')),
        ];
        if (!before.ok || !after.ok) throw new Error('an edit of a broken file, or to one');
        const rest = (value: unknown) =>
          JSON.stringify(value, (key, inner) => (['agents', 'plugin'].includes(key) ? undefined : inner));
        expect(rest(plainValue(after.root))).toBe(rest(plainValue(before.root)));
        const again = EDITS[row.ask]?.(edited.text);
        expect(again).toEqual(edited);
      }),
      { numRuns: runs(5_000) },
    );
  });
});

const splice = (text: string, at: number, length: number, put: string): string =>
  text.slice(0, at) + put + text.slice(at + length);
