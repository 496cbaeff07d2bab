import { type Ability, CONTINUE_MESSAGE, type Decision, type HoldTask, type ModelId } from '../../../engine';
import { counting } from '../../base/counting';
import { isQuestion } from '../../runtime/question';
import { isDeferred } from '../../user/final-message';
import { turnIdOf } from '../memory/guarded-request';
import { noteUnmoved } from '../memory/learn';
import { isStopped, throwIfStopped, wait } from '../memory/stop';
import { beginMove, goOnWith, noteMoved, noteStay, setReplay } from '../memory/turn-memory';
import { REPOINT_LIMIT_MS, repoint } from '../message/repoint';
import { isAskable } from '../message/unseen';
import type { Call } from './call';

/** The engine skips steps that need other abilities. */
export const CARRIED_ABILITIES: readonly Ability[] = ['hold.other', 'hold.start', 'retry.output', 'continue', 'ask'];

/** `again`: send the request again; `step`: OpenCode takes its next step; `end`: another model answers the message. */
export type Carried = 'again' | 'step' | 'end' | null;

const PROOF_WAIT_MS = 20;

export type Shown = Readonly<{ isBegun: boolean; chars: number }>;
export const NOTHING_SHOWN: Shown = { isBegun: false, chars: 0 };

/** A longer partial response stays in the history for the next model. */
export const KEPT_OUTPUT_CHARS = 500;

/**
 * @returns null without an action, or if OpenCode did not take the model.
 * @throws the user's reason for a stop.
 */
export async function carry(
  call: Call,
  decision: Decision,
  shown: Shown,
  signal: AbortSignal | null = call.signal,
): Promise<Carried> {
  const { action } = decision;
  if ((action.kind !== 'switch' && action.kind !== 'hold') || isQuestion(decision) || isDeferred(decision)) return null;
  if (action.kind === 'hold') await wait(action.waitMs, signal);
  if (action.kind === 'hold' && action.to === call.request.model) return stay(call, action.task, shown);
  const level = await call.request.instance.companion.selfCheck.settled(PROOF_WAIT_MS);
  throwIfStopped(signal);
  if (level !== 'soft') return leave(call, action.to, shown);
  const isMoved = await moveTo(call, action.to, shown, signal);
  throwIfStopped(signal);
  return isMoved ? 'step' : null;
}

/** Repeats from here until OpenCode has output, then as its next step. */
function stay({ request, init, signal }: Call, task: HoldTask | undefined, shown: Shown): Carried {
  const { turn, model } = request;
  const isContinued = task === 'continue';
  // A stream body is consumed, and OpenCode's time limit ends a request for good.
  const isRepeatable = !shown.isBegun && typeof init.body === 'string' && !signal?.aborted;
  if (isRepeatable && !isContinued) return 'again';
  if (request.instance.companion.selfCheck.actuator() !== 'soft') return null;
  const isLong = shown.chars > KEPT_OUTPUT_CHARS;
  const isKept = isLong || (isContinued && shown.chars > 0);
  // Some models refuse or misread a history that ends with a response.
  if (isContinued || isKept) goOn(request);
  noteStay(turn, { model, isKept }, isKept && !isLong);
  return 'step';
}

function goOn(request: Call['request']): void {
  const { turn, instance, session, agent, model } = request;
  goOnWith(turn, CONTINUE_MESSAGE);
  instance.companion.brain.note({ type: 'answer.continued', session, turn: turnIdOf(request), agent, model });
}

/** Ends a turn without in-flight switching; its message is repeated at idle, if allowed. */
function leave({ request }: Call, to: ModelId, shown: Shown): Carried {
  const { turn, instance, model: from } = request;
  if (shown.chars === 0 && isAskable(instance, turn)) {
    setReplay(turn, { from, to, failed: null });
    return 'end';
  }
  const reason = 'this OpenCode cannot move a running turn to another model';
  instance.companion.brain.tell({ ...carriedBy(request), ok: false, durationMs: 0, reason });
  return null;
}

const carriedBy = (request: Call['request']) =>
  ({ type: 'switch.carried', turn: turnIdOf(request), from: request.model }) as const;

async function moveTo({ request }: Call, to: ModelId, shown: Shown, signal: AbortSignal | null): Promise<boolean> {
  const { turn, instance, model: from } = request;
  const { brain } = instance.companion;
  const startedAt = brain.now();
  beginMove(turn, from);
  // The next request then finds a fresh configuration.
  void counting('config.ahead', () => instance.companion.refresh());
  const ok = !isStopped(signal) && (await repoint(instance, request.user, to));
  const durationMs = brain.now() - startedAt;
  const reason = isStopped(signal) ? 'stopped by the user' : 'OpenCode did not accept the new model';
  brain.tell({ ...carriedBy(request), ok, durationMs, ...(ok ? {} : { reason }) });
  // A timeout only shows a busy machine.
  if (!ok && !isStopped(signal) && durationMs < REPOINT_LIMIT_MS) noteUnmoved(instance);
  if (!ok || isStopped(signal)) return false;
  const isKept = shown.chars > KEPT_OUTPUT_CHARS;
  noteMoved(turn, { model: from, isKept });
  if (isKept) goOn(request);
  return true;
}
