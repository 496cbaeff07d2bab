export function oddRate(texts: readonly string[]): number;
