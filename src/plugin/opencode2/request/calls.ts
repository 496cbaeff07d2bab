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

/** Has the engine admit a call. Waits at most 250 ms, for the app's lease of a probe. */
export async function beginCall(instance: Instance, asking: Asking & { kind: RequestKind }): Promise<void> {
  const { companion } = instance;
  const session = sessionOf(instance, asking.sessionID);
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

/** Detects from the first call after a prompt whether OpenCode applies the agent's model. */
function noteAsked(instance: Instance, session: SessionMemory, { agent, model }: Asking): void {
  const { isUnchosen } = session;
  session.isUnchosen = false;
  const lead = ownValue(instance.leads, agent) ?? null;
  // A moved session gives no evidence.
  if (!isUnchosen || session.home !== null || lead === null || lead === instance.defaultModel) return;
  instance.heedsAgentModel = nameOf(model) === lead;
}

/** Returns undefined if the call's start was not seen. */
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
  // A turn that waits for approval starts no new attempt.
  if (call.asking) call.decision = call.asking.decision;
  else if (mayMove) decideCall(instance, call, tellStarted(instance, session, call, 'turn') ?? null);
  call.isRefused =
    call.decision !== null &&
    (isOfMoney(call.decision) || (instance.actuator.level() === 'switch' && isToRefuse(instance, call, call.decision)));
  if (!call.isRefused && (!mayMove || call.decision)) tellStarted(instance, session, call, 'internal');
}

/** Resolves when every refused request has reached the hook that stops it. */
export async function refusedCameBy({ sessions }: Instance): Promise<void> {
  const calls = [...sessions.values()].flatMap((session) => [...session.calls.values()]);
  const signals = calls.filter(({ isRefused, end }) => isRefused && end === 'open').map(({ cameBy }) => cameBy.signal);
  await Promise.all(signals.filter(({ aborted }) => !aborted).map((signal) => once(signal, 'abort')));
}

/** OpenCode keeps the partial text and has the next model continue it. */
function noteContinued({ companion }: Instance, before: ModelCall | undefined, turn: string): void {
  if (before?.end !== 'failed' || !before.failure?.outputChars) return;
  const { session, agent, model } = before;
  companion.brain.note({ type: 'answer.continued', session, turn, agent, model });
}

/**
 * Before a switch has worked, the call is sent and its failure triggers the switch. Waits, approvals and manual
 * exclusions need no switch.
 */
const isToRefuse = ({ actuator, companion: { brain } }: Instance, { model }: ModelCall, decision: Decision): boolean =>
  actuator.isProven() ||
  isWait(decision, model) ||
  isQuestion(decision) ||
  isLeftOut(decision) ||
  isOutByHand(brain.state(), model, brain.now());

const isWait = ({ action }: Decision, model: ModelId): boolean => action.kind === 'hold' && action.to === model;

/** A budget ends the turn or needs approval, which works in every mode. */
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
    // Only events report flaws of tools.
    ...(instance.hearsEnds ? { tellsFlaws: true } : {}),
    ...(session.parent ? { parentSession: session.parent } : {}),
    ...(session.needs && isTurns ? { needs: session.needs } : {}),
    ...(spend && isTurns ? { spend } : {}),
  });
}

/** Reports a failure, once. The decision stays in the call until a hook applies it. */
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

export function takeEnd({ companion }: Instance, call: ModelCall): string | null {
  const text = call.decision && endMessage(call.decision, companion.brain, Date.now());
  if (text) call.isTold = true;
  return text;
}

/** Reports an answer, once. `firstTokenMs` is null if the body was not inspected. */
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

/** Abandons a call that another model answers: no retry hook follows. */
export function leaveCall(instance: Instance, call: ModelCall): void {
  call.failedAt = null;
  abortCall(instance, call);
}

export function abortCall({ companion }: Instance, call: ModelCall | undefined): void {
  call?.gone.abort();
  call?.cameBy.abort();
  if (call?.end !== 'open') return;
  call.end = 'answered';
  call.decision = null;
  companion.brain.tell({ type: 'attempt.aborted', attempt: call.id });
}
