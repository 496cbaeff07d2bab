export type Reading = Readonly<{
  value: number;
  /** `1/n` in the middle of the rows, more the farther away: the variance of the value, in units of the noise. */
  leverage: number;
}>;

export type RidgeFit = Readonly<{
  read: (row: readonly number[]) => Reading;
  /** Target minus the value of a fit without that row. */
  leftOutErrors: readonly number[];
}>;

/**
 * Ridge regression on standardized columns with a free intercept; `penalty` counts as that many rows without any
 * dependency.
 * Left-out errors come from the hat matrix, equal to literal refits with the same scaling: the intercept is free, so a
 * shift of the means changes nothing.
 * @param rows of one length, at least two, without a constant column.
 * @param penalty above 0, so that collinear columns do not make the equations singular.
 * @see Hastie, Tibshirani, Friedman, The Elements of Statistical Learning, 2nd edition, 3.4.1 and 7.10.
 */
export function fitRidge(rows: readonly (readonly number[])[], targets: readonly number[], penalty: number): RidgeFit {
  const count = rows.length;
  const measures = transposed(rows).map((column) => ({ mean: meanOf(column), scale: scaleOf(column) }));
  const measured = (row: readonly number[]) =>
    measures.map(({ mean, scale }, at) => ((row[at] ?? mean) - mean) / scale);
  const columns = transposed(rows.map(measured));
  const middle = meanOf(targets);
  const shifted = targets.map((target) => target - middle);
  const root = choleskyOf(
    columns.map((one, at) => columns.map((two, to) => dot(one, two) + (at === to ? penalty : 0))),
  );
  const pull = solvedForward(
    root,
    columns.map((column) => dot(column, shifted)),
  );
  const read = (row: readonly number[]): Reading => {
    const reach = solvedForward(root, measured(row));
    return { value: middle + dot(reach, pull), leverage: 1 / count + dot(reach, reach) };
  };
  const leftOutErrors = rows.map((row, at) => {
    const { value, leverage } = read(row);
    return ((targets[at] ?? middle) - value) / (1 - leverage);
  });
  return { read, leftOutErrors };
}

function choleskyOf(matrix: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const root: number[][] = [];
  for (const [at, values] of matrix.entries()) {
    const row: number[] = [];
    for (const [to, value] of values.slice(0, at + 1).entries()) {
      const above = root[to];
      row.push(above === undefined ? Math.sqrt(value - dot(row, row)) : (value - dot(row, above)) / (above[to] ?? 1));
    }
    root.push(row);
  }
  return root;
}

function solvedForward(root: readonly (readonly number[])[], vector: readonly number[]): readonly number[] {
  const solved: number[] = [];
  for (const [at, row] of root.entries()) solved.push(((vector[at] ?? 0) - dot(solved, row)) / (row[at] ?? 1));
  return solved;
}

const dot = (one: readonly number[], two: readonly number[]): number =>
  one.reduce((sum, value, at) => sum + value * (two[at] ?? 0), 0);

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function scaleOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return rootMeanSquare(values.map((value) => value - mean));
}

export const rootMeanSquare = (values: readonly number[]): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);

const transposed = (rows: readonly (readonly number[])[]): readonly (readonly number[])[] =>
  (rows[0] ?? []).map((_, at) => rows.map((row) => row[at] ?? 0));
