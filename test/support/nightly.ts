/** Options of a test that only the nightly run plays. */
export const NIGHTLY = { tags: ['nightly'] };

/** Options of a test that `npm test` plays unless this holds: then only the nightly run does. */
export const nightlyIf = (isNightly: boolean): Readonly<{ tags?: string[] }> => (isNightly ? NIGHTLY : {});
