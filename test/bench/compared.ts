import type { OpencodeBinary } from '../../src/node/opencode';
import { type BenchRow, rowOf, type Unit } from './bench-row';
import { ALONE, benchedOpencodes, type Home, type Kind, makeHome, OURS, SLIM, TRIVIAL } from './homes';

const KINDS = [ALONE, TRIVIAL, SLIM, OURS];

/** One figure of a comparison. */
export type Figure<T> = Readonly<{
  name: string;
  unit: Unit;
  of: (sample: T) => number;
  /** The kind that the later kinds are compared with. */
  base: Kind;
  /** The most that the companion may add to the base, in `unit`, or as a percentage of the base. */
  target?: number;
  isShare?: boolean;
}>;

/** Measures a home of one kind. */
type Measure<T> = (home: Home, kind: Kind) => Promise<T>;

/** Compares all kinds on each OpenCode. */
export async function compare<T>(
  rounds: number,
  measure: Measure<T>,
  figures: readonly Figure<T>[],
  binaries?: readonly OpencodeBinary[],
): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const binary of binaries ?? (await benchedOpencodes())) {
    const samples = await measureKinds(binary, rounds, measure);
    rows.push(...figures.flatMap((figure) => rowsOf(figure, samples, binary.version)));
  }
  return rows;
}

type Samples<T> = ReadonlyMap<Kind, readonly T[] | Error>;

/** Measures the kinds in turns, so that a busy moment of the machine meets all, each time in an empty home. */
async function measureKinds<T>(binary: OpencodeBinary, rounds: number, measure: Measure<T>): Promise<Samples<T>> {
  const samples = new Map<Kind, T[] | Error>(KINDS.map((kind) => [kind, []]));
  for (let round = 1; round <= rounds; round++) {
    console.log(`Round ${round} of ${rounds} on OpenCode ${binary.version}…`);
    for (const kind of KINDS) {
      const measured = samples.get(kind);
      if (!Array.isArray(measured)) continue;
      try {
        measured.push(await inHome(binary, kind, measure));
      } catch (error) {
        if (kind !== SLIM) throw error;
        samples.set(kind, error as Error);
      }
    }
  }
  return samples;
}

/** Measures one home, which is removed after it. */
export async function inHome<T>(binary: OpencodeBinary, kind: Kind, measure: Measure<T>): Promise<T> {
  const home = await makeHome(binary, kind);
  try {
    return await measure(home, kind);
  } finally {
    await home.remove();
  }
}

/** Rows with the values up to the base, then rows with the difference to the base, round by round. */
function rowsOf<T>(figure: Figure<T>, samples: Samples<T>, version: string): readonly BenchRow[] {
  const { unit, base, target, isShare = false } = figure;
  const valuesOf = (kind: Kind): readonly number[] | Error => {
    const measured = samples.get(kind) ?? [];
    return measured instanceof Error ? measured : measured.map(figure.of);
  };
  const bases = valuesOf(base);
  if (bases instanceof Error) throw bases;
  return KINDS.map((kind, at) => {
    const name = `${version}, ${figure.name}: ${kind.name}`;
    const values = valuesOf(kind);
    if (values instanceof Error) return { name, why: values.message };
    const whole = rowOf(name, unit, values);
    if (at <= KINDS.indexOf(base)) return whole;
    const added = values.map((value, round) => {
      const reference = bases[round] ?? Number.NaN;
      return isShare ? ((value - reference) / reference) * 100 : value - reference;
    });
    return rowOf(`${version}, ${figure.name}: added by ${kind.name}`, isShare ? '%' : unit, added, {
      ...(kind === OURS && target !== undefined ? { target } : {}),
      note: `to ${base.name}; ${whole.median.toFixed(0)} ${unit} in all`,
    });
  });
}
