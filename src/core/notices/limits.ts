/**
 * How much of what happens anybody can bear, in the app and in OpenCode. Times are ms. Source: docs/failures.md, notices.
 */

/** Switches this close together are told together. */
export const GATHER_MS = 2_000;
/** An agent's switches are told no more often than this. */
export const AGENT_EVERY_MS = 60_000;
/** What cannot wait is told at once, and no more often than this. */
export const URGENT_EVERY_MS = 300_000;
/** So many notices an hour, beside what cannot wait. */
export const HOUR_MAX = 6;
export const HOUR_MS = 3_600_000;
