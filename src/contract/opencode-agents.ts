/** The agents of OpenCode's own that people talk to; they stand in no configuration. */
export const BUILT_IN_AGENTS = ['build', 'plan'] as const;

/** Agents OpenCode runs for its own housekeeping. */
export const INTERNAL_AGENTS: ReadonlySet<string> = new Set(['title', 'compaction', 'summary']);
