import type { FailureKind } from '../base/kinds';
import type { PolicyStep } from '../base/policy';
import { READ_MAX_CHARS } from './redact';

/** What one code, or one phrase, of a provider means. */
export type MapEntry = Readonly<{
  kind: FailureKind;
  /** No clock heals it: a person has to pay, sign in or ask for access. */
  needsUser?: boolean;
  /** Replaces the policy row of the kind where this entry matched. */
  steps?: readonly PolicyStep[];
}>;

export type MapPhrase = MapEntry & Readonly<{ phrase: string }>;

/** How a reset header counts: seconds or ms from now, a point in Unix time, a date, or a duration such as `6m0s`. */
export const RESET_UNITS = ['seconds', 'ms', 'unix-seconds', 'unix-ms', 'date', 'duration'] as const;
export type ResetUnit = (typeof RESET_UNITS)[number];

/** A response header that says when a limit ends. The name is lower case. */
export type ResetHeader = Readonly<{ name: string; unit: ResetUnit }>;

/** What a provider's errors mean, as data. Source: docs/failures.md, kinds of failure. */
export type ProviderMap = Readonly<{
  version: 1;
  /** Provider id as OpenCode names it; `default` answers for every provider. */
  provider: string;
  /** Other provider ids that use the same map. */
  aliases: readonly string[];
  /** Vendor family of its models; `mixed` for routers and hosts of many families. */
  vendor: string;
  /** By status (`429`) or by class of statuses (`5xx`). */
  statuses: Readonly<Record<string, FailureKind>>;
  /** By the provider's error code or type, lower case. */
  codes: Readonly<Record<string, MapEntry>>;
  /** The first that matches counts. */
  phrases: readonly MapPhrase[];
  resetHeaders: readonly ResetHeader[];
  /** Zone of the times its messages name without one, by its name in the IANA database. */
  timeZone?: string;
}>;

/** A map made ready for matching. */
export type CompiledMap = Readonly<{
  provider: string;
  vendor: string;
  statuses: ReadonlyMap<string, FailureKind>;
  codes: ReadonlyMap<string, MapEntry>;
  phrases: readonly Readonly<{ needle: string; entry: MapEntry }>[];
  resetHeaders: readonly ResetHeader[];
}>;

/** What a map is asked about; anything that is not a number or a text counts as silence. */
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
 * Codes so general that a phrase which says more does not contradict them: `api_error` with "overloaded" is an
 * overload, `rate_limit_error` with "usage limit" is a spent plan. Any other code stands whatever the text says.
 */
const REFINED_BY: Partial<Readonly<Record<FailureKind, readonly FailureKind[]>>> = {
  server_error: NARROWER,
  invalid_request: NARROWER,
  rate_limit: ['quota', 'overloaded'],
  permission: ['quota', 'content_policy', 'model_not_found'],
};

/** Codes that say less than a status: some providers call every failure an invalid request. */
const WEAKER_THAN_STATUS: readonly FailureKind[] = ['server_error', 'invalid_request'];

/** Makes a map ready for matching. */
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

/** What one map says of a failure; null when it is silent. Never throws, whatever the evidence holds. */
export function kindInMap(compiled: CompiledMap, evidence: MapEvidence): MapMatch | null {
  return kindInMaps([compiled], evidence);
}

/**
 * What several maps say together, the more special first (a provider's own, then `default`): a code in any of them
 * outranks every phrase, and a phrase every status. A phrase may narrow a general code and never contradicts one.
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

/** A match as it goes with the evidence of a failure, with the row of steps the map gives it in place of the policy's. */
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

/** The maps that speak for a provider, the most special first; only `default` for an unknown one. */
export function mapsFor(maps: readonly ProviderMap[], provider: string): readonly ProviderMap[] {
  const own = maps.find((map) => map.provider === provider) ?? maps.find((map) => map.aliases.includes(provider));
  const general = maps.find((map) => map.provider === 'default');
  return [...new Set([own, general])].filter((map) => map !== undefined);
}

/**
 * A text as phrases are compared: without case, width, accents of typography (quotes, dashes) and invisible
 * characters, white space folded to single blanks. Reads at most 20,000 characters.
 */
export function foldText(text: string): string {
  return (
    text
      .slice(0, READ_MAX_CHARS)
      .normalize('NFKC')
      .slice(0, READ_MAX_CHARS)
      // Up and down again folds what lower case alone keeps apart, such as "ß" and "SS".
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

/** Whether a code says less than the status it came with; a "server error" with a 4xx is no fault of the server. */
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

/** `rate_limited:pro` and `ThrottlingException:http://…` carry a detail after the code, `ns#Exception` one before it. */
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

/** True if a folded text holds a folded phrase that cuts no number and no word of a number. */
function contains(text: string, needle: string): boolean {
  if (needle === '') return false;
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    const end = at + needle.length;
    if (!cutsNumber(text, at, -1) && !cutsNumber(text, end - 1, 1)) return true;
  }
  return false;
}

const DIGIT = /\p{N}/u;
/** Scripts that part their words with blanks; in the others a digit beside a letter is no part of a word. */
const WORD = /[\p{N}\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}_]/u;

function cutsNumber(text: string, at: number, step: 1 | -1): boolean {
  if (!DIGIT.test(text.charAt(at))) return false;
  const next = text.charAt(at + step);
  return WORD.test(next) || ((next === '.' || next === ',') && DIGIT.test(text.charAt(at + 2 * step)));
}
