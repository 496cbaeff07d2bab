import process from 'node:process';

/** The longest work between two turns of the event loop, in ms: processor time, at most the time passed. Memory in MB. */
export type PieceCost = Readonly<{ longestMs: number; memoryMb: number }>;

const MB = 1_048_576;
const TRIES = 4;

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Repeats an expensive measurement, because other programs and threads can add time. */
export async function leastCost<T extends PieceCost>(work: () => Promise<T>): Promise<T> {
  let cost = await work();
  for (let tries = 1; tries < TRIES && !isLittle(cost); tries++) cost = await work();
  return cost;
}

/** Measures work while it runs. Other threads count too, but no piece counts longer than it lasted. */
export async function costOf(work: () => Promise<unknown>): Promise<PieceCost> {
  const before = process.memoryUsage.rss();
  let [memory, longestMs, isOver] = [before, 0, false];
  let last = { at: performance.now(), used: processorMs() };
  const look = (): void => {
    const now = { at: performance.now(), used: processorMs() };
    longestMs = Math.max(longestMs, Math.min(now.at - last.at, now.used - last.used));
    memory = Math.max(memory, process.memoryUsage.rss());
    last = { at: performance.now(), used: processorMs() };
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  look();
  return { longestMs, memoryMb: (memory - before) / MB };
}

/** Limit in ms. Applies only without parallel test files: in `npm run soak -- pieces`. */
export const PIECE_MS = process.env.UNDERSTUDY_SOAK === '1' ? 50 : Number.POSITIVE_INFINITY;

/** Limit in MB. Beside other test files the collector runs late: more than 200 MB were seen for work that takes 100. */
const MEMORY_MB = process.env.UNDERSTUDY_SOAK === '1' ? 150 : 400;

export const isLittle = ({ longestMs, memoryMb }: PieceCost): boolean => longestMs < PIECE_MS && memoryMb < MEMORY_MB;
