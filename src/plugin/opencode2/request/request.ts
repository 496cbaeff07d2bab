import { noteSeen } from '../../base/seen';
import type { Instance, ModelCall } from '../session/instance';
import { nameOf } from '../session/model-ref';
import type { HttpRequestEvent } from '../session/types';
import { beginCall, callOf, failCall } from './calls';
import { hold, mayHold, ofAccount } from './held';

/** Closed port for a refused call, sent without body and keys. */
const NOWHERE = 'http://127.0.0.1:1/';

async function askAccount(instance: Instance, call: ModelCall, event: HttpRequestEvent): Promise<void> {
  const { request } = event;
  event.request = nowhere();
  const made = await ofAccount(instance, call, request);
  if (made instanceof Request) event.request = made;
  else failCall(instance, call, made);
}

const nowhere = (): Request => new Request(NOWHERE, { method: 'POST', body: '' });

/** OpenCode calls the retry hook for a request sent to the closed port. */
export async function onRequest(instance: Instance, event: HttpRequestEvent): Promise<void> {
  const { request } = event;
  try {
    await place(instance, event);
  } catch (error) {
    // An internal error must not end a turn, unless the request must not leave.
    const call = callOf(instance, event);
    if (call) call.held = null;
    const mustStay = call?.isRefused || instance.answerFor !== undefined || asksAccount(instance, event);
    event.request = mustStay ? nowhere() : request;
    throw error;
  } finally {
    callOf(instance, event)?.cameBy.abort();
  }
}

async function place(instance: Instance, event: HttpRequestEvent): Promise<void> {
  const { isGone, companion } = instance;
  if ((isGone && !callOf(instance, event)?.isRefused) || companion.brain.breaker.isOpen()) return;
  const { request } = event;
  // OpenCode may continue before this hook ends; the request must not leave with the account in use.
  const isAccounts = asksAccount(instance, event);
  if (isAccounts) event.request = nowhere();
  const begun = callOf(instance, event);
  if (begun?.end !== 'open' || begun.isSeen) await beginCall(instance, event);
  if (isAccounts) event.request = request;
  const call = callOf(instance, event);
  if (!call || call.held !== null) return;
  noteSeen(instance, call.host, 'fetch');
  if (call.model === call.host) {
    const { url, headers } = request;
    void instance.companion.noteAsked(call.model, { url, header: (name) => headers.get(name) });
  }
  if (mayHold(instance, call)) hold(call, event);
  else if (call.isRefused) event.request = nowhere();
  else if (call.model !== call.host) await askAccount(instance, call, event);
}

const asksAccount = ({ sessions }: Instance, { sessionID, model }: HttpRequestEvent): boolean =>
  sessions.get(sessionID)?.account?.of === nameOf(model);
