import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { quotesOf } from '../../../src/features/council/node/quotes';
import { isNightly } from '../../support/nightly';
import { costOf, isLittle, leastCost } from '../../support/piece-cost';
import { tempFolder } from '../temp-folder';

/** Quotes in one answer. */
const COUNT = isNightly ? 100 : 2;
const FILES = Math.min(COUNT, 20);
const FILE_CHARS = isNightly ? 2_000_000 : 500_000;
const QUOTE_CHARS = 2_000;

const lineOf = (n: number): string => `const value${n} = compute(${n}, "text of line ${n}");`;
const LINES = Array.from({ length: FILE_CHARS / 50 }, (_, n) => lineOf(n));
const WHOLE = LINES.join('\n');
const all = (of: (n: number) => Readonly<{ quote: string; line: number; file?: string }>) =>
  Array.from({ length: COUNT }, (_, n) => ({ file: 'a.ts', ...of(n) }));
const spread = (n: number): number => Math.floor((n * LINES.length) / COUNT);
const blank = 'x \n\n\t y\n'.repeat(FILE_CHARS / 8);
const AB = 'ab'.repeat(FILE_CHARS / 2);

type Shape = Readonly<{
  name: string;
  files: Readonly<Record<string, string>>;
  places: ReturnType<typeof all>;
  check: string;
}>;

const SHAPES: readonly Shape[] = [
  {
    name: 'lines',
    files: { 'a.ts': WHOLE },
    check: 'verified',
    places: all((n) => ({ quote: lineOf(spread(n)), line: spread(n) + 1 })),
  },
  {
    name: 'lines that end with CRLF',
    files: { 'a.ts': LINES.join('\r\n') },
    check: 'verified',
    places: all((n) => ({ quote: LINES.slice(spread(n), spread(n) + 9).join('\r\n'), line: spread(n) + 1 })),
  },
  {
    name: 'long quotes',
    files: { 'a.ts': WHOLE },
    check: 'moved',
    places: all((n) => ({ quote: WHOLE.slice(FILE_CHARS / 2 + n, FILE_CHARS / 2 + n + QUOTE_CHARS), line: 1 })),
  },
  {
    name: 'one quote again and again',
    files: { 'a.ts': WHOLE },
    check: 'moved',
    places: all(() => ({ quote: lineOf(9_000), line: 1 })),
  },
  {
    name: 'a quote that stands everywhere',
    files: { 'a.ts': 'a'.repeat(FILE_CHARS) },
    check: 'moved',
    places: all(() => ({ quote: 'a'.repeat(9), line: 900 })),
  },
  {
    name: 'a quote that nearly stands everywhere',
    files: { 'a.ts': 'a'.repeat(FILE_CHARS) },
    check: 'not_found',
    places: all(() => ({ quote: `${'a'.repeat(QUOTE_CHARS - 1)}b`, line: 1 })),
  },
  {
    name: 'a quote whose end stands everywhere',
    files: { 'a.ts': AB },
    check: 'not_found',
    places: all(() => ({ quote: `b${'ba'.repeat(QUOTE_CHARS / 2 - 1)}`, line: 1 })),
  },
  {
    name: 'quotes that stand nowhere',
    files: { 'a.ts': WHOLE },
    check: 'not_found',
    places: all((n) => ({ quote: `nowhere at all ${n}`, line: n + 1 })),
  },
  {
    name: 'a file of short lines and blanks',
    files: { 'a.ts': blank },
    check: 'verified',
    places: all((n) => ({ quote: 'x\ny\nx\ny\nx', line: spread(n) * 3 + 1 })),
  },
  {
    name: 'a file of line ends',
    files: { 'a.ts': '\n'.repeat(FILE_CHARS * 2) },
    check: 'not_found',
    places: all((n) => ({ quote: 'words', line: n + 1 })),
  },
  {
    name: 'a file of other letters',
    files: { 'a.ts': '日本語\u3000'.repeat(FILE_CHARS / 8) },
    check: 'verified',
    places: all(() => ({ quote: '日本語 日本語', line: 1 })),
  },
  {
    name: 'many files',
    files: Object.fromEntries(Array.from({ length: FILES }, (_, n) => [`f${n}.ts`, WHOLE])),
    check: 'verified',
    places: all((n) => ({ file: `f${n % FILES}.ts`, quote: lineOf(spread(n)), line: spread(n) + 1 })),
  },
];

describe.each(SHAPES)(
  `given ${COUNT} quotes of files of ${FILE_CHARS} characters: $name`,
  ({ files, places, check }) => {
    it('when they are looked up, then no piece takes 50 ms, and together they take less than 150 MB', {
      timeout: 600_000,
    }, async () => {
      const repo = await tempFolder();
      for (const [name, text] of Object.entries(files)) await writeFile(join(repo, name), text);
      let checks: readonly unknown[] = [];
      const look = async (): Promise<void> => {
        checks = await quotesOf(repo)([null, ...places, null]);
      };
      const cost = await leastCost(() => costOf(look));
      expect(checks).toMatchObject(
        [null, ...places.map(() => ({ check })), null].map((each) => each && expect.objectContaining(each)),
      );
      expect(cost).toSatisfy(isLittle);
    });
  },
);

describe('given places of which some cannot be read', () => {
  it('when they are looked up, then each check stands at its place', async () => {
    const repo = await tempFolder();
    await writeFile(join(repo, 'a.ts'), 'first words\n\nsecond words\n');
    await writeFile(join(repo, '.env'), 'first words\n');
    const place = (file: string, quote: string, line: number) => ({ file, quote, line });
    const places = [
      place('a.ts', 'second words', 3),
      null,
      place('.env', 'first words', 1),
      place('none.ts', 'first words', 1),
      place('a.ts', 'first words', 90),
    ];
    const unread = { check: 'unread', at: null };
    expect(await quotesOf(repo)(places)).toEqual([
      { check: 'verified', at: 3 },
      null,
      unread,
      unread,
      { check: 'moved', at: 1 },
    ]);
    expect(await quotesOf(null)(places)).toEqual([unread, null, unread, unread, unread]);
  });
});
