import type { FailureKind } from '../base/kinds';
import type { PolicyStep } from '../base/policy';
import { READ_MAX_CHARS } from './redact';

export type MapEntry = Readonly<{
  kind: FailureKind;
  /** Only the user can end it: pay, sign in or request access. */
  needsUser?: boolean;
  /** Replaces the policy's row. */
  steps?: readonly PolicyStep[];
}>;

export type MapPhrase = MapEntry & Readonly<{ phrase: string }>;

export const RESET_UNITS = ['seconds', 'ms', 'unix-seconds', 'unix-ms', 'date', 'duration'] as const;
export type ResetUnit = (typeof RESET_UNITS)[number];

export type ResetHeader = Readonly<{ name: string; unit: ResetUnit }>;

/** Source: docs/failures.md, kinds of failure. */
export type ProviderMap = Readonly<{
  version: 1;
  /** OpenCode's id; `default` applies to all providers. */
  provider: string;
  aliases: readonly string[];
  /** `mixed` for routers and hosts of many vendors. */
  vendor: string;
  /** By status (`429`) or class (`5xx`). */
  statuses: Readonly<Record<string, FailureKind>>;
  /** By error code or type, in lower case. */
  codes: Readonly<Record<string, MapEntry>>;
  /** In order. */
  phrases: readonly MapPhrase[];
  resetHeaders: readonly ResetHeader[];
  /** IANA name, for times without a zone. */
  timeZone?: string;
}>;

export type CompiledMap = Readonly<{
  provider: string;
  vendor: string;
  statuses: ReadonlyMap<string, FailureKind>;
  codes: ReadonlyMap<string, MapEntry>;
  phrases: readonly Readonly<{ needle: string; entry: MapEntry }>[];
  resetHeaders: readonly ResetHeader[];
}>;

export type MapEvidence = Readonly<{
  status?: number | undefined;
  code?: string | undefined;
  message?: string | undefined;
}>;

export type MapMatch = Readonly<{
  kind: FailureKind;
  source: 'code' | 'phrase' | 'status';
  needsUser: boolean;
  steps?: readonly PolicyStep[];
}>;

const CODE_MAX_CHARS = 200;

const NARROWER: readonly FailureKind[] = [
  'rate_limit',
  'quota',
  'overloaded',
  'timeout',
  'auth',
  'permission',
  'model_not_found',
  'content_policy',
  'context_length',
  'unsupported_input',
];

/**
 * General codes that a phrase may narrow: `api_error` with "overloaded" is an overload, `rate_limit_error` with "usage
 * limit" an exhausted plan.
 */
const REFINED_BY: Partial<Readonly<Record<FailureKind, readonly FailureKind[]>>> = {
  server_error: NARROWER,
  invalid_request: NARROWER,
  rate_limit: ['quota', 'overloaded'],
  permission: ['quota', 'content_policy', 'model_not_found'],
};

/** Some providers call every failure an invalid request. */
const WEAKER_THAN_STATUS: readonly FailureKind[] = ['server_error', 'invalid_request'];

export function compileMap(map: ProviderMap): CompiledMap {
  return {
    provider: map.provider,
    vendor: map.vendor,
    statuses: new Map(Object.entries(map.statuses)),
    codes: new Map(Object.entries(map.codes).map(([code, entry]) => [code.trim().toLowerCase(), entry])),
    phrases: map.phrases.map(({ phrase, ...entry }) => ({ needle: foldText(phrase), entry })),
    resetHeaders: map.resetHeaders,
  };
}

/** Never throws. */
export function kindInMap(compiled: CompiledMap, evidence: MapEvidence): MapMatch | null {
  return kindInMaps([compiled], evidence);
}

/**
 * Maps are in order, the provider's before `default`. Any code outranks every phrase, any phrase every status; a
 * phrase may only narrow a general code.
 */
export function kindInMaps(maps: readonly CompiledMap[], evidence: MapEvidence): MapMatch | null {
  const code = codeIn(maps, textOf(evidence, 'code').slice(0, CODE_MAX_CHARS));
  const phrase = phraseIn(maps, textOf(evidence, 'message'));
  const status = statusIn(maps, evidence);
  if (code === null) {
    if (phrase !== null) return matched(phrase, 'phrase');
    return status === null ? null : matched({ kind: status }, 'status');
  }
  if (phrase !== null && isRefined(code.kind, phrase.kind)) return matched(phrase, 'phrase');
  if (status !== null && isWeaker(code.kind, status, evidence)) return matched({ kind: status }, 'status');
  const agreed = phrase?.kind === code.kind && phrase.needsUser === true;
  return matched(agreed ? { ...code, needsUser: true } : code, 'code');
}

