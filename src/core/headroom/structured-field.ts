export type FieldItem = Readonly<{
  /** Null for a number and for parameters of the whole (`limit=100`). */
  name: string | null;
  value: number | null;
  params: readonly (readonly [key: string, value: string])[];
}>;

const TEXT_MAX = 2_000;
const ITEMS_MAX = 16;
const KEY_VALUE = /^([a-z*][a-z0-9_.*-]{0,39})=(.{0,82})$/;

/**
 * The drafts of the RateLimit headers have texts with parameters (`"day";r=100;t=36000`), numbers with parameters
 * (`100, 100;w=60`), or a dictionary (`limit=100, remaining=50`).
 */
export function fieldItems(value: string): readonly FieldItem[] {
  // No draft uses escapes in window names.
  if (value.length > TEXT_MAX || value.includes('\\')) return [];
  const texts = splitOutside(value, ',');
  if (texts === null || texts.length > ITEMS_MAX) return [];
  return texts.flatMap((text) => {
    const item = itemOf(text);
    return item ? [item] : [];
  });
}

function itemOf(text: string): FieldItem | null {
  const [head = '', ...rest] = splitOutside(text, ';') ?? [];
  const params = rest.flatMap(paramOf);
  const own = paramOf(head);
  if (own.length > 0) return { name: null, value: null, params: [...own, ...params] };
  const name = unquoted(head);
  if (name === '') return null;
  return /^\d{1,15}$/.test(head) ? { name: null, value: Number(head), params } : { name, value: null, params };
}

function paramOf(text: string): FieldItem['params'] {
  const pair = KEY_VALUE.exec(text);
  return pair ? [[pair[1] ?? '', unquoted(pair[2] ?? '')]] : [];
}

function splitOutside(text: string, separator: string): readonly string[] | null {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === separator && !isQuoted) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  parts.push(text.slice(start).trim());
  return isQuoted ? null : parts;
}

const unquoted = (text: string): string => (/^".*"$/.test(text) ? text.slice(1, -1) : text);
