import { parseJson } from '../../../contract/parse-json';
import { type Evidence, redact } from '../../../engine';
import { errorWaitMs } from '../../answer/body-hint';
import { hintsIn } from '../../answer/evidence';
import { type Progress, progressOf } from '../../answer/wire';
import { askedWith } from '../session/accounts';
import { sayQuestion } from '../session/asking';
import type { Instance, ModelCall } from '../session/instance';
import type { FrameEvent, HandshakeEvent, SessionError } from '../session/types';
import { answerCall, callOf, failCall, takeEnd } from './calls';
import { isToMove } from './pass-on';
import { expectSocket, type OpenSocket } from './socket-tap';

/**
 * Invalid address: OpenCode uses HTTP for the rest of the session, where a request can be held or stopped. [seen:
 * 2.0.15]
 */
const OVER_HTTP = 'understudy:http';
/** OpenCode resends the conversation over a new socket; not model failures. [seen: 2.0.15] */
const OWN_AFFAIRS: ReadonlySet<string> = new Set(['websocket_connection_limit_reached', 'previous_response_not_found']);

type Attempt = {
  readonly call: ModelCall;
  /** Null until the frame is sent. */
  socket: OpenSocket | null;
  chars: number;
  hasContent: boolean;
  /** Text or a tool call has arrived. */
  hasAnswer: boolean;
  firstAt: number | null;
  /** Last content, engine ms. */
  progressAt: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  isOver: boolean;
};

const attempts = new WeakMap<ModelCall, Attempt>();

export async function onHandshake(instance: Instance, event: HandshakeEvent): Promise<void> {
  const call = callOf(instance, event);
  if (!call) return;
  const isHeld = call.isRefused || call.asking !== null || !instance.seesSockets;
  if (instance.answerFor || (isHeld && !call.isWatched)) {
    event.url = OVER_HTTP;
    return;
  }
  if (call.isWatched) return;
  if (call.model !== call.host) {
    const { url } = event;
    // Without credentials, the request goes over HTTP and gets the reason there.
    event.url = OVER_HTTP;
    const result = await askedWith(instance, call.model, { url, headers: Object.entries(event.headers) });
    if (!result.ok) return;
    Object.assign(event.headers, Object.fromEntries(result.headers));
    event.url = url;
    return;
  }
  const { url, headers } = event;
  // The account does not depend on the transport.
  const sent = { url: url.replace(/^ws/, 'http'), header: (name: string) => new Headers(headers).get(name) };
  void instance.companion.noteAsked(call.model, sent);
}

export function onSend(instance: Instance, event: FrameEvent): void {
  const call = callOf(instance, event);
  if (call?.end !== 'open' || call.isWatched) return;
  const now = instance.companion.brain.now();
  end(attempts.get(call));
  call.isSeen = true;
  call.sentAt = now;
  const attempt: Attempt = {
    call,
    socket: null,
    chars: 0,
    hasContent: false,
    hasAnswer: false,
    firstAt: null,
    progressAt: now,
    timer: undefined,
    isOver: false,
  };
  attempts.set(call, attempt);
  call.gone.signal.addEventListener('abort', () => end(attempt), { once: true });
  expectSocket(event.frame, (socket) => {
    attempt.socket = socket;
  });
  arm(instance, attempt);
}

/** Inspects an event before OpenCode reads it, and may replace it. */
export async function onReceive(instance: Instance, event: FrameEvent): Promise<void> {
  const call = callOf(instance, event);
  const attempt = call && attempts.get(call);
  if (!attempt || attempt.isOver || call.end !== 'open') return;
  // A request without its socket cannot be ended.
  if (attempt.socket === null) instance.seesSockets = false;
  noteLimits(instance, call, event.frame);
  const progress = progressOf('responses', `data: ${event.frame}\n\n`);
  if (progress.error?.code && OWN_AFFAIRS.has(progress.error.code)) return end(attempt);
  if (progress.error) return fail(instance, attempt, { event, evidence: evidenceOf(event.frame, progress, attempt) });
  note(instance, call.id, attempt, progress);
  if (progress.finish === null) return;
  if (progress.finish === 'stop' && !attempt.hasAnswer)
    return fail(instance, attempt, {
      event,
      evidence: { phase: 'stream', observed: 'empty_response', outputChars: 0 },
    });
  end(attempt);
  const firstTokenMs = attempt.firstAt === null ? null : attempt.firstAt - call.startedAt;
  answerCall(instance, call, { firstTokenMs, outputChars: attempt.chars });
}

