import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ScriptedStep, ScriptedUsage, Wire } from './scripted-steps';
import { createFrameWriter, errorBody, type FrameWriter } from './wires';

/** Shown in panels and exports, so that a demo has numbers to show. */
const DEFAULT_USAGE: ScriptedUsage = { inputTokens: 120, outputTokens: 24 };

const STATUS_MESSAGES: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  401: 'Incorrect API key provided',
  402: 'Insufficient credits',
  403: 'You do not have access to this model',
  404: 'The model does not exist',
  429: 'Rate limit reached for requests',
  500: 'The server had an error while processing your request',
  503: 'Service Unavailable',
  529: 'Overloaded',
};

/**
 * Time for the client to read what was written before the connection goes.
 *
 * Bun's fetch drops a body that arrives together with the end of its connection, and reports a failed connect.
 */
const CUT_AFTER_MS = 60;

const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' } as const;

type Target = Readonly<{
  response: ServerResponse;
  wire: Wire;
  model: string;
  /** Ends waiting when the client left or the provider closes. */
  signal: AbortSignal;
}>;

/** Writes frames one by one, each flushed to the socket before the next. */
async function send({ response, signal }: Target, frames: readonly string[], paceMs = 0): Promise<void> {
  for (const frame of frames) {
    if (paceMs > 0) await delay(paceMs, undefined, { signal });
    if (signal.aborted) return;
    if (!response.write(frame)) await once(response, 'drain', { signal });
  }
}

/** A whole streamed answer: opening, content, finish. */
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

/** The beginning of a text answer, written and left open. */
async function sendBeginning(target: Target, frames: FrameWriter, text: string): Promise<void> {
  target.response.writeHead(200, STREAM_HEADERS);
  await send(target, [...frames.open(), ...frames.text(text)]);
}

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
 * Behaves towards one request as the step says.
 *
 * Resolves when nothing is left to send; the connection may stay open then (hang, stall).
 * Rejects with an AbortError when `signal` fires while a paced text waits.
 */
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
      const content = frames.toolCall(step.name, JSON.stringify(step.arguments));
      return sendAnswer(target, frames, { content, finish: frames.finish('toolCall', step.usage ?? DEFAULT_USAGE) });
    }
    case 'emptyStop':
      return sendAnswer(target, frames, {
        content: [],
        finish: frames.finish('stop', { inputTokens: DEFAULT_USAGE.inputTokens, outputTokens: 0 }),
      });
    case 'noFinish':
      await sendBeginning(target, frames, step.text);
      response.end();
      return;
    case 'stall':
      return sendBeginning(target, frames, step.text);
    case 'cut':
      await sendBeginning(target, frames, step.text);
      await delay(CUT_AFTER_MS, undefined, { signal: target.signal });
      response.destroy();
      return;
    case 'sseError':
      response.writeHead(200, STREAM_HEADERS);
      response.end(frames.error(step.message).join(''));
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
  }
}
