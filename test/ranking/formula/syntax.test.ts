import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFault, readTree, respelled } from '../../../src/features/ranking/rules/formula/syntax';
import { resultOf } from '../../../src/features/ranking/rules/formula/tree';
import { runs } from '../../support/runs';

type Sample = Readonly<{ text: string; value: number }>;

const NUMBERS = { gpqa: 0.8, math_index: 90, swe_bench_pro: 43 };
const LEAVES: readonly Sample[] = [
  { text: 'gpqa', value: 0.8 },
  { text: 'math_index', value: 90 },
  { text: 'SWE-bench Pro', value: 43 },
  { text: 'MAX_INDEX_SCORE', value: 100 },
  { text: '.45', value: 0.45 },
  { text: '1e-3', value: 0.001 },
  { text: '2.', value: 2 },
];

/** Operands with operators between them, worked out from the left. */
const chain = (operand: fc.Arbitrary<Sample>, operators: readonly [string, string]): fc.Arbitrary<Sample> =>
  fc.tuple(operand, fc.array(fc.tuple(fc.constantFrom(...operators), operand), { maxLength: 3 })).map(([first, more]) =>
    more.reduce((left, [operator, { text, value }]) => {
      const results: Record<string, number> = {
        '+': left.value + value,
        '-': left.value - value,
        '*': left.value * value,
        '/': left.value / value,
      };
      return { text: `${left.text} ${operator} ${text}`, value: results[operator] ?? Number.NaN };
    }, first),
  );

const { sum } = fc.letrec<Record<'sum' | 'product' | 'operand', Sample>>((tie) => ({
  sum: chain(tie('product'), ['+', '-']),
  product: chain(tie('operand'), ['*', '/']),
  operand: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...LEAVES),
    tie('sum').map(({ text, value }) => ({ text: `(${text})`, value })),
    tie('operand').map(({ text, value }) => ({ text: `-${text}`, value: 0 - value })),
  ),
}));

describe('given any formula of numbers, names, operators and brackets', () => {
  it('when it is read, then it comes to what its operators come to, products first and from the left', () => {
    fc.assert(
      fc.property(sum, ({ text, value }) => {
        fc.pre(text.length <= 2000);
        const tree = readTree(text);
        if (isFault(tree)) {
          // Only a division by what is zero without any benchmark is refused.
          expect(tree.reason).toBe('This divides by zero.');
          return;
        }
        const result = resultOf(tree, NUMBERS);
        expect(result === value || (Number.isNaN(result) && Number.isNaN(value))).toBe(true);
        expect(readTree(respelled(text))).toEqual(tree);
      }),
      { numRuns: runs(2000, 200) },
    );
  });
});
