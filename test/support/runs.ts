import process from 'node:process';
import { isNightly } from './nightly';

/** Divisor of the number of random runs. */
const SHARES: Readonly<Record<string, number>> = { all: 1, nightly: 10, few: 50 };
const usual = isNightly ? 'nightly' : 'few';
const share = SHARES[process.env.UNDERSTUDY_RUNS ?? usual] ?? SHARES[usual] ?? 1;

export const areAllPlayed = share === 1;

/**
 * Number of random runs out of `full`: a fiftieth in `npm test`, a tenth in `npm run nightly`, all in `npm run soak --
 * random`, which draws new seeds.
 * @param least Runs that each rule needs.
 */
export const runs = (full: number, least = 1): number => Math.max(Math.ceil(full / share), least);

/**
 * A fixed seed, so that only a change can break a run. `npm run soak -- random` draws new ones; its findings become
 * separate tests.
 */
export const runSeed = Number(process.env.UNDERSTUDY_SEED ?? 20_261_122);
