/** Returns `count` items in the order of a seeded shuffle. */
export function draw<T>(items: readonly T[], seed: number, count?: number): readonly T[];
