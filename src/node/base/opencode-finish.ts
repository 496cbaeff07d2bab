/** How OpenCode marks a step that another one continues: "tool-calls", and from 1.18.21 on "unknown". */
export const CONTINUED_FINISHES: ReadonlySet<string> = new Set(['tool-calls', 'unknown']);
