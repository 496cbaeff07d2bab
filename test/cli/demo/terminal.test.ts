import { describe, expect, it } from 'vitest';
import { storyLine } from '../../../src/demo/narration';
import { formatLine, formatTitle, wantsColor } from '../../../src/demo/terminal';

const grey = { isColored: false, columns: 40 };

describe('given a line of the story', () => {
  it('when the terminal is narrow, then its text is wrapped beside the label', () => {
    expect(formatLine(storyLine('failed', 'one two three four five six seven', 'bad'), grey).split('\n')).toEqual([
      '  failed      one two three four five',
      '              six seven',
    ]);
  });

  it('when a word is longer than a line, then it stays whole', () => {
    const url = `http://127.0.0.1:4700/?t=${'x'.repeat(43)}`;
    expect(formatLine(storyLine('panel', `at ${url}`), grey)).toBe(`  panel       at\n${' '.repeat(14)}${url}`);
  });

  it('when the terminal is wide, then lines still end where eyes like them to', () => {
    const lines = formatLine(storyLine('answered', 'word '.repeat(80).trim()), { ...grey, columns: 300 }).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(110);
  });

  it('when it holds escape sequences, then they do not reach the terminal', () => {
    expect(formatLine(storyLine('failed', 'a\u001b[2Jb\r\nc'), grey)).toBe('  failed      a [2Jb c');
  });

  it('when colours are wanted, then the label carries the tone, and a quiet line is quiet as a whole', () => {
    const style = { isColored: true, columns: 80 };
    expect([
      formatLine(storyLine('failed', 'x', 'bad'), style),
      formatLine(storyLine('answered', 'x', 'good'), style),
      formatLine(storyLine('chain', 'x'), style),
      formatLine(storyLine('transcript', 'x', 'quiet'), style),
      formatTitle('Title', style),
    ]).toEqual([
      '  \u001b[31mfailed\u001b[0m      x',
      '  \u001b[32manswered\u001b[0m    x',
      '  chain       x',
      '  \u001b[2mtranscript\u001b[0m  \u001b[2mx\u001b[0m',
      '\u001b[1mTitle\u001b[0m',
    ]);
  });
});

describe('given a stream', () => {
  it.each([
    [true, {}, true],
    [true, { NO_COLOR: '' }, true],
    [true, { NO_COLOR: '1' }, false],
    [true, { TERM: 'dumb' }, false],
    [false, {}, false],
  ])('when it is a terminal: %s, with %j, then colours are wanted: %s', (isTTY, env, isWanted) => {
    expect(wantsColor({ isTTY }, env)).toBe(isWanted);
  });
});
