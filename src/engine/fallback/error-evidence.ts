import { serverTime } from '../failure/hints';
import { classify, type Evidence, type Failure, HINT_HEADERS } from '../index';

/** Causes read below an error. Source: docs/failures.md, kinds of failure. */
const CAUSES_MAX = 3;
const CODE_MAX_CHARS = 100;

/** Clients store the provider's message in the body, parsed or not, or in the response. */
const PLACES: readonly (readonly string[])[] = [
  [],
  ['error'],
  ['error', 'error'],
  ['data'],
  ['data', 'error'],
  ['response'],
  ['response', 'data'],
  ['response', 'data', 'error'],
  ['$metadata'],
];
const STATUS_KEYS = ['status', 'statusCode', 'httpStatusCode', 'code'];
const CODE_KEYS = ['code', 'type', 'status'];
const HEADER_KEYS = ['headers', 'responseHeaders'];
const MESSAGE_KEYS = ['message', 'responseBody'];

/**
 * Reads a thrown value and up to three causes: cycles, throwing getters and strings are allowed.
 * @param seenAt Unix ms, for limits with a point in time.
 */
export function evidenceOf(error: unknown, seenAt?: number): Evidence {
  const causes = causesOf(error);
  const places = causes.flatMap(placesIn);
  const status = firstOf(places, STATUS_KEYS, statusIn);
  const names = causes.map((cause) => textIn(read(cause, 'name')));
  const code = codeOf(places, names);
  const holder = firstOf(places, HEADER_KEYS, (value) => (typeof value === 'object' ? value : null));
  const headers = holder && headersOf(holder);
  const message = messageOf(error, places);
  const observed = status === null ? observedIn(names) : null;
  return {
    phase: observed === 'timeout' ? 'watchdog' : 'body',
    ...(status === null ? {} : { status }),
    ...(code === null ? {} : { code }),
    ...(message === '' ? {} : { message }),
    ...(headers === null ? {} : { headers }),
    ...(observed === null ? {} : { observed }),
    ...(seenAt === undefined ? {} : { seenAt: serverTime(holder && headerIn(holder, 'date'), seenAt) }),
  };
}

/** The message is safe to show. @param seenAt Unix ms, for limits with a point in time. */
export function failureOf(error: unknown, seenAt?: number): Failure {
  return classify(evidenceOf(error, seenAt));
}

function read(value: unknown, key: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  try {
    return (value as Readonly<Record<string, unknown>>)[key];
  } catch {
    // silent: a getter or a proxy of a foreign error may throw
    return undefined;
  }
}

function causesOf(error: unknown): readonly unknown[] {
  const causes = [error];
  let cause = read(error, 'cause');
  while (causes.length <= CAUSES_MAX && cause !== undefined && cause !== null && !causes.includes(cause)) {
    causes.push(cause);
    cause = read(cause, 'cause');
  }
  return causes;
}

function placesIn(cause: unknown): readonly unknown[] {
  return PLACES.map((path) => path.reduce(read, cause)).filter((place) => typeof place === 'object' && place !== null);
}

function firstOf<T>(places: readonly unknown[], keys: readonly string[], take: (value: unknown) => T | null): T | null {
  for (const place of places) {
    for (const key of keys) {
      const found = take(read(place, key));
      if (found !== null) return found;
    }
  }
  return null;
}

const textIn = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

function statusIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 100 && value < 600 ? value : null;
}

/** A wrapper's code must not hide the provider's. */
function codeOf(places: readonly unknown[], names: readonly (string | null)[]): string | null {
  const own = places.flatMap((place) => CODE_KEYS.map((key) => textIn(read(place, key))));
  const codes = [...own, ...names].filter((code) => code !== null && code.length <= CODE_MAX_CHARS);
  const isKnown = (code: string | null): boolean =>
    code !== null && classify({ phase: 'body', code }).kind !== 'unknown';
  return codes.find(isKnown) ?? own.find((code) => code !== null && code.length <= CODE_MAX_CHARS) ?? null;
}

/** An abort that the caller did not request blames no model either. */
function observedIn(names: readonly (string | null)[]): 'timeout' | 'aborted' | null {
  if (names.includes('TimeoutError')) return 'timeout';
  return names[0] === 'AbortError' ? 'aborted' : null;
}

function messageOf(error: unknown, places: readonly unknown[]): string {
  if (typeof error === 'string') return error;
  const texts: string[] = [];
  for (const place of places) {
    for (const key of MESSAGE_KEYS) {
      const text = textIn(read(place, key));
      if (text !== null && !texts.some((other) => other.includes(text))) texts.push(text);
    }
  }
  return texts.join(': ');
}

function headersOf(holder: object): Readonly<Record<string, string>> | null {
  const found = HINT_HEADERS.flatMap((name) => {
    const value = headerIn(holder, name);
    return value === null ? [] : [[name, value] as const];
  });
  return found.length > 0 ? Object.fromEntries(found) : null;
}

/** From `Headers`, or a record in any case. */
function headerIn(headers: object, name: string): string | null {
  try {
    const get = read(headers, 'get');
    if (typeof get === 'function') return textIn(Reflect.apply(get, headers, [name]));
    const key = Object.keys(headers).find((each) => each.toLowerCase() === name);
    const value = key === undefined ? undefined : read(headers, key);
    const first = Array.isArray(value) ? value[0] : value;
    return typeof first === 'number' ? String(first) : textIn(first);
  } catch {
    // silent: foreign headers may be of any shape
    return null;
  }
}
