/** What a person wants a council to look at. */
export type AskedFor = Readonly<{ problem: string | null; repo: string | null }>;
/** What comes of it, by its shape. */
export type Shape = 'nothing' | 'review' | 'brainstorm' | 'both';

/** An absolute path, one below the home folder, or an address that git fetches from. */
const PLACE = /^(?:\/(?!\s)|~[/\\]|[A-Za-z]:[/\\]|\\\\|https:\/\/|ssh:\/\/)/;
/** What an unquoted first word ends with. */
const FIRST_WORD = /^\S+/;

/**
 * What is meant by the two fields. A folder or address that stands alone in the first field is what is looked at; one at its
 * beginning as well, unless the second field names another.
 */
export function askedFor(text: string, place: string): AskedFor {
  const problem = text.trim();
  const repo = place.trim();
  if (repo !== '') return { problem: problem === '' ? null : problem, repo };
  if (!PLACE.test(problem)) return { problem: problem === '' ? null : problem, repo: null };
  // A path may have spaces in it: what is written on one line is one, unless it is an address.
  if (!problem.includes('\n') && !isAddress(problem)) return { problem: null, repo: problem };
  const [first = ''] = FIRST_WORD.exec(problem) ?? [];
  const rest = problem.slice(first.length).trim();
  return { problem: rest === '' ? null : rest, repo: first };
}

/** Whether it is fetched before it is looked at. */
export const isAddress = (place: string): boolean => /^(?:https|ssh):\/\//.test(place);

export function shapeOf({ problem, repo }: AskedFor): Shape {
  if (repo !== null) return problem === null ? 'review' : 'both';
  return problem === null ? 'nothing' : 'brainstorm';
}

/** What people call a folder or a repository: the last part of its path or address. */
export function placeName(place: string): string {
  const last = place.split(/[\\/]/).filter(Boolean).at(-1) ?? place;
  return isAddress(place) ? last.replace(/\.git$/, '') : last;
}
