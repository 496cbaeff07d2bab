import process from 'node:process';

export const isNightly = process.env.UNDERSTUDY_NIGHTLY === '1';

export const NIGHTLY = { tags: ['nightly'] };

export const nightlyIf = (isMoved: boolean): Readonly<{ tags?: string[] }> => (isMoved ? NIGHTLY : {});
