import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/features/council/rules/said/calls';
import { cleanText } from '../../src/features/council/rules/said/clean';
import { ended, quoteIn } from '../support/quote-in';

const finding = (more: object = {}) => ({
  ...{ severity: 'major', title: 'T', file: 'a.md', line: 1, quote: 'words here', evidence: 'e' },
  ...more,
});
const block = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;

describe('what a participant does', () => {
  it('is read from fenced blocks, among talk', () => {
    const said = ended(readCalls(`Well.\n${block({ tool: 'CompleteStage', summary: 'S' })}\nBye.`, ['CompleteStage']));
    expect(said).toEqual({ calls: [{ tool: 'CompleteStage', summary: 'S' }], problems: [] });
  });

  it('may quote a fence', () => {
    const text = block({ tool: 'PostFindings', findings: [finding({ quote: 'a ```js fence``` in it' })] });
    expect(ended(readCalls(text, ['PostFindings'])).calls).toMatchObject([
      { findings: [{ quote: 'a ```js fence``` in it' }] },
    ]);
  });

  it('keeps the findings that are right beside one that is not, and tells of that', () => {
    const findings = [
      finding(),
      finding({ file: '../etc/passwd' }),
      finding({ severity: 'fatal' }),
      { confirms: 'x', why: 'w' },
    ];
    const said = ended(readCalls(block({ tool: 'PostFindings', findings }), ['PostFindings']));
    expect(said.calls).toMatchObject([{ findings: [{ title: 'T' }] }]);
    expect(said.problems).toHaveLength(3);
    expect(said.problems[0]).toBe('PostFindings: finding 2: file: expected a path inside the repository');
  });

  it('is told what there is now where a tool is none, or not for now', () => {
    expect(ended(readCalls(block({ tool: 'Edit' }), ['CompleteStage'])).problems).toEqual([
      '"Edit" is no tool. Now there are CompleteStage.',
    ]);
    expect(
      ended(readCalls(block({ tool: 'DismissHero', hero: 'bard', because: 'b' }), ['CompleteStage'])).problems,
    ).toEqual(['DismissHero is not for now. Now there are CompleteStage.']);
  });
});

describe('a quote', () => {
  const text = 'one\n\n  two  words\nthree\nfour words\n';

  it.each([
    ['at its line', 'two words', 3, { check: 'verified', at: 3 }],
    ['within three lines', 'two words', 6, { check: 'verified', at: 3 }],
    ['elsewhere', 'two words', 30, { check: 'moved', at: 3 }],
    ['nowhere', 'five words', 3, { check: 'not_found', at: null }],
    ['over several lines', 'words\nthree\nfour', 3, { check: 'verified', at: 3 }],
    ['in another order', 'three\ntwo words', 3, { check: 'not_found', at: null }],
    ['too short to show anything', '}', 3, { check: 'not_found', at: null }],
  ])('%s', (_, quote, line, expected) => {
    expect(quoteIn(text, { quote, line })).toEqual(expected);
  });
});

describe('what is kept of it', () => {
  it('keeps lines and what they are indented by, and no key', () => {
    const key = `sk-${'a1b2c3d4'.repeat(5)}`;
    expect(cleanText(`a\n  const key = "${key}";\n\tb`)).toBe('a\n  const key = "[key]";\n\tb');
    const long = `${'word '.repeat(400)}${key}`;
    expect(cleanText(long)).not.toContain(key);
    expect(cleanText(long).length).toBeGreaterThan(1_900);
  });
});

describe('an answer that holds other blocks', () => {
  it('is read past them', () => {
    const text = `Look:\n\`\`\`ts\nconst a = 1;\n\`\`\`\nHere is what I found:\n${block({ tool: 'CompleteStage', summary: 'S' })}`;
    expect(ended(readCalls(text, ['CompleteStage']))).toEqual({
      calls: [{ tool: 'CompleteStage', summary: 'S' }],
      problems: [],
    });
  });

  it('is read to its end, however many fences it opens', () => {
    const text = '```json\n'.repeat(50_000);
    for (const answer of [text, '`'.repeat(400_000)])
      expect(ended(readCalls(answer, ['CompleteStage']))).toEqual({ calls: [], problems: [] });
  });

  it('is never thrown by, whatever a call is', () => {
    const values = [
      { tool: { toString: 1 } },
      { tool: null },
      [],
      1,
      { tool: 'PostFindings', findings: [null, 1, {}] },
    ];
    for (const value of values) expect(() => ended(readCalls(block(value), ['PostFindings']))).not.toThrow();
  });
});
