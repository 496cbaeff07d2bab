import { isAddressWord } from '../rules/process/route';

export type AskedFor = Readonly<{ problem: string | null; repo: string | null }>;
export type Shape = 'nothing' | 'review' | 'brainstorm' | 'both';

const PATH = /^(?:\/(?!\s)|~[/\\]|[A-Za-z]:[/\\]|\\\\)/;
const QUOTED = /^(["'])([^\n]+?)\1(?:\s+(.*))?$/s;
const FIRST_WORD = /^(\S+)\s*(.*)$/s;
const FIRST_LINE = /^(\S+)[^\S\n]*(?:\n(.*))?$/s;

/**
 * The second field wins. In the first, the repository is an address at the start, or a path on its own line or in
 * quotes. The renderer cannot check paths.
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

export function placeName(place: string): string {
  const isAddress = isAddressWord(place);
  const last =
    place
      .split(isAddress ? /[/:]/ : /[\\/]/)
      .filter(Boolean)
      .at(-1) ?? place;
  return isAddress ? last.replace(/\.git$/, '') : last;
}
