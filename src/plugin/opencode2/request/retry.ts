import type { Decision, Evidence, ModelId } from '../../../engine';
import { limited } from '../../base/guarded';
import { endMessage, isDeferred } from '../../user/final-message';
import { answered, decideCall, openFor, takeFurther } from '../session/asking';
import { evidenceOfError } from '../session/evidence';
import { say } from '../session/host-calls';
import { type Instance, type ModelCall, type SessionMemory, turnOf } from '../session/instance';
import { nameOf } from '../session/model-ref';
import { moveTurn } from '../session/switch';
import type { RetryDecision, RetryEvent } from '../session/types';
import { abortCall, beginCall, failCall } from './calls';
import { mayHold } from './held';
import { cutOff } from './socket';

/** Limit of a decision, in ms, without waiting for approval. After it, OpenCode does as it proposed. */
export const DECISION_LIMIT_MS = 15_000;
/** OpenCode calls the retry hook this soon after a failure, in ms. */
const ASKED_WITHIN_MS = 2_000;
/** Longer than any chain. */
const UNLISTED_MAX = 20;

/**
 * Applies the engine's decision after a failed call.
 * @returns null leaves it to OpenCode.
 */
export async function onRetry(instance: Instance, event: RetryEvent): Promise<RetryDecision | null> {
  const met = await limited(meet(instance, event), DECISION_LIMIT_MS);
  if (met === null || 'retry' in met) return met;
  for (;;) {
    const decision = await limited(carry(instance, met.session, met.call), DECISION_LIMIT_MS);
    if (decision || !met.call.asking) return decision;
    // OpenCode has no request here that could wait.
    await answered(instance, met.call);
  }
}

type Met = Readonly<{ session: SessionMemory; call: ModelCall }>;

/** @returns the call to act on, or a final decision. */
async function meet(instance: Instance, event: RetryEvent): Promise<Met | RetryDecision | null> {
  if (!(await instance.companion.refresh(true))) return null;
  const session = instance.sessions.get(event.sessionID);
  const call = session && (await failedCall(instance, session, event));
  if (!session || !call) return null;
  if (call.held !== null && call.end === 'open' && !call.isRefused && !call.isRead)
    return sentByOpenCode(instance, call);
  failCall(instance, call, cutOff(call, event.error) ?? evidenceOfError(event.error));
  call.failedAt = null;
  // OpenCode's own calls count but never move a turn.
  if (call.isWatched) return call.isHopeless ? { retry: false } : null;
  return instance.actuator.level() === 'switch' ? { session, call } : null;
}

/**
 * The hook does not name the call's kind, and a title runs beside a turn: of two matches, only one seen to fail
 * counts.
 */
async function failedCall(
  instance: Instance,
  session: SessionMemory,
  { agent, model, sessionID }: RetryEvent,
): Promise<ModelCall | null> {
  const matching = (): ModelCall[] =>
    [...session.calls.values()].filter((call) => call.agent === agent && call.host === nameOf(model));
  const failed = matching().filter((call) => isFresh(call, instance.companion.brain.now()));
  const [only, ...others] = failed.length > 0 ? failed : matching().filter(({ end }) => end === 'open');
  if (only) return others.length === 0 ? only : null;
  // A call counted as answered has failed after all: a new attempt receives the failure.
  const [ended, ...rest] = matching();
  if (!ended || rest.length > 0 || ended.end !== 'answered' || ended.isWatched) return null;
  await beginCall(instance, { sessionID, agent, model, kind: ended.kind });
  return session.calls.get(ended.kind) ?? null;
}

/** A failed call of OpenCode's own expires if no retry follows. */
const isFresh = ({ failedAt, isWatched }: ModelCall, now: number): boolean =>
  failedAt !== null && (!isWatched || now - failedAt < ASKED_WITHIN_MS);

/** OpenCode does not read our responses: from now on it sends its requests itself. */
function sentByOpenCode(instance: Instance, call: ModelCall): RetryDecision {
  instance.replaced = 'refused';
  abortCall(instance, call);
  return { retry: true, delay: 0 };
}

async function carry(instance: Instance, session: SessionMemory, call: ModelCall): Promise<RetryDecision | null> {
  for (let tries = 0; tries < UNLISTED_MAX; tries++) {
    const { decision } = call;
    if (call.asking) return canWait(instance, call) && takeFurther(call) ? { retry: true, delay: 0 } : null;
    call.decision = null;
    if (!decision) return null;
    const { action } = decision;
    if (isDeferred(decision)) return endOrLeave(instance, session, { call, decision });
    if (action.kind === 'hold' && action.to === call.model) return { retry: true, delay: action.waitMs };
    if (action.kind === 'switch' || action.kind === 'hold') {
      const moved = await moveTurn(instance, session, { from: call.model, to: action.to });
      if (moved === 'moved') return { retry: true, delay: action.kind === 'hold' ? action.waitMs : 0 };
      if (moved !== 'unlisted') return null;
      decideCall(instance, call, unreached(instance, session, call, { model: action.to, evidence: UNLISTED }));
      continue;
    }
    return endOrLeave(instance, session, { call, decision });
  }
  return null;
}

/** Only a request to the same model is held. */
const canWait = (instance: Instance, call: ModelCall): boolean =>
  mayHold(instance, call) && openFor(call, call.model) !== null;

async function endOrLeave(
  instance: Instance,
  session: SessionMemory,
  { call, decision }: Readonly<{ call: ModelCall; decision: Decision }>,
): Promise<RetryDecision | null> {
  const text = endMessage(decision, instance.companion.brain, Date.now());
  if (text === null) {
    turnOf(session).isPassedOn = true;
    return null;
  }
  if (!call.isTold) await say(instance, session, text);
  return { retry: false };
}

export const UNLISTED: Evidence = {
  phase: 'headers',
  message: 'OpenCode has no such model.',
  mapped: { kind: 'model_not_found' },
};

/**
 * Reports a model that cannot be called as a failed attempt.
 * @returns the next decision.
 */
export function unreached(
  { companion, directory }: Instance,
  session: SessionMemory,
  { id, agent }: ModelCall,
  { model, evidence }: Readonly<{ model: ModelId; evidence: Evidence }>,
): Decision | null {
  const { brain } = companion;
  const attempt = `${id}:${model}`;
  const turn = turnOf(session).id;
  const about = { attempt, turn, session: session.id, directory, agent, model, purpose: 'turn' } as const;
  const refused = brain.decide({ type: 'attempt.started', ...about });
  if (refused) return refused;
  return brain.decide({ type: 'attempt.failed', attempt, evidence, durationMs: 0 }) ?? null;
}
