/** For users; no configuration lists them. */
export const BUILT_IN_AGENTS = ['build', 'plan'] as const;

export const DEFAULT_AGENT = BUILT_IN_AGENTS[0];

export const INTERNAL_AGENTS: ReadonlySet<string> = new Set(['title', 'compaction', 'summary']);
