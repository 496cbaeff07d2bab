export type Likely = Readonly<{ value: number; lower: number; upper: number }>;

/** A cause hits several cases of its hour. */
export type Case = Readonly<{ hour: number; isHit: boolean; isTroubled: boolean }>;

type Stretch = { cases: number; hits: number };

/** The two-sided 95 % quantile of the normal distribution. */
const Z = 1.959963984540054;
/** One part all hit, one all spared: none so far does not mean never. */
const IMAGINED_STRETCHES = 0.5;
/** Few stretches are weak evidence; so many more make the bounds hold in simulations. */
const STRETCHES_MORE = 2;

/**
 * The bounds are for the share in a period of the same length, not for its mean. Consecutive hours with hits are one
 * stretch, because cases of one outage are not independent. @param cases at least one. @see Krishnamoorthy and Peng,
 * Journal of Statistical Planning and Inference 141 (2011) 1709-1718, joint sampling, for the bounds; Rao and Scott,
 * Biometrics 48 (1992) 577-585, for the number of independent cases.
 */
export function likelyShare(cases: readonly Case[]): Likely {
  const count = cases.length;
  const value = cases.filter(({ isHit }) => isHit).length / count;
  const imagined = IMAGINED_STRETCHES * troubledCases(cases);
  const spared: Stretch = { cases: imagined, hits: 0 };
  const stretches = [...stretchesOf(cases, ({ isHit }) => isHit), spared, { cases: imagined, hits: imagined }];
  const all = count + 2 * imagined;
  const mean = (value * count + imagined) / all;
  const squares = stretches.map((stretch) => (stretch.hits - mean * stretch.cases) ** 2);
  const square = sum(squares);
  const independent = count / Math.max(1, square / (all * mean * (1 - mean)));
  const large = square ** 2 / sum(squares.map((each) => each ** 2));
  return { value, ...boundsOf(value, independent, quantileOf(large + STRETCHES_MORE)) };
}

/** @see Newcombe, Statistics in Medicine 17 (1998) 873-890, method 10. */
export function likelyDifference(gained: Likely, lost: Likely): Likely {
  const value = gained.value - lost.value;
  const below = Math.hypot(gained.value - gained.lower, lost.upper - lost.value);
  const above = Math.hypot(gained.upper - gained.value, lost.value - lost.lower);
  return { value, lower: Math.max(-1, value - below), upper: Math.min(1, value + above) };
}

function boundsOf(share: number, n: number, quantile: number): Pick<Likely, 'lower' | 'upper'> {
  const shift = quantile ** 2 / (2 * n);
  const center = share * (1 - shift) + shift;
  const spread = Math.sqrt(shift ** 2 + 4 * shift * share * (1 - share));
  // Despite rounding, the share must lie within its bounds.
  const lower = Math.min(share, Math.max(0, (center - spread) / (1 + shift)));
  return { lower, upper: Math.max(share, Math.min(1, (center + spread) / (1 + shift))) };
}

/** The two-sided 95 % quantile of Student's t. @see Abramowitz and Stegun, 26.7.5; within 0.03 from 3 degrees on. */
function quantileOf(degrees: number): number {
  const first = (Z ** 3 + Z) / 4;
  const second = (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96;
  const third = (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / 384;
  return Z + first / degrees + second / degrees ** 2 + third / degrees ** 3;
}

function stretchesOf(cases: readonly Case[], isHit: (one: Case) => boolean): Stretch[] {
  const stretches: Stretch[] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const [hour, own] of [...hoursOf(cases, isHit)].sort(([a], [b]) => a - b)) {
    const open = stretches.at(-1);
    if (open && open.hits > 0 && own.hits > 0 && hour - before === 1) {
      open.cases += own.cases;
      open.hits += own.hits;
    } else stretches.push(own);
    before = hour;
  }
  return stretches;
}

function hoursOf(cases: readonly Case[], isHit: (one: Case) => boolean): ReadonlyMap<number, Stretch> {
  const hours = new Map<number, Stretch>();
  for (const one of cases) {
    const own = hours.get(one.hour) ?? { cases: 0, hits: 0 };
    own.cases++;
    if (isHit(one)) own.hits++;
    hours.set(one.hour, own);
  }
  return hours;
}

function troubledCases(cases: readonly Case[]): number {
  const stretches = stretchesOf(cases, ({ isTroubled }) => isTroubled);
  const hours = new Set(cases.map(({ hour }) => hour)).size;
  const troubled = stretches.filter(({ hits }) => hits > 0);
  const inTrouble = sum(troubled.map((stretch) => stretch.cases));
  return Math.max(cases.length / hours, inTrouble / Math.max(1, troubled.length));
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
