import { noteSeen } from '../../base/seen';
import type { Instance, ModelCall } from '../session/instance';
import { nameOf } from '../session/model-ref';
import type { HttpRequestEvent } from '../session/types';
import { beginCall, callOf, failCall } from './calls';
import { hold, mayHold, ofAccount } from './held';

/** Where nobody answers: a call that must not be made ends here, without its body and its keys. */
const NOWHERE = 'http://127.0.0.1:1/';

/** Asks another account than the one in use; where that cannot be done, nobody is asked. */
async function askAccount(instance: Instance, call: ModelCall, event: HttpRequestEvent): Promise<void> {
  const { request } = event;
  event.request = nowhere();
  const made = await ofAccount(instance, call, request);
  if (made instanceof Request) event.request = made;
  else failCall(instance, call, made);
}

const nowhere = (): Request => new Request(NOWHERE, { method: 'POST', body: '' });

/** A request goes out; one that the engine has refused goes nowhere, and OpenCode asks what to do instead. */
export async function onRequest(instance: Instance, event: HttpRequestEvent): Promise<void> {
  const { request } = event;
  try {
    await place(instance, event);
  } catch (error) {
    // OpenCode sends its own request: an internal error must not end a turn. A request that must not leave still does not.
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
  // OpenCode waits for us only so long: what another account is to be asked must not leave by the one in use.
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
