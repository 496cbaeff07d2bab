/** Rate limits of notices in the app and in OpenCode, in ms. Source: docs/failures.md, notices. */

/** Switches within this time share a notice. */
export const GATHER_MS = 2_000;
/** Minimum time between switch notices of an agent. */
export const AGENT_EVERY_MS = 60_000;
/** Minimum time between urgent notices of a kind. */
export const URGENT_EVERY_MS = 300_000;
/** Maximum number of notices an hour, without urgent ones. */
export const HOUR_MAX = 6;
export const HOUR_MS = 3_600_000;
