/** Another step follows; "unknown" from OpenCode 1.18.21 on. */
export const CONTINUED_FINISHES: ReadonlySet<string> = new Set(['tool-calls', 'unknown']);
