import { once } from 'node:events';
import { INTERNAL_AGENTS } from '../../../contract/opencode-agents';
import { type Decision, type Evidence, isOutByHand, type ModelId } from '../../../engine';
import { haltedBy, ownValue } from '../../../engine/tools';
import { isQuestion } from '../../runtime/question';
import { endMessage, isLeftOut } from '../../user/final-message';
import { askedAs } from '../session/accounts';
import { decideCall, openFor } from '../session/asking';
import { lookHome } from '../session/away';
import { type Instance, type ModelCall, type SessionMemory, sessionOf, turnOf } from '../session/instance';
import { nameOf } from '../session/model-ref';
import { checkSwitch } from '../session/switch';
import type { ModelRef, RequestKind } from '../session/types';

export type Asking = Readonly<{ sessionID: string; agent: string; model: ModelRef }>;

/**
 * A call of a model is about to be built: the engine is asked to admit it. Nothing is held up but by the app's word on a
 * probe, 250 ms at most.
 */
export async function beginCall(instance: Instance, asking: Asking & { kind: RequestKind }): Promise<void> {
  const { companion } = instance;
  const session = sessionOf(instance, asking.sessionID);
  // Where no prompt came before.
  await lookHome(instance, session);
  const isPrimary = asking.kind === 'primary' && !INTERNAL_AGENTS.has(asking.agent);
  if (isPrimary) {
    session.isWorking = true;
    session.agent = asking.agent;
    noteAsked(instance, session, asking);
    await checkSwitch(instance, session, askedAs(session, asking.model));
  }
  if (!(await companion.refresh(true))) return;
  await companion.brain.leaseFor(instance.directory, askedAs(session, asking.model));
  const isHalted = () => {
    const { directory } = instance;
    const model = askedAs(session, asking.model);
    return haltedBy(
      companion.brain.state(),
      { directory, session: session.id, agent: asking.agent, lead: model },
      model,
      companion.brain.now(),
    );
  };
  open(instance, session, asking, isPrimary && (instance.actuator.level() !== 'watch' || isHalted() !== null));
}

/** Learns from the first call after a prompt whom OpenCode asks where nobody has chosen. */
function noteAsked(instance: Instance, session: SessionMemory, { agent, model }: Asking): void {
  const { isUnchosen } = session;
  session.isUnchosen = false;
  const lead = ownValue(instance.leads, agent) ?? null;
  // A session that was moved at its prompt shows nothing.
  if (!isUnchosen || session.home !== null || lead === null || lead === instance.defaultModel) return;
  instance.heedsAgentModel = nameOf(model) === lead;
}

/** The call that a hook speaks of; undefined when it was not seen being built. */
export function callOf(instance: Instance, { sessionID, kind, agent, model }: Asking & { kind: RequestKind }) {
  const call = instance.sessions.get(sessionID)?.calls.get(kind);
  return call?.agent === agent && call.host === nameOf(model) ? call : undefined;
}

function open(
  instance: Instance,
  session: SessionMemory,
  { agent, model, kind }: Asking & { kind: RequestKind },
  mayMove: boolean,
): void {
  const { brain } = instance.companion;
  const turn = turnOf(session);
  if (mayMove) noteContinued(instance, session.calls.get(kind), turn.id);
  abortCall(instance, session.calls.get(kind));
  if (mayMove && turn.isPassedOn) brain.tell({ type: 'host.retrying', turn: turn.id });
  if (mayMove) turn.isPassedOn = false;
  const call: ModelCall = {
    id: `${instance.companion.instance}:${session.id}:${turn.id}:${++session.made}`,
    session: session.id,
    kind,
    agent,
    model: askedAs(session, model),
    host: nameOf(model),
    startedAt: brain.now(),
    isWatched: !mayMove,
    isSeen: false,
    isRefused: false,
    cameBy: new AbortController(),
    held: null,
    sentAt: null,
    isRead: false,
    isTold: false,
    isHopeless: false,
    gone: new AbortController(),
    end: 'open',
    failure: null,
    failedAt: null,
    decision: null,
    asking: mayMove ? openFor(turn, askedAs(session, model)) : null,
  };
  session.calls.set(kind, call);
  // A turn that waits for an answer has nothing new to tell.
  if (call.asking) call.decision = call.asking.decision;
  else if (mayMove) decideCall(instance, call, tellStarted(instance, session, call, 'turn') ?? null);
  call.isRefused =
    call.decision !== null &&
    (isOfMoney(call.decision) || (instance.actuator.level() === 'switch' && isToRefuse(instance, call, call.decision)));
  if (!call.isRefused && (!mayMove || call.decision)) tellStarted(instance, session, call, 'internal');
}

