export function notesOf(changelog: string, version: string): string;
export function tagProblem(tag: string, version: string): string | null;
export function updateFiles(
  names: readonly string[],
  version: string,
  releases: string,
): Readonly<Record<string, Readonly<{ version: string; url: string }>>>;
