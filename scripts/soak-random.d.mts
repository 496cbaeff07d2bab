export function roundsOf(words: readonly string[]): number;
export function soakRandom(words: readonly string[]): number;
