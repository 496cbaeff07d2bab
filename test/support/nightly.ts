import process from 'node:process';

/** True in the nightly run, which plays every test. */
export const isNightly = process.env.UNDERSTUDY_NIGHTLY === '1';

/** Options of a test that only the nightly run plays. */
export const NIGHTLY = { tags: ['nightly'] };

/** Options of a test that `npm test` plays unless this holds: then only the nightly run does. */
export const nightlyIf = (isMoved: boolean): Readonly<{ tags?: string[] }> => (isMoved ? NIGHTLY : {});
