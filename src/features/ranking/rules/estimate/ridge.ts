/** What a fit says of one row: the number it expects, and how far the row is from those it was fitted to. */
export type Reading = Readonly<{
  value: number;
  /** `1/n` in their middle, more the farther away: the variance of the value, in units of the noise. */
  leverage: number;
}>;

export type RidgeFit = Readonly<{
  read: (row: readonly number[]) => Reading;
  /** For each row fitted to: its target, less what the fit without that row expects. */
  leftOutErrors: readonly number[];
}>;

/**
 * Fits targets to rows by ridge regression: every column is measured by its mean and its standard deviation, the
 * intercept is free, and `penalty` holds the slopes back as much as that many rows in which nothing depends on
 * anything.
 *
 * The errors of leaving a row out come from the hat matrix, as literal refitting with the same measure would give them:
 * the intercept is free, so a shift of the means changes nothing.
 *
 * @param rows all of one length, at least two, none of whose columns is constant.
 * @param penalty above 0, which also keeps columns that say the same from making the equations singular.
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

/** The lower triangle whose product with its own transpose is a symmetric positive definite matrix. */
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

/** The vector that a lower triangle turns into the one given. */
function solvedForward(root: readonly (readonly number[])[], vector: readonly number[]): readonly number[] {
  const solved: number[] = [];
  for (const [at, row] of root.entries()) solved.push(((vector[at] ?? 0) - dot(solved, row)) / (row[at] ?? 1));
  return solved;
}

/** Over as many as the first one has. */
const dot = (one: readonly number[], two: readonly number[]): number =>
  one.reduce((sum, value, at) => sum + value * (two[at] ?? 0), 0);

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Root of the mean square around the mean. */
function scaleOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return rootMeanSquare(values.map((value) => value - mean));
}

export const rootMeanSquare = (values: readonly number[]): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);

const transposed = (rows: readonly (readonly number[])[]): readonly (readonly number[])[] =>
  (rows[0] ?? []).map((_, at) => rows.map((row) => row[at] ?? 0));
