import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BENCHMARK_IDS } from '../../../src/features/ranking/rules/base/benchmarks';
import {
  ASKED_MAX,
  type Missing,
  readResearchAnswer,
  researchAddresses,
  researchPrompt,
} from '../../../src/features/ranking/rules/sources/research';
import { runs } from '../../support/runs';

const asked: readonly Missing[] = [
  { model: 'a/one', benchmark: 'gpqa' },
  { model: 'a/one', benchmark: 'swe_bench_verified' },
  { model: 'a/one', benchmark: 'gdpval_aa_elo' },
  { model: 'a/one', benchmark: 'context_length' },
  { model: 'b/two', benchmark: 'hle' },
];

const finding = {
  model: 'a/one',
  benchmark: 'swe_bench_verified',
  value: 71.4,
  unit: 'percent',
  address: 'https://www.swebench.com/',
  quote: 'One resolves 71.4 % of SWE-bench Verified',
};

const answer = (...findings: readonly unknown[]): string =>
  `I have found this.\n\`\`\`json\n${JSON.stringify({ findings }, null, 2)}\n\`\`\`\n`;

/** Why the one finding of an answer is left out; null where it is taken. */
function objection(more: object): string | null {
  const read = readResearchAnswer(answer({ ...finding, ...more }), asked);
  if (!read.ok) throw new Error(read.reason);
  expect(read.findings.length + read.leftOut.length).toBe(1);
  return read.leftOut[0]?.reason ?? null;
}

