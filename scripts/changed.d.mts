/** Features by the names of their files. */
export const FEATURES: Readonly<Record<string, Readonly<{ sources: RegExp; tests: RegExp }>>>;
/** Features that a file of src can change; null if it can change everything. */
export function reachOf(path: string, imports: ReadonlyMap<string, readonly string[]>): readonly string[] | null;
/** Names of the end-to-end tests that a set of changed files can reach. */
export function testsFor(
  changed: readonly string[],
  tree: Readonly<{ imports: ReadonlyMap<string, readonly string[]>; tests: readonly string[] }>,
): readonly string[];
/** Test files by their distance from changed files along the imports, the nearest first. */
export function nearestTests(
  changed: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
): readonly string[];
