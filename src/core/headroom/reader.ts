import type { Dialect, DialectHeader, Figure } from './dialect-schema';

export type HeaderReader = Readonly<{
  prefix: string;
  pattern: RegExp;
  parts: ReadonlyMap<string, Figure>;
  written: 'plain' | 'query' | 'fields';
  isLimit: boolean;
}>;

export type Reader = Readonly<{
  dialect: Dialect;
  providers: ReadonlySet<string> | null;
  headers: readonly HeaderReader[];
  /** Recognizes headers that belong to no single window. */
  isKnown: (name: string) => boolean;
  lengths: ReadonlyMap<string, Readonly<Record<string, number>>>;
}>;

/** No hyphens, because they separate the parts of a header's name. */
const ANY_WINDOW = '[a-z0-9_.]{1,40}';
const ANY_LIMIT = '[a-z0-9_-]{1,40}';

/** Compiled once: readers run for every response. */
export function readerOf(dialect: Dialect): Reader {
  const windows = dialect.otherWindows ? ANY_WINDOW : oneOf(Object.keys(dialect.windows ?? {}));
  const patterns = [
    ...(dialect.ignored ?? []),
    ...(dialect.ruling ? [dialect.ruling.header] : []),
    ...(dialect.overdraws ?? []).map(({ header }) => header),
    ...(dialect.stopped ? [dialect.stopped.header] : []),
  ].map((name) => new RegExp(`^${name.split('*').map(escaped).join('.*')}$`));
  return {
    dialect,
    providers: dialect.providers ? new Set(dialect.providers) : null,
    headers: dialect.headers.map((header) => headerReaderOf(header, windows)),
    isKnown: (name) => patterns.some((pattern) => pattern.test(name)),
    lengths: new Map(
      (dialect.lengths ?? []).flatMap(({ providers, windows: own }) => providers.map((id) => [id, own] as const)),
    ),
  };
}

/** One pattern for all names of interest: most headers fail it. */
export function nameFilter(readers: readonly Reader[], words: readonly string[]): RegExp {
  const prefixes = readers.flatMap(({ headers }) => headers.map(({ prefix }) => prefix));
  const others = prefixes.filter((prefix) => !words.some((word) => prefix.includes(word)));
  return new RegExp(
    [...words.map(escaped), ...[...new Set(others)].map((prefix) => `^${escaped(prefix)}`)].join('|'),
    'i',
  );
}

function headerReaderOf(header: DialectHeader, windows: string): HeaderReader {
  const parts = oneOf(Object.keys(header.parts));
  const groups: Readonly<Record<string, string>> = { window: windows, limit: ANY_LIMIT, part: parts };
  const pattern = header.name.replace(/\{(\w+)\}|[^{]+/g, (text, group: string | undefined) =>
    group === undefined ? escaped(text) : `(?<${group}>${groups[group]})`,
  );
  return {
    prefix: header.name.split('{')[0] ?? '',
    pattern: new RegExp(`^${pattern}$`),
    parts: new Map(Object.entries(header.parts)),
    written: header.written ?? 'plain',
    isLimit: header.isLimit ?? false,
  };
}

/** The longest first: `reset-after-seconds` is not a `reset` with a suffix. */
const oneOf = (names: readonly string[]): string =>
  names.length === 0
    ? '(?!)'
    : names
        .toSorted((one, other) => other.length - one.length)
        .map(escaped)
        .join('|');

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
