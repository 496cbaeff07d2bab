import { parseJson } from '../../contract/parse-json';
import { type AskedWhom, windowsIn } from '../../core/headroom/read-windows';
import { classify, type Evidence, HINT_HEADERS, providerOf, redact, unaccounted } from '../../engine';
import { RESET_HEADERS, serverTime } from '../../engine/tools';
import { countingNow } from '../base/counting';
import { limited } from '../base/guarded';
import { quietly } from '../base/quietly';
import { errorWaitMs } from './body-hint';
import { errorOf } from './wire';

/** Providers have sent whole pages. */
const ERROR_BODY_MAX_CHARS = 100_000;
const PASSED_ON_MAX_CHARS = 1_000_000;
const RESETS: ReadonlySet<string> = new Set(RESET_HEADERS);
/** Without the body, status and headers are enough. */
const ERROR_BODY_LIMIT_MS = 5_000;

/** Returns the part that arrives in time. Never rejects. */
export async function errorBody(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  const read = async (): Promise<void> => {
    for (let next = await reader.read(); !next.done && text.length < PASSED_ON_MAX_CHARS; next = await reader.read())
      text += decoder.decode(next.value, { stream: true });
  };
  await limited(quietly(read), ERROR_BODY_LIMIT_MS);
  // silent: nobody reads the rest of the body
  void reader.cancel().catch(() => undefined);
  return text;
}

export const hintsIn = (header: (name: string) => string | null): Readonly<Record<string, string>> =>
  Object.fromEntries(
    HINT_HEADERS.flatMap((name) => {
      const value = header(name);
      return value === null ? [] : [[name, value.slice(0, 200)] as const];
    }),
  );

/**
 * Time until the last full or refusing limit resets, in ms. Null if none is full, undefined without a recognized
 * limit.
 */
function fullFor(headers: Headers, context: AskedWhom): number | null | undefined {
  const { windows } = countingNow('limits.evidence', () => windowsIn(headers, context)) ?? { windows: [] };
  if (windows.length === 0) return undefined;
  const full = windows.filter(({ isRefusing, isShownOnly, used }) => !isShownOnly && (isRefusing || used >= 1));
  return Math.max(0, ...full.map(({ resetInMs }) => resetInMs ?? 0)) || null;
}

/** The reset of a limit with room left is no hint. */
export function evidenceOfResponse(response: Response, body: string, model: string): Evidence {
  const seenAt = serverTime(response.headers.get('date'), Date.now());
  const full = fullFor(response.headers, { provider: unaccounted(providerOf(model)), seenAt });
  const isReset = (name: string): boolean => full !== undefined && RESETS.has(name);
  const headers = hintsIn((name) => (isReset(name) ? null : response.headers.get(name)));
  const error = errorIn(body);
  const message = error?.message ?? readable(body);
  const hintMs = errorWaitMs(message, body, seenAt) ?? full ?? null;
  // Bedrock: `ThrottlingException:http://…`.
  const code = (error ? error.code : flatCode(body)) ?? response.headers.get('x-amzn-errortype')?.slice(0, 200);
  return {
    phase: 'body',
    status: response.ok ? (error?.status ?? response.status) : response.status,
    // A provider may repeat the key it received.
    message: redact(message),
    headers,
    seenAt,
    ...(code ? { code } : {}),
    ...(hintMs === null ? {} : { hintMs }),
  };
}

/** Reads only known JSON fields: some servers repeat the request. */
function readable(body: string): string {
  if (/^\s*<[^\d]/.test(body)) {
    const title = /<title[^>]*>([^<]{1,200})<\/title>/i.exec(body.slice(0, ERROR_BODY_MAX_CHARS))?.[1];
    return title ?? 'an HTML page instead of an answer';
  }
  return /^\s*[[{]/.test(body) ? (sentenceIn(body) ?? 'an error without a message') : body;
}

const SENTENCE_KEYS = ['message', 'detail', 'error_description', 'title', 'msg'] as const;

const fieldsOf = (body: string): Readonly<Record<string, unknown>> => {
  const json = /^\s*[[{]/.test(body) ? parsedOf(body) : null;
  return typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>) : {};
};

/** DashScope, Mistral and Cerebras send top-level fields. */
function flatCode(body: string): string | undefined {
  const { code, type } = fieldsOf(body);
  return [code, type].find((name) => typeof name === 'string')?.slice(0, 200);
}

function sentenceIn(body: string): string | null {
  const fields = fieldsOf(body);
  const direct = SENTENCE_KEYS.map((key) => fields[key]).find((value) => typeof value === 'string' && value !== '');
  if (typeof direct === 'string') return direct;
  const nested = (fields.detail ?? fields.message) as
    | { msg?: unknown; message?: unknown }
    | readonly { msg?: unknown }[]
    | undefined;
  const first = Array.isArray(nested) ? nested[0] : nested;
  const inner =
    (first as { msg?: unknown; message?: unknown } | undefined)?.msg ??
    (first as { message?: unknown } | undefined)?.message;
  return typeof inner === 'string' && inner !== '' ? inner : null;
}

function parsedOf(body: string): unknown {
  if (body.length > ERROR_BODY_MAX_CHARS) return null;
  const json = parseJson(body);
  // Google answers a failed stream with an array of one error.
  return Array.isArray(json) ? json[0] : (json ?? null);
}

export function errorIn(body: string): ReturnType<typeof errorOf> {
  return /^\s*[[{]/.test(body) ? errorOf(parsedOf(body)) : null;
}

export function evidenceOfThrow(cause: unknown): Evidence {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const inner = error.cause instanceof Error ? error.cause : null;
  const code = codeOf(error) ?? (inner && codeOf(inner));
  const message = inner ? `${error.message}: ${inner.message}` : error.message;
  return { phase: 'headers', message: redact(message), ...(code ? { code } : {}) };
}

/** Maps an error before any request: an unrecognized message is no network failure. */
export function evidenceOfMessage(message: string): Evidence {
  const evidence = evidenceOfThrow(message);
  const isUnknown = !/connect/i.test(message) && classify({ ...evidence, phase: 'body' }).kind === 'unknown';
  return isUnknown ? { ...evidence, mapped: { kind: 'server_error' } } : evidence;
}

const codeOf = (error: Error): string | null => {
  const code = (error as Error & { code?: unknown }).code;
  return typeof code === 'string' ? code.slice(0, 200) : null;
};

/** Removes headers that described the old bytes. */
export function rebuilt(response: Response, body: string | ReadableStream<Uint8Array>): Response {
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name);
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}
