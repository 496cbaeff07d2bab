/** In ms. Source: docs/failures.md, notices. */

export const GATHER_MS = 2_000;
/** Between switch notices of an agent. */
export const AGENT_EVERY_MS = 60_000;
/** Between urgent notices of a kind. */
export const URGENT_EVERY_MS = 300_000;
/** Without urgent notices. */
export const HOUR_MAX = 6;
export const HOUR_MS = 3_600_000;
