import { type EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ScriptedStep, ScriptedToolCall, ScriptedUsage, Wire } from './scripted-steps';
import { createFrameWriter, errorBody, type FrameWriter } from './wires';

const DEFAULT_USAGE: ScriptedUsage = { inputTokens: 120, outputTokens: 24 };

const STATUS_MESSAGES: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  401: 'Incorrect API key provided',
  402: 'Insufficient credits',
  403: 'You do not have access to this model',
  404: 'The model does not exist',
  413: 'Request Entity Too Large',
  429: 'Rate limit reached for requests',
  500: 'The server had an error while processing your request',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  529: 'Overloaded',
};

/**
 * Time for the client to read before the connection ends: Bun's fetch drops a body that arrives with the end of its
 * connection, and reports a failed connect.
 */
const CUT_AFTER_MS = 60;

const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' } as const;

type Target = Readonly<{
  response: ServerResponse;
  wire: Wire;
  model: string;
  signal: AbortSignal;
  /** Emits `released` to cut a waiting connection now. */
  releases: EventEmitter;
  /** Splits frames anywhere, as some gateways do. */
  isTorn?: boolean;
}>;

const TORN_BYTES = 37;
const TORN_PACE_MS = 1;

/** CRLF frames in pieces that split lines and characters. */
function torn(frames: readonly string[]): Buffer[] {
  const bytes = Buffer.from(frames.join('').replaceAll('\n', '\r\n'));
  const count = Math.ceil(bytes.length / TORN_BYTES);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * TORN_BYTES, (at + 1) * TORN_BYTES));
}

async function send(target: Target, frames: readonly string[], pace = 0): Promise<void> {
  const { response, signal, isTorn = false } = target;
  const paceMs = isTorn ? Math.max(pace, TORN_PACE_MS) : pace;
  for (const frame of isTorn ? torn(frames) : frames) {
    if (paceMs > 0) await delay(paceMs, undefined, { signal });
    if (signal.aborted) return;
    if (!response.write(frame)) await once(response, 'drain', { signal });
  }
}

async function sendAnswer(
  target: Target,
  frames: FrameWriter,
  parts: Readonly<{ content: readonly string[]; finish: readonly string[]; paceMs?: number | undefined }>,
): Promise<void> {
  target.response.writeHead(200, STREAM_HEADERS);
  await send(target, frames.open());
  await send(target, parts.content, parts.paceMs);
  await send(target, parts.finish);
  target.response.end();
}

async function sendBeginning(target: Target, frames: FrameWriter, content: readonly string[]): Promise<void> {
  target.response.writeHead(200, STREAM_HEADERS);
  await send(target, [...frames.open(), ...content]);
}

async function cut({ response, releases, signal }: Target, afterMs = CUT_AFTER_MS): Promise<void> {
  await Promise.race([delay(afterMs, undefined, { signal }), once(releases, 'released', { signal })]);
  response.destroy();
}

const argumentsOf = ({ arguments: given }: ScriptedToolCall): string =>
  typeof given === 'string' ? given : JSON.stringify(given);

const callFrames = (frames: FrameWriter, call: ScriptedToolCall): string[] =>
  frames.toolCall(call.name, argumentsOf(call));

function sendJson({ response }: Target, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
  response.end(isText ? body : JSON.stringify(body));
}

function sendStatus(target: Target, step: Extract<ScriptedStep, { kind: 'status' }>): void {
  const message = STATUS_MESSAGES[step.status] ?? 'Error';
  sendJson(target, step.status, step.body ?? errorBody(target.wire, step.status, message), step.headers);
}

/**
 * Performs one step. Resolves when nothing is left to send, perhaps with an open connection (hang, stall). Rejects
 * with an AbortError if `signal` aborts while a paced text waits.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one case for each kind of step
export async function answer(step: ScriptedStep, target: Target): Promise<void> {
  const { response } = target;
  const frames = createFrameWriter(target.wire, target.model);
  switch (step.kind) {
    case 'text': {
      const finish = () => frames.finish('stop', step.usage ?? DEFAULT_USAGE);
      const content = frames.text(step.text);
      return sendAnswer(target, frames, { content, finish: finish(), paceMs: step.paceMs });
    }
    case 'length': {
      const content = frames.text(step.text);
      return sendAnswer(target, frames, { content, finish: frames.finish('length', step.usage ?? DEFAULT_USAGE) });
    }
    case 'toolCall': {
      const content = callFrames(frames, step);
      return sendAnswer(target, frames, { content, finish: frames.finish('toolCall', step.usage ?? DEFAULT_USAGE) });
    }
    case 'sealed': {
      const { seal, thinking, text, call } = step;
      const content = frames.sealed({ seal, thinking, text, name: call.name, argumentsJson: argumentsOf(call) });
      return sendAnswer(target, frames, { content, finish: frames.finish('toolCall', DEFAULT_USAGE) });
    }
    case 'thinking': {
      const content = frames.thinking(step.text);
      return sendAnswer(target, frames, { content, finish: frames.finish('stop', DEFAULT_USAGE) });
    }
    case 'emptyStop':
      return sendAnswer(target, frames, {
        content: [],
        finish: frames.finish('stop', { inputTokens: DEFAULT_USAGE.inputTokens, outputTokens: 0 }),
      });
    case 'noFinish':
      await sendBeginning(target, frames, frames.text(step.text));
      response.end(step.mark ? 'data: [DONE]\n\n' : '');
      return;
    case 'finishReason': {
      const finish = frames.finish('stop', DEFAULT_USAGE).join('').replace('"stop"', JSON.stringify(step.reason));
      return sendAnswer(target, frames, { content: frames.text(step.text), finish: [finish] });
    }
    case 'stall':
      return sendBeginning(target, frames, frames.text(step.text));
    case 'cut':
      await sendBeginning(target, frames, frames.text(step.text));
      return cut(target, step.afterMs);
    case 'cutCall':
      await sendBeginning(target, frames, callFrames(frames, step));
      return cut(target, step.afterMs);
    case 'sseError':
      response.writeHead(200, STREAM_HEADERS);
      if (step.text !== undefined) await send(target, [...frames.open(), ...frames.text(step.text)]);
      await send(target, frames.error(step.message));
      response.end();
      return;
    case 'emptyBody':
      response.writeHead(200, STREAM_HEADERS);
      response.end();
      return;
    case 'hangAfterHeaders':
      response.writeHead(200, STREAM_HEADERS);
      response.flushHeaders();
      return;
    case 'hang':
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>Sign in</title><p>Please sign in to continue.</p>');
      return;
    case 'jsonError':
      return sendJson(target, 200, errorBody(target.wire, 500, step.message ?? 'The model is overloaded'));
    case 'status':
      return sendStatus(target, step);
    case 'halfError':
      response.writeHead(step.status, { 'content-type': 'application/json', ...step.headers });
      response.write('{"error":{"mess');
      return;
    case 'torn':
      return answer(step.of, { ...target, isTorn: true });
    case 'headers':
      for (const [name, value] of Object.entries(step.headers)) response.setHeader(name, value);
      return answer(step.of, target);
    case 'held':
      return answer(step.of, target);
  }
}
