import type { Activity, ProcessId } from '../base/types';

/** What a person gives a run. `repo` is a path or an address, as it was given. */
export type Input = Readonly<{ problem: string | null; repo: string | null; isDeep: boolean }>;

export type Route = Readonly<{ activity: Activity; process: ProcessId; cast: 'heroes' | 'personas' }>;

/**
 * What an input is played as: by its shape alone, never by its words. Null where there is nothing to play.
 *
 * Source: docs/council.md.
 */
export function route({ problem, repo, isDeep }: Input): Route | null {
  const asks = problem !== null && problem.trim() !== '';
  if (!asks && repo === null) return null;
  if (!asks) return { activity: 'code_review', process: 'CODE_REVIEW', cast: 'heroes' };
  const process = isDeep ? 'DEEP' : 'STANDARD';
  return { activity: repo === null ? 'brainstorm' : 'code_brainstorm', process, cast: 'personas' };
}

/** What names a place elsewhere, be it one that nothing is fetched from: then that is said. */
const ADDRESS = /^(?:[a-z][a-z\d+.-]+:\/\/|git@[^\s:/]+:)\S+$/i;
/** How git is told to let a program fetch; at the head of a sentence it is a name of code. */
const BY_PROGRAM = /^[a-z\d]+::/i;

/**
 * What was typed in one line: a first word is a repository only if it is `.`, begins as a path and exists, or is an address; a path that is all
 * there is names one also where there is none, so that a slip of the keyboard is told and not thought about.
 *
 * @param exists whether a path is there, seen from where the command was typed.
 */
export function readCouncilWords(words: string, exists: (path: string) => boolean): Omit<Input, 'isDeep'> {
  const [, first = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(words.trim()) ?? [];
  const isAlone = rest.trim() === '';
  const isPath = first === '.' || (/^(?:\.{1,2}\/|\/|~\/)/.test(first) && (isAlone || exists(first)));
  if (!isPath && !isAddressWord(first)) return { repo: null, problem: words.trim() || null };
  return { repo: first, problem: rest.trim() || null };
}

/** What stands behind `/council`, without the first word that asks for more rounds. */
export function readDepth(words: string): Readonly<{ isDeep: boolean; rest: string }> {
  const [deep, rest = ''] = /^--deep(?:\s+(.*))?$/s.exec(words.trim()) ?? [];
  return deep === undefined ? { isDeep: false, rest: words } : { isDeep: true, rest };
}

/** Whether a word names a repository elsewhere, wherever it stands. */
export const isAddressWord = (word: string): boolean => ADDRESS.test(word);

/** Whether a repository is named by an address and not by a path. */
export const isAddress = (repo: string): boolean => isAddressWord(repo) || BY_PROGRAM.test(repo);
