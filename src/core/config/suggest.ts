/** More edits make it a different word, not a typing error. */
const MAX_DISTANCE = 2;

export function nearest(word: string, candidates: readonly string[]): string | null {
  const plain = simplify(word);
  let best: string | null = null;
  let bestDistance = Math.min(MAX_DISTANCE, Math.floor(plain.length / 2)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(plain, simplify(candidate), bestDistance);
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

function simplify(word: string): string {
  return word.toLowerCase().replaceAll(/[_-]/g, '');
}

function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) >= limit) return limit;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        (last[column] ?? limit) + 1,
        (current[column - 1] ?? limit) + 1,
        (last[column - 1] ?? limit) + (isSame ? 0 : 1),
        isSwap ? (before[column - 2] ?? limit) + 1 : limit,
      );
    }
    before = last;
    last = current;
  }
  return last[other.length] ?? limit;
}