/** Resolves when no refused request is still on its way to where it is stopped. */
export async function refusedCameBy({ sessions }: Instance): Promise<void> {
  const calls = [...sessions.values()].flatMap((session) => [...session.calls.values()]);
  const signals = calls.filter(({ isRefused, end }) => isRefused && end === 'open').map(({ cameBy }) => cameBy.signal);
  await Promise.all(signals.filter(({ aborted }) => !aborted).map((signal) => once(signal, 'abort')));
}

/** OpenCode keeps what a model has said before it broke off, and says to the next one to go on from there. */
function noteContinued({ companion }: Instance, before: ModelCall | undefined, turn: string): void {
  if (before?.end !== 'failed' || !before.failure?.outputChars) return;
  const { session, agent, model } = before;
  companion.brain.note({ type: 'answer.continued', session, turn, agent, model });
}

/**
 * A switch that was seen to work is as good before a call as after it; else the call is made and counts. What a person is
 * asked, or has said no to, moves nothing, nor does a wait; and whom they have taken out nobody asks.
 */
const isToRefuse = ({ actuator, companion: { brain } }: Instance, { model }: ModelCall, decision: Decision): boolean =>
  actuator.isProven() ||
  isWait(decision, model) ||
  isQuestion(decision) ||
  isLeftOut(decision) ||
  isOutByHand(brain.state(), model, brain.now());

const isWait = ({ action }: Decision, model: ModelId): boolean => action.kind === 'hold' && action.to === model;

/** A budget ends it, or has a person asked first: that takes no other model, and holds whatever this OpenCode lets be done. */
const isOfMoney = ({ code }: Decision): boolean => code.endsWith('.money');

function tellStarted(instance: Instance, session: SessionMemory, call: ModelCall, purpose: 'turn' | 'internal') {
  const { companion, directory } = instance;
  const { id: attempt, agent, model } = call;
  const turn = turnOf(session).id;
  const isTurns = purpose === 'turn';
  const needs = session.needs ?? undefined;
  const spend = companion.spendOf({ session: session.id, model, needs, most: null });
  return companion.brain.decide({
    type: 'attempt.started',
    attempt,
    turn,
    session: session.id,
    directory,
    agent,
    model,
    purpose,
    // Without events nobody hears of tools.
    ...(instance.hearsEnds ? { tellsFlaws: true } : {}),
    ...(session.parent ? { parentSession: session.parent } : {}),
    ...(session.needs && isTurns ? { needs: session.needs } : {}),
    ...(spend && isTurns ? { spend } : {}),
  });
}

/** Reports how a call failed, once. What the engine says of it waits in the call for whoever can carry it out. */
export function failCall(instance: Instance, call: ModelCall, evidence: Evidence): void {
  const { companion } = instance;
  if (call.end !== 'open') return;
  call.end = 'failed';
  call.failure = evidence;
  call.failedAt = companion.brain.now();
  const named = companion.named(call, evidence);
  const durationMs = companion.brain.now() - call.startedAt;
  const decision = companion.brain.decide({ type: 'attempt.failed', attempt: call.id, evidence: named, durationMs });
  if (decision) decideCall(instance, call, decision);
}

/** The sentence that ends the turn, for OpenCode to show as its error; null where the turn goes on. */
export function takeEnd({ companion }: Instance, call: ModelCall): string | null {
  const text = call.decision && endMessage(call.decision, companion.brain, Date.now());
  if (text) call.isTold = true;
  return text;
}

/** Reports a whole answer, once. `firstTokenMs` is null where the body was not looked into. */
export function answerCall(
  { companion }: Instance,
  call: ModelCall,
  { firstTokenMs, ...answer }: Readonly<{ firstTokenMs: number | null; outputChars: number; unknownEnd?: string }>,
): void {
  if (call.end !== 'open') return;
  call.end = 'answered';
  call.decision = null;
  const durationMs = companion.brain.now() - call.startedAt;
  const first = firstTokenMs ?? durationMs;
  companion.brain.tell({ type: 'attempt.succeeded', attempt: call.id, durationMs, firstTokenMs: first, ...answer });
}

/** Somebody else answers in its place: OpenCode does not ask about this one any more. */
export function leaveCall(instance: Instance, call: ModelCall): void {
  call.failedAt = null;
  abortCall(instance, call);
}

/** Nobody waits for the answer any more, or its end was not seen. */
export function abortCall({ companion }: Instance, call: ModelCall | undefined): void {
  call?.gone.abort();
  call?.cameBy.abort();
  if (call?.end !== 'open') return;
  call.end = 'answered';
  call.decision = null;
  companion.brain.tell({ type: 'attempt.aborted', attempt: call.id });
}
