export function isNodeNewEnough(version: string): boolean;
export function matchesLock(root: string): boolean;
export function ensureDependencies(root: string): number;
