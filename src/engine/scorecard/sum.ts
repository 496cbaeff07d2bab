import { type Cell, COUNTER_COUNT, emptyCell } from './cell';
import { BIN_COUNT } from './histogram';
import { type Figures, figuresOf } from './row';
import type { Tally } from './tally';

/** Avoids a new cell for each addition. */
export type FiguresSum = Readonly<{
  add(cell: Cell): void;
  /** Without switches. */
  cell(): Cell;
  figures(): Figures;
}>;

export function createFiguresSum(): FiguresSum {
  const sums = new Float64Array(COUNTER_COUNT);
  const answers = new Float64Array(BIN_COUNT);
  const firstTokens = new Float64Array(BIN_COUNT);
  const waits = new Float64Array(BIN_COUNT);
  const cell = (): Cell => ({
    ...emptyCell,
    sums: tallyOf(sums),
    answers: tallyOf(answers),
    firstTokens: tallyOf(firstTokens),
    waits: tallyOf(waits),
  });
  return {
    add(cell) {
      addTo(sums, cell.sums);
      addTo(answers, cell.answers);
      addTo(firstTokens, cell.firstTokens);
      addTo(waits, cell.waits);
    },
    cell,
    figures: () => figuresOf(cell()),
  };
}

function addTo(counts: Float64Array, tally: Tally): void {
  for (let at = 0; at < tally.length; at += 2) {
    const key = tally[at] ?? 0;
    counts[key] = (counts[key] ?? 0) + (tally[at + 1] ?? 0);
  }
}

export function tallyOf(counts: Float64Array): Tally {
  const tally: number[] = [];
  for (const [key, count] of counts.entries()) if (count !== 0) tally.push(key, count);
  return tally;
}
