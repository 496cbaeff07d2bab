import { limited } from '../../base/guarded';
import { quietly } from '../../base/quietly';
import { sessionIn } from './border';
import type { Instance, SessionMemory } from './instance';
import type { ModelRef, SessionInfo } from './types';

/** How long a call of the host may take, in ms; all of them are local. */
const CALL_LIMIT_MS = 5_000;

/** A call that neither fails nor waits for ever. @returns null when it did. */
export const called = <T>(call: (() => Promise<T>) | null): Promise<T | null> =>
  call === null ? Promise.resolve(null) : limited(quietly(call), CALL_LIMIT_MS);

/** What the host says of a session; null when it does not say. */
export async function readSession({ context }: Instance, sessionID: string): Promise<SessionInfo | null> {
  return sessionIn(await called(() => Promise.resolve(context.session?.get?.({ sessionID }))));
}

/** Asks the host to use a model in a session from now on. @returns whether it took the call. */
export async function setModel({ context }: Instance, sessionID: string, model: ModelRef): Promise<boolean> {
  const done = await called(async () => {
    await context.session?.switchModel?.({ sessionID, model });
    return true;
  });
  return done === true;
}

/**
 * Says something to the user of a session, for the conversation alone: nobody is woken, and no model is shown it. While
 * the session works it waits: a text that comes in would make the turn take another step.
 */
export async function say(instance: Instance, session: SessionMemory, text: string): Promise<void> {
  const { context, voice } = instance;
  if (instance.isSilent) return;
  if (session.isWorking && instance.hearsEnds) {
    session.unsaid.push(text);
    return;
  }
  session.said.add(text);
  const done = await called(async () => {
    if (!context.session?.synthetic || session.isWorking) return false;
    // Its terminal draws the description, and nothing else of it.
    await context.session.synthetic({ sessionID: session.id, text, resume: false, description: text });
    return true;
  });
  if (!done) voice.notify({ message: text, variant: 'info' });
}
