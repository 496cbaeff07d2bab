import process from 'node:process';

export const isNightly = process.env.UNDERSTUDY_NIGHTLY === '1';

/** Options of a test for the nightly run only. */
export const NIGHTLY = { tags: ['nightly'] };

/** Options of a test that is nightly if `isMoved`. */
export const nightlyIf = (isMoved: boolean): Readonly<{ tags?: string[] }> => (isMoved ? NIGHTLY : {});
