import type { Activity, ProcessId } from '../base/types';

export type Input = Readonly<{ problem: string | null; repo: string | null; isDeep: boolean }>;

export type Route = Readonly<{ activity: Activity; process: ProcessId; cast: 'heroes' | 'personas' }>;

/** By the shape of the input, never its wording. Source: docs/council.md. */
export function route({ problem, repo, isDeep }: Input): Route | null {
  const asks = problem !== null && problem.trim() !== '';
  if (!asks && repo === null) return null;
  if (!asks) return { activity: 'code_review', process: 'CODE_REVIEW', cast: 'heroes' };
  const process = isDeep ? 'DEEP' : 'STANDARD';
  return { activity: repo === null ? 'brainstorm' : 'code_brainstorm', process, cast: 'personas' };
}

/** Includes unsupported addresses, to reject them with a message. */
const ADDRESS = /^(?:[a-z][a-z\d+.-]+:\/\/|git@[^\s:/]+:)\S+$/i;
/** Makes git run a program; inside a sentence it is a qualified name. */
const BY_PROGRAM = /^[a-z\d]+::/i;

/**
 * The first word is a repository if it is `.`, an address or an existing path. A path alone always is, so that a
 * typing error is reported.
 * @param exists checks a path relative to the caller's directory.
 */
export function readCouncilWords(words: string, exists: (path: string) => boolean): Omit<Input, 'isDeep'> {
  const [, first = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(words.trim()) ?? [];
  const isAlone = rest.trim() === '';
  const isPath = first === '.' || (/^(?:\.{1,2}\/|\/|~\/)/.test(first) && (isAlone || exists(first)));
  if (!isPath && !isAddressWord(first)) return { repo: null, problem: words.trim() || null };
  return { repo: first, problem: rest.trim() || null };
}

export function readDepth(words: string): Readonly<{ isDeep: boolean; rest: string }> {
  const [deep, rest = ''] = /^--deep(?:\s+(.*))?$/s.exec(words.trim()) ?? [];
  return deep === undefined ? { isDeep: false, rest: words } : { isDeep: true, rest };
}

export const isAddressWord = (word: string): boolean => ADDRESS.test(word);

export const isAddress = (repo: string): boolean => isAddressWord(repo) || BY_PROGRAM.test(repo);
