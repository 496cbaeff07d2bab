import { describe, expect, it } from 'vitest';
import type { ScorecardDocument } from '../../../src/contract/scorecard';
import { csvLine, csvLines } from '../../../src/core/scorecard/csv';
import { renderScorecard } from '../../../src/core/scorecard/render';
import { hiddenAgain, visible, visibleJson } from '../../../src/engine/tools';
import { exportCsv, exportValues } from '../../../src/features/ranking/rules/data/export';
import { readCsv } from '../../../src/features/ranking/rules/data/read-csv';
import { sampleScorecard } from '../../support/sample-scorecard';

/** Each is drawn as nothing, or turns the text behind it. */
const UNSEEN = [
  ...['\u00ad', '\u034f', '\u061c', '\u115f', '\u180e', '\u200b', '\u200c', '\u200d', '\u200e', '\u2028', '\u202e'],
  ...[
    '\u2060',
    '\u2066',
    '\u2800',
    '\u3164',
    '\ufe0f',
    '\ufeff',
    '\uffa0',
    '\u{e0041}',
    '\u{e0101}',
    '\u0000',
    '\u0085',
  ],
];
const inText = (text: string): string[] => UNSEEN.filter((one) => text.includes(one));
const NAME = `acme/${UNSEEN.map((one) => `a${one}`).join('')}`;

describe(`given a name with ${UNSEEN.length} invisible characters`, () => {
  it('when it is shown, then each stands there as its number, and it can be read back; emoji stay', () => {
    expect(inText(visible(NAME))).toEqual([]);
    expect(visible('a\u200bb')).toBe('a‹U+200B›b');
    expect(hiddenAgain(visible(NAME))).toBe(NAME);
    for (const text of ['line\n\tend\r\n', '👩‍💻 ❤️ 👍🏽', 'می\u200cخواهم', 'क्\u200dष', 'ünï', '日本語', 'עברית'])
      expect(visible(text)).toBe(text);
    expect(hiddenAgain('‹U+110000› ‹U+20› ‹U+10FFFF›')).toBe('‹U+110000› ‹U+20› \u{10ffff}');
  });

  it('when it is in a scorecard, then none is in any of 4 formats, and JSON says the same', () => {
    const text = JSON.stringify(sampleScorecard()).replaceAll('globex/steady', NAME.replaceAll('\u0000', ''));
    const document = JSON.parse(text) as ScorecardDocument;
    for (const format of ['md', 'html', 'svg', 'json'] as const)
      expect([format, inText(renderScorecard(document, format))]).toEqual([format, []]);
    expect(JSON.parse(renderScorecard(document, 'json'))).toEqual(document);
    expect(JSON.parse(visibleJson({ [NAME]: NAME }))).toEqual({ [NAME]: NAME });
  });

  it('when it is in a table of attempts or of values, then none is there, and values are read back as they are', () => {
    const attempt = {
      at: 0,
      session: NAME,
      turn: 't',
      agent: NAME,
      model: NAME,
      outcome: 'success',
      kind: null,
      status: null,
    };
    const lines = [
      ...csvLines([{ ...attempt, position: 0, purpose: 'turn', durationMs: null, firstTokenMs: null } as never]),
    ].join('');
    const value = { record: NAME, benchmark: 'gpqa', value: 0.5, unit: 'share', source: NAME, kind: 'published' };
    const values = [{ ...value, date: null, origin: 'import', note: NAME }] as never;
    expect([inText(lines), inText(exportCsv(values)), inText(exportValues(values))]).toEqual([[], [], []]);
    expect(JSON.parse(exportValues(values)).values[0].record).toBe(NAME);
    const read = readCsv(exportCsv(values));
    expect(read.ok && read.table.values.map(({ record }) => record)).toEqual([NAME]);
  });
});

describe('given a cell that a spreadsheet may run', () => {
  it.each(['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫', '⁺', '₌', '\t', '\r'])(
    'when it begins with %j, then a quote stands before it, in both tables, and the value is read back',
    (sign) => {
      const text = `${sign}cmd()`;
      expect(csvLine([text])).toMatch(/^"?'/);
      const value = { record: text, benchmark: 'gpqa', value: 0.5, unit: 'share', source: 's', kind: 'published' };
      const table = exportCsv([{ ...value, date: null, origin: 'import' }] as never);
      expect(table.split('\r\n')[1]).toMatch(/^"?'/);
      const read = readCsv(table);
      expect(read.ok && read.table.values[0]?.record).toBe(text);
    },
  );

  it('when it begins with a letter, a digit or an invisible character, then it stays or shows that', () => {
    expect(csvLine(['acme/one', '7', 3, null])).toBe('acme/one,7,3,\r\n');
    expect(csvLine(['\u200b=cmd()'])).toBe('‹U+200B›=cmd()\r\n');
  });
});
