import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'fast-string-width';
import { describe, expect, it } from 'vitest';
import { wrapText } from '../../src/cli/wrap';
import { eightAgents } from '../support/eight-agents';
import { fakeHost, openedOn } from '../support/panel-host';
import { runs } from '../support/runs';
import { runCli } from './run-cli';

const NOW = Date.UTC(2026, 0, 15, 14, 18);
const WIDTHS = [60, 100] as const;
const wordsOf = (text: string): string[] => stripVTControlCharacters(text).split(/\s+/).filter(Boolean);

/** Lines that are wider than the terminal though they could have been broken. */
const tooWide = (text: string, columns: number): string[] =>
  text.split('\n').filter((line) => stringWidth(line) > columns && wordsOf(line).length > 1);

describe('given lines that are longer than the terminal is wide', () => {
  it('when prose is wrapped, then its lines begin at the edge', () => {
    expect(wrapText('Understudy keeps OpenCode working when its model cannot.', 30)).toBe(
      'Understudy keeps OpenCode\nworking when its model cannot.',
    );
  });

  it.each([
    ['a mark', '✓ The companion is there, and it is connected.', '✓ The companion is there, and\n  it is connected.'],
    ['what to do', '    Do: write one: understudy chains', '    Do: write one: understudy\n        chains'],
    [
      'a first cell',
      '  build  gpt-5  2 of 3  rate limited until 14:32',
      '  build  gpt-5  2 of 3  rate\n         limited until 14:32',
    ],
    ['a wide first cell', '  anthropic/claude-opus-4-1  cooling', '  anthropic/claude-opus-4-1\n    cooling'],
    [
      'colours',
      '\u001b[32m✓\u001b[39m The companion is there, and is well.',
      '\u001b[32m✓\u001b[39m The companion is there, and\n  is well.',
    ],
    ['an entry', '  plan is stuck until about 14:32: it waits', '  plan is stuck until about\n    14:32: it waits'],
  ])('when a line begins with %s, then what continues it stands below its text', (_, line, wrapped) => {
    expect(wrapText(line, 30)).toBe(wrapped);
  });

  it('when letters take two columns each, then they count as two', () => {
    expect(
      wrapText('模型 模型 模型 模型 模型 模型 模型 模型', 30)
        .split('\n')
        .map((line) => stringWidth(line)),
    ).toEqual([29, 9]);
  });

  it('when nobody reads along, or the terminal is too narrow for words, then the text is as it was', () => {
    const text = `${'word '.repeat(40)}end`;
    expect([wrapText(text, null), wrapText(text, 20)]).toEqual([text, text]);
  });

  it('when any text is wrapped, then no word is cut, added or lost, and no line is too wide that has two', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^ {0,6}(?:[✓✗!] )?[\w/:.模é]{1,10}(?: {1,3}[\w/:.模é]{1,10}){0,20}$/u), {
          maxLength: 6,
        }),
        fc.integer({ min: 30, max: 120 }),
        (lines, columns) => {
          const wrapped = wrapText(lines.join('\n'), columns);
          expect(wordsOf(wrapped)).toEqual(wordsOf(lines.join('\n')));
          expect(tooWide(wrapped, columns)).toEqual([]);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});

describe.each(WIDTHS)('given a terminal of %i columns', (columns) => {
  const said = async (args: readonly string[]): Promise<string> => {
    const lines: string[] = [];
    const note = (text: string) => void lines.push(text);
    const host = fakeHost(eightAgents(NOW, 'trouble'));
    await runCli(args, { columns, print: note, printError: note, attachCore: async () => openedOn(host) });
    return lines.join('\n');
  };

  it.each(['--help', 'status --help', 'chains set --help', 'status', 'doctor', 'chains', 'changes', 'drill'])(
    'when "%s" is asked for, then no line is too wide that has two words',
    async (line) => {
      const text = await said(line.split(' '));
      expect(text).not.toBe('');
      expect(tooWide(text, columns)).toEqual([]);
    },
  );

  it('when the status is piped, then each row is one line', async () => {
    const lines: string[] = [];
    const host = fakeHost(eightAgents(NOW, 'trouble'));
    await runCli(['status'], { print: (text) => lines.push(text), attachCore: async () => openedOn(host) });
    const whole = lines.join('\n');
    expect(whole).toContain('waits for a retry');
    expect(wordsOf(await said(['status']))).toEqual(wordsOf(whole));
    expect(tooWide(whole, 60).length).toBeGreaterThan(0);
  });
});