/** Reads limits from ChatGPT's event or an error's headers; other events are not parsed. */
function noteLimits({ companion }: Instance, { id, model }: ModelCall, frame: string): void {
  if (!/^\s*\{[^{}]{0,200}"type"\s*:\s*"(?:codex\.rate_limits|error)"/.test(frame)) return;
  const event = parseJson(frame);
  if (event !== undefined) companion.heardLimitsIn({ attempt: id, model }, event);
}

/** Returns the failure of a request interrupted after content, otherwise undefined. */
export function cutOff(call: ModelCall, { type, message }: SessionError): Evidence | undefined {
  const attempt = attempts.get(call);
  end(attempt);
  if (type !== 'provider.transport' || !attempt?.hasContent) return undefined;
  return { phase: 'stream', observed: 'stream_interrupted', message: redact(message), outputChars: attempt.chars };
}

function note(
  { companion }: Instance,
  id: string | null,
  attempt: Attempt,
  { text, isTool, isThinking, finish }: Progress,
): void {
  if (text === 0 && !isTool && !isThinking && finish === null) return;
  const now = companion.brain.now();
  attempt.progressAt = now;
  attempt.chars += text;
  attempt.hasAnswer ||= text > 0 || isTool;
  if (text === 0 && !isTool && !isThinking) return;
  attempt.hasContent = true;
  if (attempt.firstAt === null) companion.firstTokens.came(id);
  attempt.firstAt ??= now;
}

function end(attempt: Attempt | undefined): void {
  if (!attempt) return;
  attempt.isOver = true;
  clearTimeout(attempt.timer);
}

function limitOf({ companion }: Instance, { hasContent }: Attempt): number {
  const { firstTokenTimeoutMs, stallTimeoutMs } = companion.limits();
  return hasContent ? stallTimeoutMs : firstTokenTimeoutMs;
}

/** Uses one timer per response, restarted for the rest if content has arrived. */
function arm(instance: Instance, attempt: Attempt): void {
  const leftMs = (): number => attempt.progressAt + limitOf(instance, attempt) - instance.companion.brain.now();
  const ring = (): void => {
    if (attempt.isOver) return;
    if (leftMs() > 0) arm(instance, attempt);
    else
      void silent(instance, attempt).catch((error: unknown) =>
        instance.companion.brain.breaker.count('socket.silent', error),
      );
  };
  attempt.timer = setTimeout(ring, Math.max(1, Math.ceil(leftMs())));
  attempt.timer.unref?.();
}

/** Gives OpenCode an error event, so that it calls the retry hook. */
async function silent(instance: Instance, attempt: Attempt): Promise<void> {
  const message = `The response timed out: nothing for ${Math.round(limitOf(instance, attempt))} ms`;
  const outputChars = attempt.chars;
  const frame = await failed(instance, attempt, { phase: 'watchdog', observed: 'timeout', message, outputChars });
  if (frame !== null) attempt.socket?.receive(frame);
}

type Failing = Readonly<{ event: FrameEvent; evidence: Evidence }>;

async function fail(instance: Instance, attempt: Attempt, { event, evidence }: Failing): Promise<void> {
  const frame = await failed(instance, attempt, evidence);
  if (frame !== null) event.frame = frame;
}

/** @returns the error for OpenCode; null if OpenCode handles the failure. */
async function failed(instance: Instance, attempt: Attempt, evidence: Evidence): Promise<string | null> {
  const { call } = attempt;
  end(attempt);
  await instance.companion.refresh();
  if (call.end !== 'open') return null;
  failCall(instance, call, evidence);
  const text = takeEnd(instance, call);
  if (text !== null) return errorFrame(400, 'invalid_request_error', text);
  const question = sayQuestion(instance, call);
  if (question !== null) return errorFrame(503, 'server_error', question);
  if (!isToMove(call)) return null;
  return errorFrame(503, 'server_error', evidence.message ?? 'The response was empty.');
}

const errorFrame = (status: number, code: string, message: string): string =>
  JSON.stringify({ type: 'error', status, error: { type: code, code, message } });

/** A socket's error event holds status and headers. */
function evidenceOf(frame: string, { error }: Progress, { chars }: Attempt): Evidence {
  const seenAt = Date.now();
  const message = error?.message ?? '';
  const hintMs = errorWaitMs(message, frame, seenAt);
  const beside = JSON.parse(frame) as Readonly<{ status?: unknown; headers?: unknown }>;
  const status = error?.status ?? (typeof beside.status === 'number' ? beside.status : null);
  return {
    phase: chars > 0 ? 'stream' : 'body',
    message: redact(message),
    outputChars: chars,
    seenAt,
    headers: hintsIn(headerOf(beside.headers)),
    ...(error?.code ? { code: error.code } : {}),
    ...(status === null ? {} : { status }),
    ...(hintMs === null ? {} : { hintMs }),
  };
}

function headerOf(headers: unknown): (name: string) => string | null {
  const byName = new Map(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]));
  return (name) => byName.get(name) ?? null;
}
