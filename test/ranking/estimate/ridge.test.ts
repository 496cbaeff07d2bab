import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitRidge } from '../../../src/features/ranking/rules/estimate/ridge';
import { runs } from '../../support/runs';

type Table = Readonly<{ rows: readonly (readonly number[])[]; targets: readonly number[] }>;

const hundredths = (most: number) => fc.integer({ min: 0, max: most * 100 }).map((whole) => whole / 100);

/** Any table of 4 to 12 rows and 1 to 5 columns, none of them constant. */
const anyTable: fc.Arbitrary<Table> = fc
  .record({ count: fc.integer({ min: 4, max: 12 }), width: fc.integer({ min: 1, max: 5 }) })
  .chain(({ count, width }) =>
    fc.record({
      rows: fc.array(fc.array(hundredths(1), { minLength: width, maxLength: width }), {
        minLength: count,
        maxLength: count,
      }),
      targets: fc.array(hundredths(100), { minLength: count, maxLength: count }),
    }),
  )
  .filter(({ rows }) => rows[0]!.every((_, at) => new Set(rows.map((row) => row[at])).size > 1));

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * The same fit by other means: the whole system with its intercept, solved by Gauss with pivots, measured as `all` rows
 * are.
 */
function refitted({ rows, targets }: Table, all: Table['rows'], penalty: number, asked: readonly number[]): number {
  const measures = all[0]!.map((_, at) => {
    const column = all.map((row) => row[at]!);
    return { middle: mean(column), scale: Math.sqrt(mean(column.map((value) => (value - mean(column)) ** 2))) };
  });
  const measured = (row: readonly number[]) => [
    1,
    ...row.map((value, at) => (value - measures[at]!.middle) / measures[at]!.scale),
  ];
  const design = rows.map(measured);
  const size = measures.length + 1;
  const system = Array.from({ length: size }, (_, at) => [
    ...Array.from({ length: size }, (_unused, to) =>
      design.reduce((sum, row) => sum + row[at]! * row[to]!, at === to && at > 0 ? penalty : 0),
    ),
    design.reduce((sum, row, index) => sum + row[at]! * targets[index]!, 0),
  ]);
  for (let at = 0; at < size; at++) {
    const pivot = system.slice(at).reduce((best, row) => (Math.abs(row[at]!) > Math.abs(best[at]!) ? row : best));
    system.splice(system.indexOf(pivot), 1);
    system.splice(at, 0, pivot);
    for (const row of system) {
      if (row === pivot) continue;
      const share = row[at]! / pivot[at]!;
      for (let to = at; to <= size; to++) row[to]! -= share * pivot[to]!;
    }
  }
  return measured(asked).reduce((sum, value, at) => sum + (value * system[at]![size]!) / system[at]![at]!, 0);
}

describe('given any table', () => {
  it('when each row is left out in turn, then the errors are those of literal refitting', () => {
    fc.assert(
      fc.property(anyTable, fc.constantFrom(0.1, 1, 10), ({ rows, targets }, penalty) => {
        const { leftOutErrors } = fitRidge(rows, targets, penalty);
        for (const [at, row] of rows.entries()) {
          const others = { rows: rows.toSpliced(at, 1), targets: targets.toSpliced(at, 1) };
          expect(leftOutErrors[at]).toBeCloseTo(targets[at]! - refitted(others, rows, penalty, row), 6);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it('when a row is read that it was not fitted to, then its value is that of the whole system solved', () => {
    fc.assert(
      fc.property(anyTable, fc.array(hundredths(1), { minLength: 5, maxLength: 5 }), ({ rows, targets }, asked) => {
        const row = asked.slice(0, rows[0]!.length);
        expect(fitRidge(rows, targets, 1).read(row).value).toBeCloseTo(refitted({ rows, targets }, rows, 1, row), 6);
      }),
      { numRuns: runs(300) },
    );
  });

  it('when every target is moved by 10, then so is every value, and no error changes', () => {
    fc.assert(
      fc.property(anyTable, ({ rows, targets }) => {
        const [fit, moved] = [targets, targets.map((target) => target + 10)].map((to) => fitRidge(rows, to, 1));
        expect(moved!.read(rows[0]!).value - fit!.read(rows[0]!).value).toBeCloseTo(10, 9);
        for (const [at, error] of fit!.leftOutErrors.entries()) expect(moved!.leftOutErrors[at]).toBeCloseTo(error, 9);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('given a column three times', () => {
  const column = [0.1, 0.2, 0.4, 0.5, 0.7, 0.9];
  const targets = [12, 21, 39, 52, 70, 88];

  it('when it is fitted, then its values are those of the column alone to 2 points', () => {
    const once = fitRidge(
      column.map((value) => [value]),
      targets,
      1,
    );
    const thrice = fitRidge(
      column.map((value) => [value, value, value]),
      targets,
      1,
    );
    expect(Math.abs(thrice.read([0.6, 0.6, 0.6]).value - once.read([0.6]).value)).toBeLessThan(2);
  });

  it('when a row lies farther out, then its leverage is larger', () => {
    const { read } = fitRidge(
      column.map((value) => [value, value, value]),
      targets,
      1,
    );
    const [middle, edge, beyond] = [mean(column), 0.9, 2].map((at) => read([at, at, at]).leverage);
    expect(middle).toBeCloseTo(1 / 6, 12);
    expect(edge).toBeGreaterThan(middle!);
    expect(beyond).toBeGreaterThan(edge!);
  });
});
