import { type BenchmarkId, maximumOf } from '../base/benchmarks';
import type { ModelValues } from '../base/values';
import { ANCHORS_MIN, type Basis, basisFor, FEATURES_MIN, SAME, spanOf, TARGET } from './basis';
import { fitRidge, meanOf, rootMeanSquare } from './ridge';

/** All numbers of the target are in its own unit, percent. */
export type SweBenchProEstimate =
  | Readonly<{
      ok: true;
      value: number;
      /** Where the true value lies in 19 of 20 cases, as far as the anchors can tell. */
      interval: Readonly<{ lower: number; upper: number }>;
      /** Root of the mean square error when each anchor is estimated from the others. */
      looError: number;
      /** Standard deviation of the anchors: the error of who knows their mean alone. */
      spread: number;
      anchors: number;
      features: readonly BenchmarkId[];
    }>
  /** Too few other benchmarks of the model are known, or differ at all between the anchors. */
  | Readonly<{ ok: false; code: 'features.few'; features: number; needed: number }>
  /** Too few models with a known value share enough benchmarks with it. */
  | Readonly<{ ok: false; code: 'anchors.few'; anchors: number; needed: number }>
  /** The others tell too little: the error is more than half the spread, or there is no spread to explain. */
  | Readonly<{
      ok: false;
      code: 'error.large';
      looError: number;
      spread: number;
      anchors: number;
      features: readonly BenchmarkId[];
    }>;

/**
 * Weight of a guess that nothing depends on anything, in anchors. Fixed: one that is picked by the error would flatter
 * it.
 */
const PENALTY = 1;

/** Which part of the spread the error may be. Source: the specification. */
const ERROR_SHARE_MAX = 0.5;

/**
 * Works out what SWE-Bench Pro would say of a model from its other benchmarks, by ridge regression over the models of
 * which both are known. Neither an estimate nor the model's own value, should it have one, is ever among what it goes
 * by; and the same records give the same bytes in whatever order they come.
 *
 * @param records the values of all models, by record.
 */
export function estimateSweBenchPro(record: string, records: ReadonlyMap<string, ModelValues>): SweBenchProEstimate {
  const basis = basisFor(record, records);
  if ('code' in basis)
    return { ok: false, ...basis, needed: basis.code === 'anchors.few' ? ANCHORS_MIN : FEATURES_MIN };
  const { features, row, anchors } = basis;
  const targets = anchors.map(({ target }) => target * maximumOf(TARGET));
  const fit = fitRidge(rowsOf(basis), targets, PENALTY);
  const looError = rootMeanSquare(fit.leftOutErrors);
  const facts = { looError, spread: deviationOf(targets), anchors: anchors.length, features };
  const isAlike = spanOf(targets) < SAME;
  if (isAlike || looError > ERROR_SHARE_MAX * facts.spread) return { ok: false, code: 'error.large', ...facts };
  const { value, leverage } = fit.read(row);
  // That error holds already what a fit costs at an anchor. The leverage on top errs on the wide side, the more the
  // farther out.
  const reach = studentQuantile(anchors.length - 1) * looError * Math.sqrt(1 + leverage);
  return {
    ok: true,
    value: withinScale(value),
    interval: { lower: withinScale(value - reach), upper: withinScale(value + reach) },
    ...facts,
  };
}

const rowsOf = ({ anchors }: Basis) => anchors.map(({ row }) => row);

const withinScale = (value: number): number => Math.min(Math.max(value, 0), maximumOf(TARGET));

/** Standard deviation of a sample. */
function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return rootMeanSquare(values.map((value) => value - mean)) * Math.sqrt(values.length / (values.length - 1));
}

/** The two-sided 95 % quantile of the normal distribution. */
const Z = 1.959963984540054;

/**
 * The two-sided 95 % quantile of Student's distribution.
 *
 * @param freedom degrees of freedom; from 7 on it is right to 0.01 %.
 * @see Abramowitz, Stegun, Handbook of Mathematical Functions, 26.7.5.
 */
function studentQuantile(freedom: number): number {
  const terms = [
    (Z ** 3 + Z) / 4,
    (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96,
    (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / 384,
    (79 * Z ** 9 + 776 * Z ** 7 + 1482 * Z ** 5 - 1920 * Z ** 3 - 945 * Z) / 92_160,
  ];
  return terms.reduce((sum, term, at) => sum + term / freedom ** (at + 1), Z);
}
