import type { RetryDecision, SessionError } from '../../../src/plugin/opencode2/session/types';

/** Kind of a failed call. `overflow`: context too long; `inStream`: an error event inside a response. */
export type FailureRoute = 'call' | 'overflow' | 'inStream' | 'resolution' | 'defect';

/** Ends an attempt; only a `call` reaches the retry hooks. */
export class CallFailure extends Error {
  constructor(
    readonly error: SessionError,
    readonly route: FailureRoute = 'call',
    readonly retryAfterMs: number | null = null,
  ) {
    super(error.message);
  }
}

export class Interrupted extends Error {}

const RETRYABLE = new Set([
  'provider.rate-limit',
  'provider.internal',
  'provider.transport',
  'provider.invalid-output',
]);
const LONGEST_HINT_MS = 15 * 60_000;

export function proposalFor(failure: CallFailure, attempt: number): RetryDecision {
  if (!RETRYABLE.has(failure.error.type)) return { retry: false };
  const backoffMs = Math.min(2 ** (attempt - 1), 10) * 1_000;
  return { retry: true, delay: Math.min(failure.retryAfterMs ?? backoffMs, LONGEST_HINT_MS) };
}

export async function failureOf(response: Response): Promise<CallFailure> {
  const body = await response.text().catch(() => '');
  const message = messageIn(body) || `HTTP ${response.status}`;
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  const type = typeOf(response.status, body);
  const error = { type: `provider.${type}`, message, status: response.status };
  const isTooLong = type === 'invalid-request' && /context.length|too long|maximum context/i.test(body);
  return new CallFailure(error, isTooLong ? 'overflow' : 'call', Number.isNaN(after) ? null : after * 1_000);
}

function typeOf(status: number, body: string): string {
  if (status === 402 || /insufficient_quota|billing/i.test(body)) return 'quota';
  if (status === 429) return 'rate-limit';
  if (status === 401 || status === 403) return 'auth';
  if (status >= 500 || status === 408) return 'internal';
  return status >= 400 ? 'invalid-request' : 'unknown';
}

function messageIn(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: string } };
    return error?.message ?? '';
  } catch {
    return body.slice(0, 200);
  }
}
