/** Every swallowed error below `src`, as `file:line: sentence`. */
export function silentProblems(root: string): string[];
