import { DEFAULT_AGENT } from '../../../contract/opencode-agents';
import type { ModelId } from '../../../engine';
import { endMessage } from '../../user/final-message';
import { abortCall, answerCall, beginCall, failCall } from '../request/calls';
import { UNLISTED, unreached } from '../request/retry';
import { heedAccounts } from '../session/accounts';
import { answered, decideCall, sayQuestion } from '../session/asking';
import { evidenceOfError } from '../session/evidence';
import { called, readSession, say } from '../session/host-calls';
import { type Instance, type ModelCall, type SessionMemory, sessionOf, turnOf } from '../session/instance';
import { refOf } from '../session/model-ref';
import { moveTurn, pointHome } from '../session/switch';
import type { SessionError } from '../session/types';

/** Prompt that resumes a failed turn. */
const GO_ON =
  'The last answer failed before it was complete. Go on from there, without repeating what is there already.';

const OF_A_TURN = ['primary', 'compaction'] as const;

export async function onEnded(instance: Instance, sessionID: string, isWell: boolean): Promise<void> {
  const session = sessionOf(instance, sessionID);
  const call = session.calls.get('primary');
  if (call && isWell) answerCall(instance, call, { firstTokenMs: null, outputChars: 0 });
  await rest(instance, session);
}

/** Resumes a failed turn, once, with the engine's model if OpenCode did not call it. */
export async function onFailed(instance: Instance, sessionID: string, error: SessionError): Promise<void> {
  const session = sessionOf(instance, sessionID);
  session.isWorking = false;
  const call = session.calls.get('primary') ?? (await unstarted(instance, session));
  if (call && (await instance.companion.refresh())) {
    // OpenCode could not start the model of the last move.
    const lost = session.expected;
    session.expected = null;
    if (lost === null) failCall(instance, call, evidenceOfError(error));
    else
      decideCall(instance, call, unreached(instance, session, call, { model: lost, evidence: evidenceOfError(error) }));
    if (await takeUp(instance, session, call, lost ?? call.model)) return;
  }
  await rest(instance, session);
}

/** Registers a model that OpenCode could not start, for which no hook ran; undefined without a prompt. */
async function unstarted(instance: Instance, session: SessionMemory): Promise<ModelCall | undefined> {
  const { id: sessionID, turn, agent } = session;
  if (turn === null) return undefined;
  const lead = instance.leads[agent ?? DEFAULT_AGENT] ?? instance.defaultModel;
  const model = (await readSession(instance, sessionID))?.model ?? (lead === null ? null : refOf(lead));
  if (model !== null) await beginCall(instance, { sessionID, agent: agent ?? DEFAULT_AGENT, model, kind: 'primary' });
  return session.calls.get('primary');
}

async function takeUp(instance: Instance, session: SessionMemory, call: ModelCall, from: ModelId): Promise<boolean> {
  if (call.asking) return askAtRest(instance, session, call, from);
  const { decision } = call;
  call.decision = null;
  if (!decision || call.isWatched) return false;
  const text = endMessage(decision, instance.companion.brain, Date.now());
  if (text !== null && !call.isTold) session.unsaid.push(text);
  const { action } = decision;
  if (action.kind !== 'switch' || !mayTakeUp(instance, session)) return false;
  const moved = await moveTurn(instance, session, { from, to: action.to });
  if (moved === 'unlisted') {
    decideCall(instance, call, unreached(instance, session, call, { model: action.to, evidence: UNLISTED }));
    return takeUp(instance, session, call, from);
  }
  if (moved !== 'moved') return false;
  turnOf(session).isTakenUp = true;
  return goOn(instance, session);
}

/**
 * Shows the question in the conversation. The turn resumes on approval unless the user has sent another message.
 * @returns true if it is shown.
 */
function askAtRest(instance: Instance, session: SessionMemory, call: ModelCall, from: ModelId): boolean {
  if (!mayTakeUp(instance, session)) return false;
  const { turn } = session;
  const question = sayQuestion(instance, call);
  const carryOut = async (): Promise<void> => {
    if (question !== null) await say(instance, session, question);
    await answered(instance, call);
    if (session.turn !== turn) return;
    if (!(await takeUp(instance, session, call, from))) await rest(instance, session);
  };
  void carryOut().catch((error: unknown) => instance.companion.brain.breaker.count('question.answer', error));
  return true;
}

async function goOn({ context }: Instance, { id: sessionID }: SessionMemory): Promise<boolean> {
  const done = await called(async () => {
    if (!context.session?.synthetic) return false;
    await context.session.synthetic({ sessionID, text: GO_ON, delivery: 'steer', resume: true });
    return true;
  });
  return done === true;
}

/** Never while a parent or an exiting process waits for the session's end. */
const mayTakeUp = (instance: Instance, session: SessionMemory): boolean =>
  instance.actuator.level() !== 'watch' &&
  !turnOf(session).isTakenUp &&
  session.parent === null &&
  !instance.exitsAtRest;

/** Ends the turn and restores the session's own model. */
export async function rest(instance: Instance, session: SessionMemory): Promise<void> {
  session.isWorking = false;
  session.turn = null;
  instance.companion.userPrompts.rested(session.id);
  for (const kind of OF_A_TURN) {
    abortCall(instance, session.calls.get(kind));
    session.calls.delete(kind);
  }
  if (instance.companion.isArmed()) {
    instance.companion.brain.tell({ type: 'session.idle', session: session.id });
    // OpenCode may renew the login, so this does not wait.
    void heedAccounts(instance);
  }
  await pointHome(instance, session);
  for (const text of session.unsaid.splice(0)) await say(instance, session, text);
  for (const listener of session.atRest) listener();
  session.atRest.clear();
}
