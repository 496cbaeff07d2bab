import process from 'node:process';

/** Whether all random histories are played: `npm test` asks for it. */
const isThorough = process.env.UNDERSTUDY_THOROUGH === '1';
const SHARE = 10;

/** How many of `full` random runs are played: all by `npm test`, a tenth by `npm run check`. */
export const runs = (full: number): number => (isThorough ? full : Math.ceil(full / SHARE));

/**
 * What random runs begin with: the same for everyone, so that a change is red for what it changed. New ones are drawn by
 * `npm run soak -- random`, and what those find becomes a test of its own.
 */
export const runSeed = Number(process.env.UNDERSTUDY_SEED ?? 20_261_122);
