import process from 'node:process';

/** One run in how many is played. */
const SHARES: Readonly<Record<string, number>> = { all: 1, few: 50 };
const share = SHARES[process.env.UNDERSTUDY_RUNS ?? ''] ?? 10;

/** Whether all random runs are played, as `npm run soak -- random` does. */
export const areAllPlayed = share === 1;

/**
 * How many of `full` random runs are played: a fiftieth by `npm run check`, a tenth by `npm test`, all by `npm run soak -- random`,
 * which draws others each night. More of the same ones would find nothing new in a change.
 *
 * @param least how many it takes until each rule has had something to say.
 */
export const runs = (full: number, least = 1): number => Math.max(Math.ceil(full / share), least);

/**
 * What random runs begin with: the same for everyone, so that a change is red for what it changed. New ones are drawn by
 * `npm run soak -- random`, and what those find becomes a test of its own.
 */
export const runSeed = Number(process.env.UNDERSTUDY_SEED ?? 20_261_122);
