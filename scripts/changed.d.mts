export const FEATURES: Readonly<Record<string, Readonly<{ sources: RegExp; tests: RegExp }>>>;
export function reachOf(path: string, imports: ReadonlyMap<string, readonly string[]>): readonly string[] | null;
export function testsFor(
  changed: readonly string[],
  tree: Readonly<{ imports: ReadonlyMap<string, readonly string[]>; tests: readonly string[] }>,
): readonly string[];
export function nearestTests(
  changed: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
): readonly string[];
