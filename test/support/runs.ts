import process from 'node:process';

/** One run in how many is played, unless UNDERSTUDY_RUNS asks for all. */
const FEW = 10;
const share = process.env.UNDERSTUDY_RUNS === 'all' ? 1 : FEW;

/**
 * How many of `full` random runs are played: a tenth by `npm run check` and `npm test`, all by `npm run soak -- random`, which
 * draws others each night. More of the same ones would find nothing new in a change.
 */
export const runs = (full: number): number => Math.ceil(full / share);

/**
 * What random runs begin with: the same for everyone, so that a change is red for what it changed. New ones are drawn by
 * `npm run soak -- random`, and what those find becomes a test of its own.
 */
export const runSeed = Number(process.env.UNDERSTUDY_SEED ?? 20_261_122);
