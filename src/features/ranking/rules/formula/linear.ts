import { type BenchmarkId, maximumOf } from '../base/benchmarks';
import type { Tree } from './tree';

/** `constant + Σ slope · normalized value`. */
export type Linear = Readonly<{ constant: number; slopes: ReadonlyMap<BenchmarkId, number> }>;

/** Returns null if one benchmark multiplies or divides another. */
export function linearOf(tree: Tree): Linear | null {
  if (tree.kind === 'number') return constant(tree.value);
  if (tree.kind === 'benchmark') return { constant: 0, slopes: new Map([[tree.benchmark, maximumOf(tree.benchmark)]]) };
  const combine = tree.kind === 'sum' ? sumOf : productOf;
  return tree.parts.reduce<Linear | null>(
    (before, part) => {
      const linear = linearOf(part.tree);
      return before === null || linear === null ? null : combine(before, linear, part.isInverse);
    },
    constant(tree.kind === 'sum' ? 0 : 1),
  );
}

const constant = (value: number): Linear => ({ constant: value, slopes: new Map() });

function sumOf(one: Linear, other: Linear, isInverse: boolean): Linear {
  const added = times(other, isInverse ? -1 : 1);
  const slopes = new Map(one.slopes);
  for (const [benchmark, slope] of added.slopes) slopes.set(benchmark, (slopes.get(benchmark) ?? 0) + slope);
  return { constant: one.constant + added.constant, slopes };
}

function productOf(one: Linear, other: Linear, isInverse: boolean): Linear | null {
  if (other.slopes.size === 0) return times(one, isInverse ? 1 / other.constant : other.constant);
  return one.slopes.size === 0 && !isInverse ? times(other, one.constant) : null;
}

const times = (linear: Linear, factor: number): Linear => ({
  constant: linear.constant * factor,
  slopes: new Map([...linear.slopes].map(([benchmark, slope]) => [benchmark, slope * factor])),
});
