import { type BenchRow, rowOf } from '../bench-row';
import { MODELS } from './lanes';
import { inMicroseconds, sampledAsync } from './sample';
import { cockatiel, FAILURE, OPOSSUM, opossum, opossumFolder, ourFace, type Wrapped, type Wrapper } from './wrappers';

type Outcome = 'answered' | 'failed' | 'refused';

/** What a breaker costs whoever awaits a call through it: ours, then its peers, over as many breakers as models. */
export async function callRows(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const wrapper of [ourFace(), cockatiel()]) rows.push(...(await rowsOf(wrapper)));
  try {
    rows.push(...(await rowsOf(opossum(await opossumFolder()))));
  } catch (error) {
    rows.push({ name: OPOSSUM, why: (error as Error).message });
  }
  return rows;
}

async function rowsOf({ name, answering, failing, open, elapse }: Wrapper): Promise<readonly BenchRow[]> {
  return [
    await rowFor(`${name}: answered call, awaited`, { outcome: 'answered', make: answering }),
    await rowFor(`${name}: failing call, awaited`, { outcome: 'failed', make: failing, elapse }),
    await rowFor(`${name}: refused call, awaited`, { outcome: 'refused', make: open }),
  ];
}

type Case = Readonly<{ outcome: Outcome; make: () => Wrapped | Promise<Wrapped>; elapse?: (() => void) | undefined }>;

async function rowFor(name: string, { outcome, make, elapse }: Case): Promise<BenchRow> {
  const breakers: Wrapped[] = [];
  for (let model = 0; model < MODELS; model++) breakers.push(await make());
  const round = async (): Promise<void> => {
    elapse?.();
    for (const breaker of breakers) {
      const actual = await outcomeOf(breaker);
      if (actual !== outcome) throw new Error(`${name}: was ${actual}`);
    }
  };
  return rowOf(name, 'µs', inMicroseconds(await sampledAsync(round, MODELS)));
}

async function outcomeOf({ call }: Wrapped): Promise<Outcome> {
  try {
    await call();
    return 'answered';
  } catch (error) {
    return error === FAILURE ? 'failed' : 'refused';
  }
}
