export function silentProblems(root: string): string[];
