import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { type Chat, type DrivenOpencode, withOpencode } from '../support/driven-opencode';
import { processorMs } from '../support/processor-time';
import { type BenchRow, rowOf } from './bench-row';
import { compare, type Figure } from './compared';
import { type Home, type Kind, TRIVIAL } from './homes';

const ROUNDS = 5;
/** Processor time comes in steps of 10 ms, so a mean stands beside the median of the turns. */
const TURNS = 25;
/** Turns before the measured ones. */
const WARM_TURNS = 5;
const DELTAS = 20_000;
/** Streams in one session: the first runs code that is not compiled yet. */
const STREAMS = 3;
/** Time for work that follows a turn, such as writing files, in ms. */
const SETTLE_MS = 1_000;
/** Time for work that plugins do once in a home, in ms. */
const FIRST_START_MS = 8_000;
/** What the companion may add to a turn, in ms, and to a stream, in percent. */
const TURN_TARGET_MS = 10;
const STREAM_TARGET_PERCENT = 3;

/** Processor time of turns, in ms; the mean includes the work that follows them. */
type Cost = Readonly<{ median: number; mean: number }>;

type Costs = Readonly<{ turns: Cost; stream: Cost }>;

const TURN = { unit: 'ms', base: TRIVIAL, target: TURN_TARGET_MS } as const;
const FIGURES: readonly Figure<Costs>[] = [
  { ...TURN, name: `processor time of a turn, median of ${TURNS}`, of: ({ turns }) => turns.median },
  { ...TURN, name: `processor time of a turn, mean of ${TURNS}`, of: ({ turns }) => turns.mean },
  {
    ...{
      name: `processor time of ${DELTAS} deltas, median of ${STREAMS}`,
      unit: 'ms',
      of: ({ stream }) => stream.median,
    },
    ...{ base: TRIVIAL, target: STREAM_TARGET_PERCENT, isShare: true },
  },
];

/** Processor time of turns without a failure, on the second start of a home. */
export async function healthyBench(): Promise<readonly BenchRow[]> {
  if (process.platform !== 'linux') return [{ name: 'a healthy turn', why: 'only Linux reports its time in /proc' }];
  return compare(ROUNDS, measureCosts, FIGURES);
}

async function measureCosts({ provider, start, makeCase }: Home, { agent }: Kind): Promise<Costs> {
  const { directory, ids } = await makeCase();
  const open = async (opencode: DrivenOpencode, answer: string): Promise<Room> => {
    provider.script(ids[0] ?? '', () => ({ kind: 'text', text: answer }));
    return { opencode, chat: await opencode.open({ directory, ...(agent ? { agent } : {}) }), answer };
  };
  await withOpencode(start, async (opencode) => {
    await costOf(await open(opencode, 'Here.'), 1);
    await pause(FIRST_START_MS);
  });
  return withOpencode(start, async (opencode) => {
    const room = await open(opencode, 'Here.');
    await costOf(room, WARM_TURNS);
    const turns = await costOf(room, TURNS);
    return { turns, stream: await costOf(await open(opencode, 'word '.repeat(DELTAS)), STREAMS) };
  });
}

/** A session whose model always gives the same answer. */
type Room = Readonly<{ opencode: DrivenOpencode; chat: Chat; answer: string }>;

/** Plays turns. @throws Error if a turn has no answer, or another one. */
async function costOf({ opencode: { pid }, chat, answer }: Room, count: number): Promise<Cost> {
  const earlier = (await chat.answers()).length;
  const before = processorMs(pid);
  const costs: number[] = [];
  while (costs.length < count) {
    const turnBefore = processorMs(pid);
    await chat.send('Hello');
    costs.push(processorMs(pid) - turnBefore);
  }
  await pause(SETTLE_MS);
  const mean = (processorMs(pid) - before) / count;
  const answers = (await chat.answers()).slice(earlier);
  const isWhole = answers.length === count && answers.every((text) => text.trim() === answer.trim());
  if (!isWhole) throw new Error(`OpenCode gave ${answers.length} answers to ${count} messages`);
  return { median: rowOf('turns', 'ms', costs).median, mean };
}
