import process from 'node:process';
import { type Memory, measureMemory } from '../support/memory';
import type { BenchRow } from './bench-row';
import { compare, type Figure } from './compared';
import { ALONE, type Home, type Kind } from './homes';

const ROUNDS = 5;
/** What the companion may add to a second start, in MiB. */
const TARGET_MIB = 25;

type Starts = Readonly<{ first: Memory; second: Memory }>;

const MEMORY = { unit: 'MiB', base: ALONE } as const;
const FIGURES: readonly Figure<Starts>[] = [
  { ...MEMORY, name: 'first start, idle', of: ({ first }) => first.idle },
  { ...MEMORY, name: 'first start, after a turn', of: ({ first }) => first.turn },
  { ...MEMORY, name: 'second start, idle', of: ({ second }) => second.idle, target: TARGET_MIB },
  { ...MEMORY, name: 'second start, after a turn', of: ({ second }) => second.turn, target: TARGET_MIB },
];

/** Memory of OpenCode on the first and the second start of a home. */
export async function memoryBench(): Promise<readonly BenchRow[]> {
  if (process.platform !== 'linux') return [{ name: 'memory of OpenCode', why: 'only Linux reports it in /proc' }];
  return compare(ROUNDS, measureStarts, FIGURES);
}

async function measureStarts({ provider, start, makeCase }: Home, { agent }: Kind): Promise<Starts> {
  const { directory, ids } = await makeCase();
  provider.script(ids[0] ?? '', () => ({ kind: 'text', text: 'Here.' }));
  const place = { directory, ...(agent ? { agent } : {}) };
  return { first: await measureMemory(start, place), second: await measureMemory(start, place) };
}
