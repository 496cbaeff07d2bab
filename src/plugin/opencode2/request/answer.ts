import type { Evidence } from '../../../engine';
import { followAnswer } from '../../answer/answer-stream';
import { errorBody, errorIn, evidenceOfResponse, rebuilt } from '../../answer/evidence';
import { noteEvents } from '../../answer/foreign';
import { wireOf } from '../../answer/wire';
import { limited } from '../../base/guarded';
import { quietly } from '../../base/quietly';
import { answered, sayQuestion } from '../session/asking';
import type { Instance, ModelCall } from '../session/instance';
import type { HttpResponseEvent } from '../session/types';
import { callOf, failCall, takeEnd } from './calls';
import { ofAccount, send, takeHeld } from './held';
import { answerOwn } from './own';
import { isToMove, NEVER_MS, passOn, type Watched } from './pass-on';
import { tapped } from './tap';

/**
 * Turns failures that OpenCode would wait for, or accept as an answer, into errors, so that it calls the retry hook.
 */
export async function onResponse(instance: Instance, event: HttpResponseEvent): Promise<void> {
  const call = callOf(instance, event);
  if (call?.end !== 'open' || call.isSeen || (instance.isGone && call.held === null)) return;
  const request = takeHeld(call, event);
  const answer = request
    ? await answerSafely(instance, call, request)
    : await answerOf(instance, call, { response: event.response, url: event.request.url });
  if (answer === null) return;
  try {
    event.response = answer;
  } catch {
    // silent: this OpenCode freezes its events, and from now on sends its requests itself
    instance.replaced = 'refused';
  }
}

async function answerSafely(instance: Instance, call: ModelCall, request: Request): Promise<Response> {
  try {
    return await answerHeld(instance, call, request);
  } catch (error) {
    instance.companion.brain.breaker.count('http.held', error);
    // None of these may be sent with the account in use.
    const isOurs = instance.answerFor !== undefined || call.isRefused || call.model !== call.host;
    if (request.bodyUsed || isOurs) return unavailable(instance, call, 'Understudy could not read the response.');
    return fetch(request, { signal: call.gone.signal });
  }
}

async function answerHeld(instance: Instance, call: ModelCall, request: Request): Promise<Response> {
  const ask = async (): Promise<Response | Evidence> => {
    const made = instance.answerFor?.(call.model, request.url);
    const sent = made ?? (await sendBy(instance, call, request));
    if (!(sent instanceof Response)) return sent;
    return (await answerOf(instance, call, { response: sent, url: request.url })) ?? sent;
  };
  if (call.isWatched) return answerOwn(instance, call, { request, ask });
  if (call.isRefused) return answerRefused(instance, call);
  const result = await ask();
  if (result instanceof Response) return result;
  // The chain may have been edited meanwhile.
  await instance.companion.refresh();
  failCall(instance, call, result);
  return endOf(instance, call) ?? unavailable(instance, call, saidOf(result));
}

async function sendBy(instance: Instance, call: ModelCall, request: Request): Promise<Response | Evidence> {
  const made = await ofAccount(instance, call, request);
  return made instanceof Request ? send(instance, call, made) : made;
}

/** A question is shown first; only the next call waits for the reply. */
async function answerRefused(instance: Instance, call: ModelCall): Promise<Response> {
  const question = questionOf(instance, call);
  if (question) return question;
  await answered(instance, call);
  return endOf(instance, call) ?? unavailable(instance, call, whyUnasked(call));
}

const whyUnasked = ({ decision }: ModelCall): string =>
  decision?.code === 'hold.headroom'
    ? 'Waiting: a limit of this model is nearly used up.'
    : 'Understudy did not send this request.';

type Came = Readonly<{ response: Response; url: string }>;

/** @returns the replacement; null lets OpenCode read the original. */
async function answerOf(instance: Instance, call: ModelCall, { response, url }: Came): Promise<Response | null> {
  const type = response.headers.get('content-type') ?? '';
  instance.companion.heardLimits({ attempt: call.id, model: call.model }, response.headers);
  if (!response.ok || /json/.test(type)) return tellRefusal(instance, call, response);
  if (call.held !== null && /html/.test(type)) return tellPage(instance, call, response);
  const wire = wireOf(url, '');
  // OpenCode's events report how it ends.
  if (!/event-stream/.test(type) || !response.body || wire === 'opaque' || instance.replaced === 'refused')
    return readByOpenCode(instance, call, response);
  call.isSeen = true;
  const { source, onRead } = bodyOf(instance, call, response);
  const tap = tapped(source);
  const onEvent = call.kind === 'primary' ? noteEvents(call.session, call.model) : undefined;
  const stream = followAnswer(tap.body, wire, undefined, onEvent);
  const { firstTokenTimeoutMs, stallTimeoutMs } = instance.companion.limits();
  const isLookedAt = call.isWatched && call.held === null;
  const watched: Watched = {
    instance,
    call,
    tap,
    stream,
    response,
    onRead,
    limitMs: isLookedAt ? NEVER_MS : stallTimeoutMs,
  };
  return isLookedAt ? passOn(watched) : begun(watched, firstTokenTimeoutMs);
}

