import { parseJson } from '../../contract/parse-json';
import { hintOf } from '../../engine/tools';

type Json = Readonly<Record<string, unknown>>;

/** Smaller numbers are Unix seconds. */
const UNIX_MS_MIN = 100_000_000_000;

/**
 * Reads `resets_in_seconds` and `resets_at` (plans of OpenAI), `RetryInfo.retryDelay` (Google) or `metadata.headers`
 * (OpenRouter).
 * @returns whole ms, never negative; null for none.
 */
export function bodyHintMs(body: string, now: number): number | null {
  const json = parsed(body);
  if (json === null) return null;
  const error = record(json.error);
  const nested = record(error.metadata).raw ?? error.message;
  const inner = typeof nested === 'string' ? bodyHintMs(nested, now) : null;
  if (inner !== null) return inner;
  const seconds = numberOf(error.resets_in_seconds ?? json.resets_in_seconds);
  if (seconds !== null) return whole(seconds * 1_000);
  const at = numberOf(error.resets_at ?? json.resets_at);
  if (at !== null) return until(at, now);
  return retryDelay(error) ?? routerReset(error, now);
}

/** Needs the unredacted message. In ms, or null. */
export const errorWaitMs = (message: string, body: string, seenAt: number): number | null =>
  hintOf({ phase: 'body', message, seenAt }) ?? bodyHintMs(body, seenAt);

function retryDelay(error: Json): number | null {
  for (const detail of Array.isArray(error.details) ? error.details.slice(0, 20) : []) {
    const delay = /^(\d+(?:\.\d+)?)s$/.exec(String(record(detail).retryDelay ?? ''))?.[1];
    if (delay !== undefined) return whole(Number(delay) * 1_000);
  }
  return null;
}

function routerReset(error: Json, now: number): number | null {
  const headers = record(record(error.metadata).headers);
  const at = numberOf(headers['X-RateLimit-Reset'] ?? headers['x-ratelimit-reset']);
  return at === null ? null : until(at, now);
}

const until = (point: number, now: number): number => whole((point >= UNIX_MS_MIN ? point : point * 1_000) - now);
/** No plan resets later than in a month; larger numbers have another unit. */
const HINT_MAX_MS = 31 * 86_400_000;
const whole = (ms: number): number => Math.min(HINT_MAX_MS, Math.max(0, Math.round(ms)));
const record = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}

function parsed(body: string): Json | null {
  if (!/^\s*[[{]/.test(body) || body.length > 100_000) return null;
  const json = parseJson(body);
  return json === undefined ? null : record(Array.isArray(json) ? json[0] : json);
}
