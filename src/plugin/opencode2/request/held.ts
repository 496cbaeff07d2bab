import type { Evidence } from '../../../engine';
import { evidenceOfThrow } from '../../answer/evidence';
import { issued, withoutForeign } from '../../answer/foreign';
import { quietly } from '../../base/quietly';
import { askedWith } from '../session/accounts';
import type { Instance, ModelCall } from '../session/instance';
import type { HttpRequestEvent, HttpResponseEvent, RequestKind } from '../session/types';

/** Fetched in place of a held request; the type identifies the empty response. */
const NOTHING = 'application/x-understudy';
const NOTHING_THERE = `data:${NOTHING},`;
const ANSWERABLE: ReadonlySet<RequestKind> = new Set(['title', 'compaction']);

/**
 * True if we send the request for OpenCode, which has no timeout before a response. False if OpenCode ignores our
 * responses.
 */
export const mayHold = ({ actuator, replaced }: Instance, { isWatched, kind }: ModelCall): boolean =>
  replaced !== 'refused' && actuator.level() === 'switch' && (!isWatched || ANSWERABLE.has(kind));

export function hold(call: ModelCall, event: HttpRequestEvent): void {
  const { request } = event;
  try {
    event.request = new Request(NOTHING_THERE);
    call.held = request;
  } catch {
    // silent: this OpenCode freezes its events, and sends the real request
  }
}

/** Returns the held request and puts it back for later hooks; null if OpenCode sent it itself. */
export function takeHeld(call: ModelCall, event: HttpResponseEvent): Request | null {
  const { held } = call;
  const type = event.response.headers.get('content-type');
  // Some packages drop the response's headers. [observed: 2.0.15, @ai-sdk/gateway]
  const isNothing = type?.startsWith(NOTHING) ?? event.request.url === NOTHING_THERE;
  if (held === null || !isNothing) {
    call.held = null;
    return null;
  }
  try {
    (event as { request: Request }).request = held;
  } catch {
    // silent: this OpenCode freezes its events; later hooks see the empty request
  }
  return held;
}

/** Removes content that only another account can decrypt. */
async function readable({ session, model }: ModelCall, request: Request): Promise<Request> {
  const isForeign = issued.foreignTo(session, model);
  const text = isForeign && (await quietly(() => request.clone().text()));
  const body = text && withoutForeign(text, isForeign, request.url);
  if (!body) return request;
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  return new Request(request, { body, headers });
}

/** Applies the credentials of the call's account. Never rejects. */
export async function ofAccount(instance: Instance, call: ModelCall, sent: Request): Promise<Request | Evidence> {
  const request = await readable(call, sent);
  if (call.model === call.host) return request;
  const result = await askedWith(instance, call.model, request);
  if (!result.ok) return result.why;
  // A redirect to another host would carry every header except `authorization`.
  return new Request(request, { headers: result.headers.map(([name, value]) => [name, value]), redirect: 'error' });
}

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
