import { limited } from '../../base/guarded';
import { quietly } from '../../base/quietly';
import { sessionIn } from './border';
import type { Instance, SessionMemory } from './instance';
import type { ModelRef, SessionInfo } from './types';

/** Limit of a local call, in ms. */
const CALL_LIMIT_MS = 5_000;

/** Returns null on failure or timeout. */
export const called = <T>(call: (() => Promise<T>) | null): Promise<T | null> =>
  call === null ? Promise.resolve(null) : limited(quietly(call), CALL_LIMIT_MS);

export async function readSession({ context }: Instance, sessionID: string): Promise<SessionInfo | null> {
  return sessionIn(await called(() => Promise.resolve(context.session?.get?.({ sessionID }))));
}

/** @returns false on failure. */
export async function setModel({ context }: Instance, sessionID: string, model: ModelRef): Promise<boolean> {
  const done = await called(async () => {
    await context.session?.switchModel?.({ sessionID, model });
    return true;
  });
  return done === true;
}

/**
 * Shows a message without starting a turn; no model receives it. Waits until the session rests: a text would make a
 * working turn take another step.
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
    // OpenCode's terminal shows only the description.
    await context.session.synthetic({ sessionID: session.id, text, resume: false, description: text });
    return true;
  });
  if (!done) voice.notify({ message: text, variant: 'info' });
}
