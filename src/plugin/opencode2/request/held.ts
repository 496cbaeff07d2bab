import type { Evidence } from '../../../engine';
import { evidenceOfThrow } from '../../answer/evidence';
import { issued, withoutForeign } from '../../answer/foreign';
import { quietly } from '../../base/quietly';
import { askedWith } from '../session/accounts';
import type { Instance, ModelCall } from '../session/instance';
import type { HttpRequestEvent, HttpResponseEvent, RequestKind } from '../session/types';

/** What is fetched in a held request's place: nothing, from nowhere, and its type tells that it is that. */
const NOTHING = 'application/x-understudy';
const NOTHING_THERE = `data:${NOTHING},`;
/** OpenCode's own requests that a text can answer. */
const ANSWERABLE: ReadonlySet<RequestKind> = new Set(['title', 'compaction']);

/** True if we send a request once OpenCode believes it sent: OpenCode 2 gives no clock before a response. False where it does not read our responses. */
export const mayHold = ({ actuator, replaced }: Instance, { isWatched, kind }: ModelCall): boolean =>
  replaced !== 'refused' && actuator.level() === 'switch' && (!isWatched || ANSWERABLE.has(kind));

/** Puts a request that asks nobody in the place of the real one. */
export function hold(call: ModelCall, event: HttpRequestEvent): void {
  const { request } = event;
  try {
    event.request = new Request(NOTHING_THERE);
    call.held = request;
  } catch {
    // silent: this OpenCode freezes its events, and sends the real request
  }
}

/**
 * The real request that is still to be sent; null where OpenCode has sent it itself. Whoever looks after us sees it in its
 * place again.
 */
export function takeHeld(call: ModelCall, event: HttpResponseEvent): Request | null {
  const { held } = call;
  const type = event.response.headers.get('content-type');
  // Some packages get the response without its headers. [observed: 2.0.15, @ai-sdk/gateway]
  const isNothing = type?.startsWith(NOTHING) ?? event.request.url === NOTHING_THERE;
  if (held === null || !isNothing) {
    call.held = null;
    return null;
  }
  try {
    (event as { request: Request }).request = held;
  } catch {
    // silent: this OpenCode freezes its events, and nobody needs the request there
  }
  return held;
}

/** The request without what only another account can read that has answered in the session. */
async function readable({ session, model }: ModelCall, request: Request): Promise<Request> {
  const isForeign = issued.foreignTo(session, model);
  const text = isForeign && (await quietly(() => request.clone().text()));
  const body = text && withoutForeign(text, isForeign, request.url);
  if (!body) return request;
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  return new Request(request, { body, headers });
}

/** A request as the account that its call names asks it, or why that one is not asked. Never rejects. */
export async function ofAccount(instance: Instance, call: ModelCall, sent: Request): Promise<Request | Evidence> {
  const request = await readable(call, sent);
  if (call.model === call.host) return request;
  const asked = await askedWith(instance, call.model, request);
  if (!asked.ok) return asked.why;
  // A redirect to another host carries every header but `authorization` along.
  return new Request(request, { headers: asked.headers.map(([name, value]) => [name, value]), redirect: 'error' });
}

/** Sends a held request. @returns its response, or why there is none: also when its headers are too long in coming. */
export async function send(instance: Instance, call: ModelCall, request: Request): Promise<Response | Evidence> {
  const { firstTokenTimeoutMs: limitMs } = instance.companion.limits();
  call.sentAt = instance.companion.brain.now();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limitMs);
  try {
    return await fetch(request, { signal: AbortSignal.any([call.gone.signal, late.signal]) });
  } catch (cause) {
    if (call.gone.signal.aborted) return { phase: 'headers', observed: 'aborted' };
    if (!late.signal.aborted) return evidenceOfThrow(cause);
    const message = `The response timed out: nothing for ${Math.round(limitMs)} ms`;
    return { phase: 'watchdog', observed: 'timeout', message };
  } finally {
    clearTimeout(timer);
  }
}
