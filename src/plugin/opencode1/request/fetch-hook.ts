import { noteSeen } from '../../base/seen';
import { type Fetch, nextNumber, notedInProcess, releaseFetch, wrapFetch } from '../memory/fetch-wrap';
import { type GuardedRequest, headersToSend, REQUEST_HEADER } from '../memory/guarded-request';
import { guardedFetch } from './guard';
import { isPassedOn } from './try-once';

/** More are leaks of a host that never sends them. */
const NOTED_MAX = 500;

export function noteRequest(request: Omit<GuardedRequest, 'number'>): string {
  const number = String(nextNumber());
  const { noted } = notedInProcess();
  const own = { ...request, number };
  // Stored until evicted: an SDK's own retry repeats the number.
  noted.set(number, (original, input, init, by = 'fetch') => {
    const { instance, model, standIn } = own;
    if (instance.isGone) return null;
    if (!standIn) noteSeen(instance, model, by);
    const sent = guardedFetch(own, original, { input, init });
    // Requests with a reply or a substitute provider must not reach the real one.
    if (own.reply !== undefined || standIn || own.giveUp) return sent;
    return sent.catch((error: unknown) => {
      if (isPassedOn(error) || signalOf(input, init)?.aborted) throw error;
      instance.companion.brain.breaker.count('request', error);
      return unguarded(original, input, init);
    });
  });
  const oldest = noted.keys().next().value;
  if (noted.size > NOTED_MAX && oldest !== undefined) noted.delete(oldest);
  return number;
}

const signalOf = (input: string | URL | Request, init?: RequestInit): AbortSignal | null | undefined =>
  init?.signal ?? (input instanceof Request ? input.signal : null);

const unguarded = (original: Fetch, input: string | URL | Request, init?: RequestInit): Promise<Response> =>
  original(input, { ...init, headers: headersToSend(input, init) });

/** Answers unnumbered requests that contain `words` with 204: their session is unknown. */
export function keepBack(words: string): Readonly<{ hits: () => number; end: () => void }> {
  const { kept: pending } = notedInProcess();
  const state = { hits: 0 };
  pending.set(words, state);
  return { hits: () => state.hits, end: () => void pending.delete(words) };
}

export function installFetch(): void {
  const shared = wrapFetch();
  shared.guard = (input, init) => routed(shared.original, input, init);
}

export function holdFetch(until: Promise<unknown>): void {
  installFetch();
  void until.then(releaseFetch, releaseFetch);
}

export async function routed(
  original: Fetch,
  input: string | URL | Request,
  init?: RequestInit,
  by: 'fetch' | 'login' = 'fetch',
): Promise<Response> {
  const number = headerOf(input, init);
  if (number === null) return isKeptBack(init) ? new Response(null, { status: 204 }) : original(input, init);
  const sent = notedInProcess().noted.get(number)?.(original, input, init, by);
  return sent ?? unguarded(original, input, init);
}

function isKeptBack(init?: RequestInit): boolean {
  const { body } = init ?? {};
  const { kept: pending } = notedInProcess();
  if (pending.size === 0 || typeof body !== 'string') return false;
  for (const [words, state] of pending) {
    if (!body.includes(words)) continue;
    state.hits++;
    return true;
  }
  return false;
}

function headerOf(input: string | URL | Request, init?: RequestInit): string | null {
  const headers = init?.headers;
  if (headers instanceof Headers) return headers.get(REQUEST_HEADER);
  if (Array.isArray(headers)) return headers.find(([name]) => name?.toLowerCase() === REQUEST_HEADER)?.[1] ?? null;
  if (headers) return (headers as Record<string, string>)[REQUEST_HEADER] ?? null;
  return input instanceof Request ? input.headers.get(REQUEST_HEADER) : null;
}
