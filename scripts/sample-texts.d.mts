export function draw<T>(items: readonly T[], seed: number, count?: number): readonly T[];