/** A held request needs our response even if it is not inspected. */
const readByOpenCode = (instance: Instance, call: ModelCall, response: Response): Response | null => {
  instance.companion.firstTokens.came(call.id);
  if (call.held === null) return null;
  const { status, statusText, headers } = response;
  return new Response(
    followedBy(response.body, () => noteRead(instance, call)),
    { status, statusText, headers },
  );
};

function followedBy(body: ReadableStream<Uint8Array> | null, onRead: () => void): ReadableStream<Uint8Array> | null {
  if (body === null) return null;
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        onRead();
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Reads a copy until OpenCode is seen to read replaced responses. */
function bodyOf(
  instance: Instance,
  call: ModelCall,
  response: Response,
): Readonly<{ source: ReadableStream<Uint8Array>; onRead: () => void }> {
  const body = response.body as ReadableStream<Uint8Array>;
  if (instance.replaced === 'read' || call.held !== null)
    return { source: body, onRead: () => noteRead(instance, call) };
  const copy = response.clone();
  return {
    source: copy.body as ReadableStream<Uint8Array>,
    onRead() {
      noteRead(instance, call);
      // silent: the other half of the copy is unused
      void response.body?.cancel().catch(() => undefined);
    },
  };
}

function noteRead(instance: Instance, call: ModelCall): void {
  instance.replaced = 'read';
  call.isRead = true;
}

async function tellRefusal(instance: Instance, call: ModelCall, response: Response): Promise<Response | null> {
  const copy = call.held === null ? response.clone() : response;
  const { firstTokenTimeoutMs } = instance.companion.limits();
  const text = () => copy.text();
  const reading = response.ok ? limited(quietly(text), firstTokenTimeoutMs) : errorBody(copy);
  const body = (await reading) ?? '';
  if (!response.ok || errorIn(body)) {
    await instance.companion.refresh();
    failCall(instance, call, evidenceOfResponse(response, body, call.model));
  }
  const end = instance.replaced === 'refused' ? null : endOf(instance, call);
  if (end) return end;
  // OpenCode retries only on an error status.
  if (response.ok && call.held !== null && call.failure !== null)
    return unavailable(instance, call, saidOf(call.failure));
  return call.held === null
    ? null
    : rebuilt(
        response,
        bodyRead(body, () => noteRead(instance, call)),
      );
}

/** Handles a page of a login or proxy. */
async function tellPage(instance: Instance, call: ModelCall, response: Response): Promise<Response> {
  const message = `The provider returned ${response.headers.get('content-type')} instead of a stream.`;
  await response.body?.cancel();
  await instance.companion.refresh();
  failCall(instance, call, { phase: 'body', observed: 'early_termination', message });
  return endOf(instance, call) ?? unavailable(instance, call, message);
}

async function begun(watched: Watched, limitMs: number): Promise<Response> {
  const { instance, call, stream } = watched;
  const { brain } = instance.companion;
  // For requests we sent, the time until the headers counts too.
  const leftMs = Math.max(0, limitMs - (call.sentAt === null ? 0 : brain.now() - call.sentAt));
  while (!stream.hasContent()) {
    const reading = await stream.read(leftMs);
    if (reading.kind === 'events') continue;
    // A finish by length or filter without text is still an answer.
    if (reading.kind === 'end') break;
    failCall(instance, call, reading.evidence);
    const end = endOf(instance, call);
    if (!end && !isToMove(call) && !call.isWatched) break;
    stream.cancel();
    return end ?? unavailable(instance, call, saidOf(reading.evidence));
  }
  instance.companion.firstTokens.came(call.id);
  return passOn({ ...watched, firstTokenMs: brain.now() - call.startedAt });
}

const saidOf = ({ message, observed }: Evidence): string =>
  message ?? (observed === 'empty_response' ? 'The response was empty.' : 'The response was interrupted.');

/**
 * Returns a message that ends the turn, with a status OpenCode does not retry, or a question as a retryable error;
 * null if the turn continues.
 */
function endOf(instance: Instance, call: ModelCall): Response | null {
  const text = takeEnd(instance, call);
  if (text === null) return questionOf(instance, call);
  return errorOf(instance, call, { status: 400, type: 'invalid_request_error', message: text });
}

function questionOf(instance: Instance, call: ModelCall): Response | null {
  const text = sayQuestion(instance, call);
  return text === null ? null : unavailable(instance, call, text);
}

const unavailable = (instance: Instance, call: ModelCall, message: string): Response =>
  errorOf(instance, call, { status: 503, type: 'service_unavailable', message });

type Said = Readonly<{ status: number; type: string; message: string }>;

function errorOf(instance: Instance, call: ModelCall, { status, type, message }: Said): Response {
  const text = JSON.stringify({ error: { type, message } });
  const headers = { 'content-type': 'application/json' };
  return new Response(
    bodyRead(text, () => noteRead(instance, call)),
    { status, headers },
  );
}

const bodyRead = (text: string, onRead: () => void): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        onRead();
        if (text !== '') controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
