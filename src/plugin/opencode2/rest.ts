import { endMessage } from '../final-message';
import { abortCall, answerCall, failCall } from './calls';
import { evidenceOfError } from './evidence';
import { called, say } from './host-calls';
import { type Instance, type ModelCall, type SessionMemory, sessionOf, turnOf } from './instance';
import { withoutModel } from './retry';
import { moveTurn, pointHome } from './switch';
import type { SessionError } from './types';

/** What a model is told that takes up a turn which OpenCode has given up. */
const GO_ON =
  'The last answer failed before it was complete. Go on from there, without repeating what is there already.';

/** An execution ended well, or the user stopped it. */
export async function onEnded(instance: Instance, sessionID: string, isWell: boolean): Promise<void> {
  const session = sessionOf(instance, sessionID);
  const call = session.calls.get('primary');
  if (call && isWell) answerCall(instance, call, { firstTokenMs: null, outputChars: 0 });
  await rest(instance, session);
}

/**
 * An execution ended in an error. Where the engine has named another model and OpenCode did not ask for it, that model
 * takes the turn up again, once.
 */
export async function onFailed(instance: Instance, sessionID: string, error: SessionError): Promise<void> {
  const session = sessionOf(instance, sessionID);
  session.isWorking = false;
  const call = session.calls.get('primary');
  if (call && (await instance.companion.refresh())) {
    failCall(instance, call, evidenceOfError(error));
    if (await takeUp(instance, session, call)) return;
  }
  await rest(instance, session);
}

/** @returns whether the session works again. */
async function takeUp(instance: Instance, session: SessionMemory, call: ModelCall): Promise<boolean> {
  const { decision } = call;
  call.decision = null;
  if (!decision || call.isWatched) return false;
  const text = endMessage(decision, instance.companion.brain.state(), Date.now());
  if (text !== null) await say(instance, session, text);
  const { action } = decision;
  if (action.kind !== 'switch' || !mayTakeUp(instance, session)) return false;
  turnOf(session).isTakenUp = true;
  const moved = await moveTurn(instance, session, call, action.to);
  if (moved === 'unlisted') call.decision = withoutModel(instance, session, call, action.to);
  if (moved !== 'moved') return false;
  const { synthetic } = instance.context.session ?? {};
  const done = await called(async () => {
    await synthetic?.call(instance.context.session, {
      sessionID: session.id,
      text: GO_ON,
      delivery: 'steer',
      resume: true,
    });
    return synthetic !== undefined;
  });
  return done === true;
}

/** Never where somebody waits for the session's end: a parent, or a process that exits with it. */
const mayTakeUp = (instance: Instance, session: SessionMemory): boolean =>
  instance.actuator.level() !== 'watch' &&
  !turnOf(session).isTakenUp &&
  session.parent === null &&
  !instance.exitsAtRest;

/** What was under way is over, and the session has its own model again. */
async function rest(instance: Instance, session: SessionMemory): Promise<void> {
  session.isWorking = false;
  session.turn = null;
  abortCall(instance, session.calls.get('primary'));
  session.calls.delete('primary');
  if (instance.companion.isArmed()) instance.companion.brain.tell({ type: 'session.idle', session: session.id });
  await pointHome(instance, session);
  for (const text of session.unsaid.splice(0)) await say(instance, session, text);
  for (const listener of session.atRest) listener();
  session.atRest.clear();
}