describe('given what is missing', () => {
  it('when pages for it are asked for, then each comes once, by benchmark, and over https', () => {
    const pages = researchAddresses([...asked, ...asked]);
    expect(pages.map(({ benchmark, address }) => [benchmark, new URL(address).hostname])).toEqual([
      ['gpqa', 'artificialanalysis.ai'],
      ['gdpval_aa_elo', 'artificialanalysis.ai'],
      ['hle', 'agi.safe.ai'],
      ['hle', 'artificialanalysis.ai'],
      ['swe_bench_verified', 'www.swebench.com'],
    ]);
  });

  it('when all benchmarks are missing, then all but the context window have a page', () => {
    const pages = researchAddresses(BENCHMARK_IDS.map((benchmark) => ({ model: 'a/one', benchmark })));
    expect(new Set(pages.map(({ benchmark }) => benchmark))).toEqual(
      new Set(BENCHMARK_IDS.filter((benchmark) => benchmark !== 'context_length')),
    );
    expect(pages.every(({ address }) => address.startsWith('https://'))).toBe(true);
  });

  it('when a session is asked, then it is told what is missing, where to look, and the form, and no more than 40 of it', () => {
    const many = Array.from({ length: 50 }, (_, at) => ({ model: `a/${at}"\n`, benchmark: 'hle' }) as const);
    const prompt = researchPrompt(many);
    expect(prompt).toContain('- hle: Humanity’s Last Exam, by its makers: https://agi.safe.ai/');
    expect(prompt).toContain('{"findings":[{"model":"…","benchmark":"…","value":0,"unit":"…"');
    expect([...prompt.matchAll(/"model": "a\/\d+\\"\\n"/g)]).toHaveLength(ASKED_MAX);
  });
});

describe('given an answer with one JSON block', () => {
  it('when a finding has all that it needs, then it is taken as it is', () => {
    expect(readResearchAnswer(answer(finding), asked)).toEqual({ ok: true, findings: [finding], leftOut: [] });
  });

  it('when there are several blocks, then the last one counts', () => {
    expect(readResearchAnswer(answer({}) + answer(finding), asked)).toMatchObject({ findings: [finding], leftOut: [] });
  });

  it('when one of three is not as it must be, then the other two are taken, and it is said which and why', () => {
    const other = { ...finding, benchmark: 'gpqa', value: 0.82, unit: 'fraction', quote: '0.82 on GPQA Diamond' };
    expect(readResearchAnswer(answer(finding, { ...finding, quote: '' }, other), asked)).toEqual({
      ok: true,
      findings: [finding, other],
      leftOut: [{ at: 1, reason: 'quote is missing or invalid.' }],
    });
  });

  it.each<readonly [string, object, string]>([
    ['no value', { value: undefined }, 'value is missing'],
    ['its value as text', { value: '71.4' }, 'value is missing'],
    ['a value below 0', { value: -71.4 }, 'value is missing'],
    ['no address', { address: undefined }, 'address is missing'],
    ['an http address', { address: 'http://www.swebench.com/' }, 'address is missing'],
    ['an address of this machine', { address: 'https://localhost/' }, 'address is missing'],
    ['an address in numbers', { address: 'https://127.0.0.1/' }, 'address is missing'],
    ['a script as address', { address: 'javascript:alert(1)' }, 'address is missing'],
    ['a login in its address', { address: 'https://me:secret@www.swebench.com/' }, 'contains a login'],
    ['no quote', { quote: undefined }, 'quote is missing'],
    ['white space as quote', { quote: ' \n' }, 'quote is missing'],
    ['a field more', { certainty: 1 }, 'A field is missing'],
    ['a benchmark nobody knows', { benchmark: 'swe_bench' }, 'benchmark is missing'],
    ['another model', { model: 'a/three' }, 'was not requested'],
    ['another benchmark of the model', { benchmark: 'hle' }, 'was not requested'],
    ['a unit the benchmark has not', { unit: 'elo' }, 'is not measured in elo'],
    ['more than 100 percent', { value: 171.4, quote: '171.4 %' }, 'is more than the maximum of percent'],
    ['a fraction above 1', { unit: 'fraction' }, 'is more than the maximum of fraction'],
    ['a quote with another number', { quote: 'One resolves 71.5 %' }, 'does not contain the number'],
    ['a quote without a number', { quote: 'One is the best' }, 'does not contain the number'],
    ['a quote with the number in a name', { value: 5, quote: 'gpt-5 is the best' }, 'does not contain the number'],
    [
      'a quote with the number in a longer one',
      { value: 71, quote: 'One resolves 71.4' },
      'does not contain the number',
    ],
    [
      'a quote with the number in one that goes on',
      { value: 71, quote: '71.4K tokens' },
      'does not contain the number',
    ],
    ['the version of a model', { value: 3.1, quote: 'Example 3.1 resolves 71.4 %' }, 'contains other percentages'],
    [
      'a fraction that the quote has in percent',
      { value: 0.9, unit: 'fraction', quote: '0.9% of it' },
      'in percent, not',
    ],
  ])('when it has %s, then it is left out', (_, more, words) => {
    expect(objection(more)).toContain(words);
  });

  it.each<readonly [string, object]>([
    ['71.4', { quote: '| One | 71.4 | 65.0 |' }],
    ['71.4%', { quote: '71.4% (high)' }],
    ['71,4 %', { quote: 'löst 71,4 % davon' }],
    ['71.40', { quote: 'One: 71.40' }],
    ['0.714', { value: 0.714, unit: 'fraction', quote: 'pass@1 of 0.714' }],
    ['1,320', { benchmark: 'gdpval_aa_elo', value: 1_320, unit: 'elo', quote: 'an Elo of 1,320' }],
    ['1.320', { benchmark: 'gdpval_aa_elo', value: 1_320, unit: 'elo', quote: 'Elo 1.320' }],
    ['1 320.5', { benchmark: 'gdpval_aa_elo', value: 1_320.5, unit: 'elo', quote: 'Elo 1 320.5' }],
    ['2100', { benchmark: 'gdpval_aa_elo', value: 2_100, unit: 'elo', quote: 'Elo 2100' }],
    ['1’000’000', { benchmark: 'context_length', value: 1e6, unit: 'tokens', quote: '1’000’000 tokens' }],
  ])('when the quote has the number as %s, then it is taken', (_, more) => {
    expect(objection(more)).toBeNull();
  });
});

describe('given another answer', () => {
  it.each([
    ['has no block', 'I have found nothing.', 'has no JSON block'],
    ['has a block that is no JSON', '```json\n{"findings":[\n```', 'does not have the requested format'],
    ['has a list instead', '```json\n[]\n```', 'does not have the requested format'],
    ['has a field more', '```json\n{"findings":[],"note":""}\n```', 'does not have the requested format'],
    ['has 201 findings', answer(...Array(201).fill(finding)), 'does not have the requested format'],
    ['is longer than 500,000 characters', `${' '.repeat(500_000)}${answer(finding)}`, 'too long'],
  ])('when it %s, then nothing is taken', (_, text, words) => {
    expect(readResearchAnswer(text, asked)).toEqual({ ok: false, reason: expect.stringContaining(words) });
  });

  it('when it says nothing was found, then nothing is, and that is no error', () => {
    expect(readResearchAnswer(answer(), asked)).toEqual({ ok: true, findings: [], leftOut: [] });
  });

  it('when it is any list of anything, then what is taken was asked for, and the rest is counted', () => {
    const any = fc.oneof(
      fc.jsonValue(),
      fc.record({
        model: fc.constantFrom('a/one', 'b/two', 'c/three'),
        benchmark: fc.constantFrom(...BENCHMARK_IDS),
        value: fc.constantFrom(0.714, 71.4, 1_320),
        unit: fc.constantFrom('fraction', 'percent', 'elo'),
        address: fc.constantFrom('https://a.test/', 'https://example.com/x'),
        quote: fc.constantFrom('0.714', '71.4 %', '1,320', 'nothing'),
      }),
    );
    const pairs = asked.map(({ model, benchmark }) => `${model} ${benchmark}`);
    fc.assert(
      fc.property(fc.array(any, { maxLength: 10 }), (items) => {
        const read = readResearchAnswer(answer(...items), asked);
        if (!read.ok) return;
        expect(read.findings.length + read.leftOut.length).toBe(items.length);
        for (const { model, benchmark } of read.findings) expect(pairs).toContain(`${model} ${benchmark}`);
      }),
      { numRuns: runs(500) },
    );
  });
});
