import { type BenchmarkId, maximumOf } from '../base/benchmarks';
import type { ModelValues } from '../base/values';
import { ANCHORS_MIN, type Basis, basisFor, FEATURES_MIN, SAME, spanOf, TARGET } from './basis';
import { fitRidge, meanOf, rootMeanSquare } from './ridge';

/** Numbers of the target are in its own unit, percent. */
export type SweBenchProEstimate =
  | Readonly<{
      ok: true;
      value: number;
      /** 95 % interval, as far as the anchors show. */
      interval: Readonly<{ lower: number; upper: number }>;
      /** Leave-one-out root mean square error. */
      looError: number;
      spread: number;
      anchors: number;
      features: readonly BenchmarkId[];
    }>
  | Readonly<{ ok: false; code: 'features.few'; features: number; needed: number }>
  | Readonly<{ ok: false; code: 'anchors.few'; anchors: number; needed: number }>
  /** The error exceeds half the spread, or there is no spread. */
  | Readonly<{
      ok: false;
      code: 'error.large';
      looError: number;
      spread: number;
      anchors: number;
      features: readonly BenchmarkId[];
    }>;

/**
 * Weight, in anchors, of the assumption that nothing depends on anything. Fixed: a weight selected by the error would
 * flatter it.
 */
const PENALTY = 1;

/** Source: the specification. */
const ERROR_SHARE_MAX = 0.5;

/**
 * Estimates SWE-Bench Pro from a model's other benchmarks, by ridge regression over models with both. Never uses
 * estimates or the model's own value; the same records give the same bytes in any order.
 * @param records values by record.
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
  // The error already includes the cost of a fit at an anchor; the leverage widens the interval further, the more the
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

function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return rootMeanSquare(values.map((value) => value - mean)) * Math.sqrt(values.length / (values.length - 1));
}

/** Two-sided 95 % quantile of the normal distribution. */
const Z = 1.959963984540054;

/**
 * Two-sided 95 % quantile of Student's distribution.
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
