import { type Decision, type Evidence, HINT_HEADERS, lastFailureOf, redact } from '../../engine';
import { finalMessage, leftOutMessage, overflowMessage } from '../final-message';
import { bodyHintMs } from './body-hint';
import { type GuardedRequest, hasOverflowed } from './guarded-request';
import { errorOf, type Wire } from './wire';

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** One call of OpenCode's SDK to its provider, as the wrapper carries it. */
export type Call = Readonly<{
  request: GuardedRequest;
  original: Fetch;
  input: string | URL | Request;
  init: RequestInit;
  wire: Wire;
  /** OpenCode's: raised by the user's stop, and by its own time limits. */
  signal: AbortSignal | null;
}>;

/** An error body is read no further; providers were seen to send whole pages. */
const ERROR_BODY_MAX_CHARS = 100_000;

/** Reports a failed attempt, with what its provider's map says of it. @returns what to do about it. */
export function tellFailed(
  { request }: Call,
  attempt: string,
  failure: Readonly<{ evidence: Evidence; durationMs: number }>,
): Decision | undefined {
  const { companion } = request.instance;
  const evidence = companion.named(request.model, failure.evidence);
  return companion.brain.tell({ type: 'attempt.failed', attempt, evidence, durationMs: failure.durationMs })[0];
}

/** The sentence that ends a turn which nobody can go on with. */
export function finalText(call: Call, decision: Decision): string {
  if (isOverflowedAgain(call, decision)) return overflowMessage(call.request.model);
  if (isLeftOut(decision)) return leftOutMessage(decision.agent);
  if (decision.action.kind !== 'exhausted')
    return 'Understudy: OpenCode did not take the next model of this chain. Your session is safe; send the message again.';
  const state = call.request.instance.companion.brain.state();
  return finalMessage(decision, Date.now(), (model) => lastFailureOf(state, model)?.kind ?? null);
}

/** A conversation that is too long after it was compacted would be compacted again, for ever. */
export const isOverflowedAgain = ({ request }: Call, { action, failure }: Decision): boolean =>
  action.kind === 'pass' && failure?.kind === 'context_length' && hasOverflowed(request);

/** Whether the agent is left out of its session from now on: somebody said no, or nobody answered. */
const isLeftOut = ({ code }: Decision): boolean => /^(?:declined|skipped|degraded)\.|^exhausted\.degraded$/.test(code);

/** Whether a turn ends here, with one sentence. */
export const isEnd = (call: Call, decision: Decision): boolean =>
  decision.action.kind === 'exhausted' || isLeftOut(decision) || isOverflowedAgain(call, decision);

/** Notes that a failure goes to OpenCode as it is: what is asked next is OpenCode's own retry, or what it compacted. */
export function notePassedOn({ request }: Call, decision: Decision | undefined): void {
  if (request.isInternal) return;
  request.turn.isPassedOn = true;
  request.turn.hasOverflowed ||= decision?.failure?.kind === 'context_length';
}

/** What an error response says: status, the provider's code and message, and the headers that hold hints. */
export function evidenceOfResponse(response: Response, body: string): Evidence {
  const headers: Record<string, string> = {};
  for (const name of HINT_HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) headers[name] = value.slice(0, 200);
  }
  const error = errorIn(body);
  const seenAt = Date.now();
  const hintMs = bodyHintMs(body, seenAt);
  // Bedrock names its error in a header: `ThrottlingException:http://…`.
  const code = error?.code ?? response.headers.get('x-amzn-errortype')?.slice(0, 200);
  return {
    phase: 'body',
    status: response.ok ? (error?.status ?? response.status) : response.status,
    // Redacted before it leaves this process: a provider may repeat the key it was sent.
    message: redact(error?.message ?? readable(body)),
    headers,
    seenAt,
    ...(code ? { code } : {}),
    ...(hintMs === null ? {} : { hintMs }),
  };
}

/**
 * What an error body without an error object says to people. Some servers repeat the request in it, so of JSON only the
 * fields that hold a sentence are read, never the body as it is.
 */
function readable(body: string): string {
  if (/^\s*</.test(body)) {
    const title = /<title[^>]*>([^<]{1,200})<\/title>/i.exec(body.slice(0, ERROR_BODY_MAX_CHARS))?.[1];
    return title ?? 'an HTML page instead of an answer';
  }
  return /^\s*[[{]/.test(body) ? (sentenceIn(body) ?? 'an error without a message') : body;
}

const SENTENCE_KEYS = ['message', 'detail', 'error_description', 'title', 'msg'] as const;

function sentenceIn(body: string): string | null {
  const json = parsedOf(body);
  const fields = (typeof json === 'object' && json !== null ? json : {}) as Readonly<Record<string, unknown>>;
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

/** The JSON of a body, the first of a list; null when it is none or larger than an error ever is. */
function parsedOf(body: string): unknown {
  if (body.length > ERROR_BODY_MAX_CHARS) return null;
  try {
    const json: unknown = JSON.parse(body);
    // Google answers a failed stream with an array of one error.
    return Array.isArray(json) ? json[0] : json;
  } catch {
    return null;
  }
}

/** The error object of a JSON body, when it is one. Only its beginning is read. */
export function errorIn(body: string): ReturnType<typeof errorOf> {
  return /^\s*[[{]/.test(body) ? errorOf(parsedOf(body)) : null;
}

/** What a connection that failed says. */
export function evidenceOfThrow(cause: unknown): Evidence {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const inner = error.cause instanceof Error ? error.cause : null;
  const code = codeOf(error) ?? (inner && codeOf(inner));
  const message = inner ? `${error.message}: ${inner.message}` : error.message;
  return { phase: 'headers', message: redact(message), ...(code ? { code } : {}) };
}

const codeOf = (error: Error): string | null => {
  const code = (error as Error & { code?: unknown }).code;
  return typeof code === 'string' ? code.slice(0, 200) : null;
};

/** The same response with a body that has been read; headers that described the old bytes are gone. */
export function rebuilt(response: Response, body: string | ReadableStream<Uint8Array>): Response {
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name);
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}
