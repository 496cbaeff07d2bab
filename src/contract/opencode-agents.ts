/** The agents of OpenCode's own that people talk to; they stand in no configuration. */
export const BUILT_IN_AGENTS = ['build', 'plan'] as const;

/** The agent that OpenCode starts with. */
export const DEFAULT_AGENT = BUILT_IN_AGENTS[0];

/** Agents OpenCode runs for its own housekeeping. */
export const INTERNAL_AGENTS: ReadonlySet<string> = new Set(['title', 'compaction', 'summary']);
