import { TALK_MAX, TALK_TEXT_MAX, type Talk } from '../../../protocol';
import { plainLine } from '../rules/base/text';
import { cleanText } from '../rules/said/clean';
import { withoutCalls } from '../rules/said/talk';

export type Uttered = Readonly<{ at: number }> &
  (
    | Readonly<{ kind: 'text'; text: string }>
    | Readonly<{ kind: 'tool'; tool: string; input: unknown; isRefused: boolean }>
  );

const BYTES_MAX = 65_536;
const NAME_MAX = 200;

/**
 * Removes keys, addresses, home folders and call blocks.
 * @param repo base of file names.
 */
export function talkOf(uttered: readonly Uttered[], repo: string | null): readonly Talk[] {
  const all = uttered.flatMap((each) => toldAs(each, repo)).slice(-TALK_MAX);
  let bytes = 0;
  const from = all.findLastIndex((each) => {
    bytes += new TextEncoder().encode(JSON.stringify(each)).length;
    return bytes > BYTES_MAX;
  });
  return all.slice(from + 1);
}

function toldAs(uttered: Uttered, repo: string | null): readonly Talk[] {
  const { at } = uttered;
  if (uttered.kind === 'tool') {
    const { tool, input, isRefused } = uttered;
    return [{ kind: 'tool', at, tool: plainLine(tool).slice(0, NAME_MAX), about: aboutOf(input, repo), isRefused }];
  }
  const text = cleanText(withoutCalls(inside(uttered.text, repo)));
  return text === '' ? [] : [{ kind: 'text', at, text: cut(text) }];
}

const KEYS = ['pattern', 'include', 'filePath', 'path'] as const;

/** "eval\( *.js src" */
function aboutOf(input: unknown, repo: string | null): string {
  if (typeof input !== 'object' || input === null) return '';
  const given = input as Readonly<Record<string, unknown>>;
  const parts = KEYS.flatMap((key) => {
    const value = given[key];
    return typeof value === 'string' && value !== repo ? [inside(value, repo)] : [];
  });
  return cleanText(plainLine(parts.join(' '))).slice(0, NAME_MAX);
}

const inside = (text: string, repo: string | null): string => (repo === null ? text : text.replaceAll(`${repo}/`, ''));

const cut = (text: string): string =>
  text.length <= TALK_TEXT_MAX ? text : `${text.slice(0, TALK_TEXT_MAX - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