export const readingOf = ({
  kind,
  source,
  needsUser,
  steps,
}: MapMatch): Readonly<{
  mapped: Readonly<{ kind: FailureKind; needsUser?: boolean; isVague?: true }>;
  steps?: readonly PolicyStep[];
}> => ({
  mapped: {
    kind,
    ...(needsUser ? { needsUser } : {}),
    ...(kind === 'invalid_request' && source !== 'phrase' ? { isVague: true } : {}),
  },
  ...(steps ? { steps } : {}),
});

/** The most specific first. */
export function mapsFor(maps: readonly ProviderMap[], provider: string): readonly ProviderMap[] {
  const own = maps.find((map) => map.provider === provider) ?? maps.find((map) => map.aliases.includes(provider));
  const general = maps.find((map) => map.provider === 'default');
  return [...new Set([own, general])].filter((map) => map !== undefined);
}

/** Normalises case, width, typographic signs, invisible characters and white space of at most 20,000 characters. */
export function foldText(text: string): string {
  return (
    text
      .slice(0, READ_MAX_CHARS)
      .normalize('NFKC')
      .slice(0, READ_MAX_CHARS)
      // Together they fold what lower case keeps apart, such as "ß" and "SS".
      .toUpperCase()
      .toLowerCase()
      .replace(/ς/g, 'σ')
      .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
      .replace(/[‘’ʼ′`]/g, "'")
      .replace(/[“”″]/g, '"')
      .replace(/[‐‑‒–—−]/g, '-')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

const isRefined = (general: FailureKind, narrow: FailureKind): boolean =>
  REFINED_BY[general]?.includes(narrow) ?? false;

/** A "server error" with a 4xx is not the server's. */
function isWeaker(code: FailureKind, status: FailureKind, evidence: MapEvidence): boolean {
  if (!WEAKER_THAN_STATUS.includes(code)) return false;
  return isRefined(code, status) || (code === 'server_error' && Number(evidence.status) < 500);
}

function matched(entry: MapEntry, source: MapMatch['source']): MapMatch {
  const { kind, needsUser = false, steps } = entry;
  return { kind, source, needsUser, ...(steps === undefined ? {} : { steps }) };
}

function textOf(evidence: MapEvidence, field: 'code' | 'message'): string {
  try {
    const value: unknown = evidence[field];
    return typeof value === 'string' ? value : '';
  } catch {
    // silent: a getter of a foreign error object may throw
    return '';
  }
}

/** `rate_limited:pro` and `ThrottlingException:http://…` append a detail, `ns#Exception` prepends one. */
function codeIn(maps: readonly CompiledMap[], code: string): MapEntry | null {
  const whole = code.trim().toLowerCase();
  if (whole === '') return null;
  const names = [whole, whole.split(':')[0] ?? '', whole.split('#').at(-1) ?? ''];
  for (const map of maps) {
    for (const name of names) {
      const entry = map.codes.get(name);
      if (entry !== undefined) return entry;
    }
  }
  return null;
}

function phraseIn(maps: readonly CompiledMap[], message: string): MapEntry | null {
  if (message === '') return null;
  const text = foldText(message);
  for (const map of maps) {
    for (const { needle, entry } of map.phrases) if (contains(text, needle)) return entry;
  }
  return null;
}

function statusIn(maps: readonly CompiledMap[], evidence: MapEvidence): FailureKind | null {
  let status: unknown;
  try {
    status = evidence.status;
  } catch {
    // silent: as in textOf
    return null;
  }
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 999) return null;
  for (const name of [`${status}`, `${Math.floor(status / 100)}xx`]) {
    for (const map of maps) {
      const kind = map.statuses.get(name);
      if (kind !== undefined) return kind;
    }
  }
  return null;
}

/** A match must not cut a number, or a word next to a digit. */
function contains(text: string, needle: string): boolean {
  if (needle === '') return false;
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    const end = at + needle.length;
    if (!cutsNumber(text, at, -1) && !cutsNumber(text, end - 1, 1)) return true;
  }
  return false;
}

const DIGIT = /\p{N}/u;
/** Scripts that separate words by spaces. */
const WORD = /[\p{N}\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}_]/u;

function cutsNumber(text: string, at: number, step: 1 | -1): boolean {
  if (!DIGIT.test(text.charAt(at))) return false;
  const next = text.charAt(at + step);
  return WORD.test(next) || ((next === '.' || next === ',') && DIGIT.test(text.charAt(at + 2 * step)));
}
