import type { BenchmarkId } from '../base/benchmarks';

export type Part = Readonly<{ isInverse: boolean; tree: Tree }>;

export type Tree =
  | Readonly<{ kind: 'number'; value: number }>
  | Readonly<{ kind: 'benchmark'; benchmark: BenchmarkId }>
  | Readonly<{ kind: 'sum' | 'product'; parts: readonly Part[] }>;

/**
 * @param numbers in each benchmark's own unit.
 * @returns NaN if a number is missing; not finite if it divides by zero or overflows.
 */
export function resultOf(tree: Tree, numbers: Readonly<Partial<Record<BenchmarkId, number>>>): number {
  switch (tree.kind) {
    case 'number':
      return tree.value;
    case 'benchmark':
      return numbers[tree.benchmark] ?? Number.NaN;
    case 'sum':
      return tree.parts.reduce((sum, { isInverse, tree: part }) => {
        const value = resultOf(part, numbers);
        return isInverse ? sum - value : sum + value;
      }, 0);
    case 'product':
      return tree.parts.reduce((product, { isInverse, tree: part }) => {
        const value = resultOf(part, numbers);
        return isInverse ? product / value : product * value;
      }, 1);
  }
}

export function benchmarksIn(tree: Tree): ReadonlySet<BenchmarkId> {
  if (tree.kind === 'number') return new Set();
  if (tree.kind === 'benchmark') return new Set([tree.benchmark]);
  return new Set(tree.parts.flatMap((part) => [...benchmarksIn(part.tree)]));
}
