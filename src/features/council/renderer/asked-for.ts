import { isAddressWord } from '../rules/process/route';

export type AskedFor = Readonly<{ problem: string | null; repo: string | null }>;
export type Shape = 'nothing' | 'review' | 'brainstorm' | 'both';

/** How a path begins that is absolute, or below the home folder. */
const PATH = /^(?:\/(?!\s)|~[/\\]|[A-Za-z]:[/\\]|\\\\)/;
/** What stands between quotes at the beginning, and what follows it. */
const QUOTED = /^(["'])([^\n]+?)\1(?:\s+(.*))?$/s;
const FIRST_WORD = /^(\S+)\s*(.*)$/s;
const FIRST_LINE = /^(\S+)[^\S\n]*(?:\n(.*))?$/s;

/**
 * What is meant by the two fields. An address at the beginning of the first is what is looked at, and so is a path that has a
 * line for itself or stands between quotes; unless the second field names another. Nobody can look from here whether a path
 * exists: a line with blanks that only begins like one is a problem in words.
 */
export function askedFor(text: string, place: string): AskedFor {
  const repo = place.trim();
  const named = repo === '' ? placeAtHead(text.trim()) : null;
  const problem = named === null ? text.trim() : named.rest;
  return { problem: problem === '' ? null : problem, repo: named?.place ?? (repo === '' ? null : repo) };
}

function placeAtHead(text: string): Readonly<{ place: string; rest: string }> | null {
  const [, , quoted = '', behind = ''] = QUOTED.exec(text) ?? [];
  if (PATH.test(quoted) || isAddressWord(quoted)) return { place: quoted, rest: behind.trim() };
  const [, word = '', words = ''] = FIRST_WORD.exec(text) ?? [];
  if (isAddressWord(word)) return { place: word, rest: words };
  const [, line = '', lines = ''] = FIRST_LINE.exec(text) ?? [];
  return PATH.test(line) ? { place: line, rest: lines.trim() } : null;
}

export const isLikePath = ({ problem, repo }: AskedFor): boolean =>
  repo === null && problem !== null && PATH.test(problem);

export function shapeOf({ problem, repo }: AskedFor): Shape {
  if (repo !== null) return problem === null ? 'review' : 'both';
  return problem === null ? 'nothing' : 'brainstorm';
}

/** What people call a folder or a repository: the last part of its path or address. */
export function placeName(place: string): string {
  const isAddress = isAddressWord(place);
  const last =
    place
      .split(isAddress ? /[/:]/ : /[\\/]/)
      .filter(Boolean)
      .at(-1) ?? place;
  return isAddress ? last.replace(/\.git$/, '') : last;
}
