import { isAbsolute, relative, resolve, sep } from 'node:path';
import { isSecretFile } from '../node/secrets';

/** Path argument in OpenCode 1.x and 2.x. */
const PLACES: Readonly<Record<string, Readonly<Record<1 | 2, string>>>> = {
  read: { 1: 'filePath', 2: 'path' },
  glob: { 1: 'path', 2: 'path' },
  grep: { 1: 'path', 2: 'path' },
};

const SAID = {
  nothing: 'There is nothing to read, and there are no tools: say what you think.',
  notTheirs: 'is not for a reviewer: you have read, glob and grep.',
  elsewhere: 'Only the repository may be read',
  secret: 'Files that hold secrets are not read.',
} as const;

/**
 * Limits a tool to the reviewed folder, because OpenCode's rules do not check the path of a search. A missing path
 * means that folder.
 * @param repo null permits nothing.
 * @param args changed in place.
 * @throws Error for the participant.
 */
export function guardTool(
  repo: string | null,
  tool: string,
  args: Record<string, unknown>,
  generation: 1 | 2 = 1,
): void {
  if (repo === null) throw new Error(SAID.nothing);
  const key = PLACES[tool]?.[generation];
  if (key === undefined) throw new Error(`${tool} ${SAID.notTheirs}`);
  const given = args[key];
  const path = resolve(repo, typeof given === 'string' ? given : '');
  if (!isIn(repo, path)) throw new Error(`${SAID.elsewhere}: ${repo}`);
  if (tool === 'read' && isSecretFile(relative(repo, path))) throw new Error(SAID.secret);
  args[key] = path;
}

function isIn(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/** Errors of the guard, of rules and for an unknown tool. [seen: 1.18.34, 2.0.15] */
const REFUSALS: readonly string[] = [...Object.values(SAID), 'unavailable tool', 'rule which prevents'];

export const isRefusal = (error: string | undefined): boolean =>
  error !== undefined && REFUSALS.some((phrase) => error.toLowerCase().includes(phrase.toLowerCase()));
