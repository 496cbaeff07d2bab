/** How OpenCode marks a step that it continues with another one: "tool-calls", and from 1.18.21 on "unknown". */
export const CONTINUED_FINISHES: ReadonlySet<string> = new Set(['tool-calls', 'unknown']);
