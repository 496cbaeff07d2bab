import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Checked, readCalls } from '../../src/features/council/rules/said/calls';
import { ended, quoteIn } from '../support/quote-in';
import { runSeed, runs } from '../support/runs';

/** The rule as it reads: each line of a text is tried by itself. */
function plainly(text: string, { quote, line }: Readonly<{ quote: string; line: number }>): Checked {
  const folded = (each: string): string => each.replace(/\s+/g, ' ').trim();
  const wanted = quote
    .split('\n')
    .map(folded)
    .filter((each) => each !== '');
  if (wanted.join('').replaceAll(' ', '').length < 5) return { check: 'not_found', at: null };
  const lines = text.split(/\r?\n/).map(folded);
  const fits = (from: number): boolean => {
    let at = from;
    return wanted.every((want, nth) => {
      while (nth > 0 && lines[at] === '') at++;
      const own = lines[at++] ?? '';
      const [isFirst, isLast] = [nth === 0, nth === wanted.length - 1];
      if (isFirst && isLast) return own.includes(want);
      if (isFirst) return own.endsWith(want);
      return isLast ? own.startsWith(want) : own === want;
    });
  };
  const places = lines.flatMap((_, at) => (fits(at) ? [at + 1] : []));
  const [nearest] = places.toSorted((one, other) => Math.abs(one - line) - Math.abs(other - line) || one - other);
  if (nearest === undefined) return { check: 'not_found', at: null };
  return { check: Math.abs(nearest - line) <= 3 ? 'verified' : 'moved', at: nearest };
}

describe('given any text and any quote', () => {
  const piece = fc.constantFrom('a', 'b', 'ab', 'aab', 'é', '😀', ' ', '  ', '\t', '\u00a0', '\u2028', '\ufeff', '\r');
  const text = fc
    .array(fc.oneof({ weight: 3, arbitrary: piece }, fc.constantFrom('\n', '\r\n', '\n\n')), {
      minLength: 8,
      maxLength: 60,
    })
    .map((parts) => parts.join(''));

  it('when it is looked up, then the answer is what trying each line gives', () => {
    let found = 0;
    const place = fc.tuple(text, text, fc.nat(10), fc.integer({ min: 6, max: 30 }), fc.integer({ min: 1, max: 40 }));
    fc.assert(
      fc.property(place, ([whole, other, from, length, line]) => {
        const own = whole.slice(from, from + length);
        for (const quote of [other, own, own.replaceAll('\n', '\r\n'), `${own}\n\n`]) {
          const expected = plainly(whole, { quote, line });
          if (expected.at !== null) found++;
          expect(quoteIn(whole, { quote, line })).toEqual(expected);
        }
      }),
      { numRuns: runs(50_000), seed: runSeed },
    );
    expect(found).toBeGreaterThan(runs(50_000));
  });
});

const fenced = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;
const findings = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ severity: 'major', title: `T${n}`, file: 'a.ts', line: 1, quote: 'words here', evidence: 'e' },
  }));
const POST = { tool: 'PostFindings' } as const;
const TOO_MANY = 'Of an answer 100 calls, findings and ideas are read; 1900 were left out.';

describe('given an answer with more than anybody writes', () => {
  it.each([
    ['in one call', fenced({ ...POST, findings: findings(2_000) })],
    ['in 20 calls', fenced(Array.from({ length: 20 }, () => ({ ...POST, findings: findings(100) })))],
    ['in 2,000 calls', fenced(findings(2_000).map((each) => ({ ...POST, findings: [each] })))],
    [
      'in 40 blocks',
      Array.from({ length: 40 }, () => fenced({ ...POST, input: { findings: findings(50) } })).join('\n'),
    ],
    [
      'in 2,000 lines',
      `\`\`\`json\n${findings(2_000)
        .map((each) => JSON.stringify({ ...POST, findings: [each] }))
        .join('\n')}\n\`\`\``,
    ],
  ])('when it posts 2,000 findings %s, then the first 100 count, and 1,900 are counted', (_, answer) => {
    const { calls, problems, omitted } = ended(readCalls(answer, ['PostFindings']));
    const read = calls.flatMap((call) => (call.tool === 'PostFindings' ? call.findings : []));
    expect([read.length, omitted, problems.includes(TOO_MANY)]).toEqual([100, 1_900, true]);
  });

  it.each([
    ['characters', `${fenced({ ...POST, findings: findings(1) })}${' '.repeat(2_097_152)}`, 1],
    ['blocks', Array.from({ length: 1_001 }, () => fenced({ tool: 'CompleteStage', summary: 'S' })).join('\n'), 100],
  ])('when it has too many %s, then that is reported, and its beginning counts', (_, answer, read) => {
    const { calls, problems } = ended(readCalls(answer, ['PostFindings', 'CompleteStage']));
    const text = 'Only 2097152 characters and 1000 blocks of an answer are read.';
    expect([calls.length, problems.includes(text)]).toEqual([read, true]);
  });

  it('when it posts 100 findings, then nothing is left out', () => {
    const { problems, omitted } = ended(readCalls(fenced({ ...POST, findings: findings(100) }), ['PostFindings']));
    expect([problems, omitted]).toEqual([[], undefined]);
  });
});
