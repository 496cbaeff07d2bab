/** Whether all random histories are played, from another seed each time: `npm test` asks for it. */
const isThorough = process.env.UNDERSTUDY_THOROUGH === '1';
const SHARE = 10;

/** How many of `full` random runs are played: all by `npm test`, a tenth, the same each time, by `npm run check`. */
export const runs = (full: number): number => (isThorough ? full : Math.ceil(full / SHARE));

/** What random runs begin with. Print it: it plays a failing run again. */
export const runSeed = isThorough ? Date.now() % 2_147_483_647 : 20_261_122;
