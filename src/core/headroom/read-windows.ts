import type { SeenWindow } from '../../engine';
import { BUILT_IN_DIALECTS } from './built-in-dialects';
import { type Collected, collect, mayHoldSecret, type NameParts } from './collect';
import { type HeaderReader, nameFilter, type Reader, readerOf } from './reader';
import { windowsOf } from './window-of';

/** `seenAt` is Unix ms. */
export type AskedWhom = Readonly<{ provider: string; seenAt: number }>;

export type ReadWindows = Readonly<{ windows: readonly SeenWindow[]; unknown: readonly string[] }>;

const LIMIT_WORDS = ['ratelimit', 'rate-limit', 'quota', 'usage'];
const UNKNOWN_MAX = 20;
/** Maximum number of windows per response; more were never observed. */
const WINDOWS_MAX = 40;
const NAME_MAX = 80;
const VALUE_MAX = 2_000;
/** A response has about twenty. */
const HEADERS_MAX = 200;
const NOTHING: ReadWindows = { windows: [], unknown: [] };

/** Bounds the cache for a provider that sends new names each time. */
const NAMES_MAX = 500;
const PROVIDERS_MAX = 100;

type Meaning =
  | Readonly<{ kind: 'read'; reader: Reader; header: HeaderReader; groups: NameParts }>
  | Readonly<{ kind: 'known' | 'unknown' | 'secret' }>;
type Readers = Readonly<{ all: readonly Reader[]; isLimit: RegExp; isUnknown: RegExp }>;
let made: Readers | null = null;
const meanings = new Map<string, Map<string, Meaning>>();

/**
 * Leaves out uncertain windows. Never throws. @param headers names may repeat. @returns the windows, and names that
 * sound like a limit but fit no dialect.
 */
export function windowsIn(headers: Iterable<readonly [name: string, value: string]>, context: AskedWhom): ReadWindows {
  made ??= compiled();
  const limitValues = limitHeaders(headers, made.isLimit);
  if (limitValues.size === 0) return NOTHING;
  const unknown: string[] = [];
  const collected = new Map<Reader, Collected>();
  const meaningByName = meaningsAt(context.provider);
  for (const [name, value] of limitValues) {
    const meaning = meaningByName.get(name) ?? lookedUp(made, name, context.provider);
    if (meaningByName.size < NAMES_MAX) meaningByName.set(name, meaning);
    if (meaning.kind === 'unknown') unknown.push(name);
    if (meaning.kind === 'read') collect(figuresBy(collected, meaning.reader), meaning, value, context.seenAt);
  }
  const windows = new Map<string, SeenWindow>();
  for (const [reader, figures] of collected) {
    for (const window of windowsOf(reader, figures, { ...context, said: limitValues })) {
      // A gateway may send two dialects in one response; the fuller window is the safe one.
      if (window.used >= (windows.get(window.id)?.used ?? 0)) windows.set(window.id, window);
    }
  }
  return {
    windows: [...windows.values()].slice(0, WINDOWS_MAX),
    unknown: unknown.slice(0, UNKNOWN_MAX).map((name) => name.slice(0, NAME_MAX)),
  };
}

/** Reads stream events of ChatGPT's Codex; its `error` carries a failed response's headers. Never throws. */
export function windowsInEvent(event: unknown, context: AskedWhom): ReadWindows {
  if (!isRecord(event)) return NOTHING;
  if (event.type === 'error') return windowsIn(pairs(event.headers, ''), context);
  if (event.type !== 'codex.rate_limits' || !isRecord(event.rate_limits)) return NOTHING;
  const named = typeof event.metered_limit_name === 'string' ? event.metered_limit_name : event.limit_name;
  const limit = typeof named === 'string' ? named.trim().toLowerCase().replaceAll('_', '-') : 'codex';
  const { primary, secondary } = event.rate_limits;
  const headers = [
    ...pairs(primary, `x-${limit}-primary-`),
    ...pairs(secondary, `x-${limit}-secondary-`),
    ...pairs(event.credits, 'x-codex-credits-'),
    ...(named === event.limit_name ? [] : pairs({ limit_name: event.limit_name }, `x-${limit}-`)),
  ];
  return windowsIn(headers, context);
}

function compiled(): Readers {
  const all = BUILT_IN_DIALECTS.map(readerOf);
  return { all, isLimit: nameFilter(all, LIMIT_WORDS), isUnknown: nameFilter([], LIMIT_WORDS) };
}

function figuresBy(collected: Map<Reader, Collected>, reader: Reader): Collected {
  const existing = collected.get(reader);
  if (existing) return existing;
  const own: Collected = new Map();
  collected.set(reader, own);
  return own;
}

function limitHeaders(headers: Iterable<readonly [string, string]>, isLimit: RegExp): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of headers) {
    if (!isLimit.test(name) || typeof value !== 'string' || value.length > VALUE_MAX) continue;
    const key = name.toLowerCase();
    const existing = found.get(key);
    found.set(key, existing === undefined ? value : `${existing}, ${value}`);
    if (found.size === HEADERS_MAX) break;
  }
  return found;
}

function meaningsAt(provider: string): Map<string, Meaning> {
  const existing = meanings.get(provider);
  if (existing) return existing;
  if (meanings.size >= PROVIDERS_MAX) meanings.clear();
  const own = new Map<string, Meaning>();
  meanings.set(provider, own);
  return own;
}

function lookedUp({ all, isUnknown }: Readers, name: string, provider: string): Meaning {
  // Names that may hold a secret are neither read nor reported.
  if (!/^[a-z0-9_.-]+$/.test(name) || mayHoldSecret(name)) return { kind: 'secret' };
  for (const reader of all) {
    if (reader.providers !== null && !reader.providers.has(provider)) continue;
    for (const header of reader.headers) {
      const match = name.startsWith(header.prefix) ? header.pattern.exec(name) : null;
      if (match) return { kind: 'read', reader, header, groups: { window: '', limit: '', part: '', ...match.groups } };
    }
    if (reader.isKnown(name)) return { kind: 'known' };
  }
  return { kind: isUnknown.test(name) ? 'unknown' : 'known' };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function pairs(value: unknown, prefix: string): (readonly [string, string])[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, content]) =>
    ['string', 'number', 'boolean'].includes(typeof content)
      ? [[`${prefix}${key.toLowerCase().replaceAll('_', '-')}`, String(content)] as const]
      : [],
  );
}
