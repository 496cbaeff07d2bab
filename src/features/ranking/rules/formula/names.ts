import { BENCHMARK_IDS, type BenchmarkId, CONSTANTS, type ConstantName, isBenchmark } from '../base/benchmarks';

const MAX_SLIPS = 2;
const MAX_SHOWN_CHARS = 40;

const NAMES = [...BENCHMARK_IDS, ...(Object.keys(CONSTANTS) as ConstantName[])];

/** Published files also write `GDPval-AA ELO`, `SWE_bench_Pro` or `SWE-bench Verified`. */
const folded = (word: string): string => word.toLowerCase().replaceAll(/[ -]/g, '_');

const BY_FOLDED: ReadonlyMap<string, BenchmarkId | ConstantName> = new Map(NAMES.map((name) => [folded(name), name]));

export const NAME_PATTERN = NAMES.map((name) => name.replaceAll('_', '[_ -]')).join('|');

export const nameOf = (word: string): BenchmarkId | ConstantName | null => BY_FOLDED.get(folded(word)) ?? null;

export function benchmarkNamed(word: string): BenchmarkId | null {
  const name = nameOf(word);
  return name !== null && isBenchmark(name) ? name : null;
}

export function nearestName(word: string): string | null {
  const plain = folded(word);
  let most = Math.min(MAX_SLIPS, Math.floor(plain.length / 2));
  let nearest: string | null = null;
  for (const [name, spelled] of BY_FOLDED) {
    if (Math.abs(name.length - plain.length) > most) continue;
    const slips = slipsBetween(plain, name);
    if (slips > most) continue;
    nearest = spelled;
    most = slips - 1;
  }
  return nearest;
}

export const shownName = (name: string): string =>
  name.length > MAX_SHOWN_CHARS ? `${name.slice(0, MAX_SHOWN_CHARS - 1)}…` : name;

function slipsBetween(one: string, other: string): number {
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (last[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    last = current;
  }
  return last[other.length] ?? 0;
}
