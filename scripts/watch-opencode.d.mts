import type { Group, PlayedPromise, Results, Summary } from './promises.mjs';

type Played = Readonly<{ group: string; promises: readonly PlayedPromise[] }>;
type Known = Readonly<{ version: string; groups: Readonly<Record<string, Summary>> }>;
type Difference = Readonly<{ group: string; promise: string; why: string }>;
type Release = Readonly<{ version: string; known: string | null; differences: readonly Difference[] }>;
type Task = Readonly<{ version: string; binary: string; group: Group }>;
export type Means = Readonly<{
  listVersions(generation: number): Promise<readonly string[]>;
  fetch(generation: number, version: string): Promise<string>;
  play(task: Task): Promise<Readonly<{ promises: readonly PlayedPromise[] }> | Readonly<{ unplayed: string }>>;
  results: Results;
  date: string;
}>;

export function newestOf(versions: readonly string[], generation: number): readonly string[];
export function knownBefore(results: Results, version: string): Known | null;
export function differencesOf(played: readonly Played[], known: Known | null): readonly Difference[];
export function differenceText(
  seen: Readonly<{ date: string; releases: readonly Release[]; notes: readonly string[] }>,
): string;
type Conclusion = Readonly<{ exitCode: 0 | 1 | 3; words: readonly string[]; text: string | null }>;
export function watch(means: Means, tell?: (seen: Conclusion) => void): Promise<Conclusion>;
export function watchInto(path: string, means: Means, say?: (line: string) => void): Promise<0 | 1 | 3>;
export function listVersions(generation: number): Promise<readonly string[]>;
