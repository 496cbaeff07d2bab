import process from 'node:process';
import { isNightly } from './nightly';

/** One of how many random runs is played. */
const SHARES: Readonly<Record<string, number>> = { all: 1, nightly: 10, few: 50 };
const usual = isNightly ? 'nightly' : 'few';
const share = SHARES[process.env.UNDERSTUDY_RUNS ?? usual] ?? SHARES[usual] ?? 1;

export const areAllPlayed = share === 1;

/**
 * Number of random runs out of `full`: a fiftieth in `npm test`, a tenth in `npm run nightly`, all in `npm run soak -- random`,
 * which draws others each night.
 *
 * @param least Runs that each rule needs to be reached.
 */
export const runs = (full: number, least = 1): number => Math.max(Math.ceil(full / share), least);

/**
 * What random runs begin with: the same for everyone, so that a change is red for what it changed. New ones are drawn by
 * `npm run soak -- random`, and what those find becomes a test of its own.
 */
export const runSeed = Number(process.env.UNDERSTUDY_SEED ?? 20_261_122);
