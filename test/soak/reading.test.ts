import { describe, expect, it } from 'vitest';
import { SHAPES } from '../support/hostile';
import { makeStranger, readStranger } from '../support/hostile/reading';

/** What reading a project may take at most; in one piece, so that whoever has a page open sees nothing of it. */
const LIMITS = { ms: 1_000, freezeMs: 200, mb: 100 };
/** A machine that has other things to do takes longer for anything; what takes long by itself does so each time. */
const TRIES = 10;

type Cost = Readonly<{ ms: number; freezeMs: number; mb: number }>;

/** What a piece of work takes: in all, at most in one piece, and of memory. */
async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const before = process.memoryUsage.rss();
  const from = performance.now();
  let isOver = false;
  let last = from;
  let freezeMs = 0;
  const look = (): void => {
    freezeMs = Math.max(freezeMs, performance.now() - last);
    last = performance.now();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  look();
  const mb = (process.memoryUsage.rss() - before) / 1_048_576;
  return { ms: performance.now() - from, freezeMs, mb };
}

const isLittle = ({ ms, freezeMs, mb }: Cost): boolean =>
  ms < LIMITS.ms && freezeMs < LIMITS.freezeMs && mb < LIMITS.mb;

describe.skipIf(process.platform === 'win32')(
  'given a project of a stranger, on a machine that has nothing else to do',
  () => {
    it.each(SHAPES)(
      'when $name, then reading it ends soon, holds up nobody, and takes little memory',
      async (shape) => {
        const at = await makeStranger();
        await shape.make(at);
        const costs: Cost[] = [];
        while (costs.length < TRIES && !costs.some(isLittle)) costs.push(await costOf(() => readStranger(at)));
        expect(costs.at(-1)).toSatisfy(isLittle);
      },
    );
  },
);
