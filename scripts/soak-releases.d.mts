import type { Group, Results } from './promises.mjs';

export function readResults(): Results;
export function planOf(words: readonly string[]): readonly Readonly<{ version: string; groups: readonly Group[] }>[];
export function soakReleases(words: readonly string[]): Promise<number>;
