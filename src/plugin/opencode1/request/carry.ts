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

/** What this adapter can do beyond the plain decisions; the engine leaves out steps that need more. */
export const CARRIED_ABILITIES: readonly Ability[] = ['hold.other', 'hold.start', 'retry.output', 'continue', 'ask'];

/**
 * How a decision was carried out: the same request may go out again, OpenCode takes its next step, the turn has to end
 * because its message is asked again of another model, or none of these.
 */
export type Carried = 'again' | 'step' | 'end' | null;

/** How long a failing turn waits for a proof that is under way, in ms. */
const PROOF_WAIT_MS = 20;

/** What OpenCode has been given of the answer: whether a stream has begun, and how many characters were in it. */
export type Shown = Readonly<{ isBegun: boolean; chars: number }>;
export const NOTHING_SHOWN: Shown = { isBegun: false, chars: 0 };

/** A partial answer longer than this stays in the history and is read by the next model; a shorter one is dropped. */
export const KEPT_OUTPUT_CHARS = 500;

/**
 * Carries out a decision inside the request it is about: waits, points the turn at the model the engine chose, or lets
 * the same model be asked once more.
 *
 * @param signal the user's stop, as far as it can be heard here.
 * @returns null when there is nothing to carry out, or OpenCode did not take the new model.
 * @throws the user's reason when they stop the turn meanwhile.
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

/** The same model once more: from here while OpenCode has seen nothing yet, else as its next step. */
function stay({ request, init, signal }: Call, task: HoldTask | undefined, shown: Shown): Carried {
  const { turn, model } = request;
  const isContinued = task === 'continue';
  // A body that is a stream has been read, and a request that ran into a limit of OpenCode's can send no other.
  const isRepeatable = !shown.isBegun && typeof init.body === 'string' && !signal?.aborted;
  if (isRepeatable && !isContinued) return 'again';
  if (request.instance.companion.selfCheck.actuator() !== 'soft') return null;
  const isLong = shown.chars > KEPT_OUTPUT_CHARS;
  const isKept = isLong || (isContinued && shown.chars > 0);
  // A history that ends with an answer is refused by some models and misread by others.
  if (isContinued || isKept) goOn(request);
  noteStay(turn, { model, isKept }, isKept && !isLong);
  return 'step';
}

/** The next request says to go on from what this model has said: its answer counts as one that was continued. */
function goOn(request: Call['request']): void {
  const { turn, instance, session, agent, model } = request;
  goOnWith(turn, CONTINUE_MESSAGE);
  instance.companion.brain.note({ type: 'answer.continued', session, turn: turnIdOf(request), agent, model });
}

/** Where a running turn cannot be moved: it ends, and its message is asked again when the session rests, if it may be. */
function leave({ request }: Call, to: ModelId, shown: Shown): Carried {
  const { turn, instance, model: from } = request;
  if (shown.chars === 0 && isAskable(instance, turn)) {
    setReplay(turn, { from, to, failed: null });
    return 'end';
  }
  const reason = 'this OpenCode does not let a running turn be moved';
  instance.companion.brain.tell({ ...carriedBy(request), ok: false, durationMs: 0, reason });
  return null;
}

const carriedBy = (request: Call['request']) =>
  ({ type: 'switch.carried', turn: turnIdOf(request), from: request.model }) as const;

/** Points the turn at another model and reports how that went. @returns whether OpenCode's next step will ask it. */
async function moveTo({ request }: Call, to: ModelId, shown: Shown, signal: AbortSignal | null): Promise<boolean> {
  const { turn, instance, model: from } = request;
  const { brain } = instance.companion;
  const startedAt = brain.now();
  beginMove(turn, from);
  // The next request finds the configuration looked at.
  void counting('config.ahead', () => instance.companion.refresh());
  const ok = !isStopped(signal) && (await repoint(instance, request.user, to));
  const durationMs = brain.now() - startedAt;
  const reason = isStopped(signal) ? 'stopped by the user' : 'OpenCode did not take the new model';
  brain.tell({ ...carriedBy(request), ok, durationMs, ...(ok ? {} : { reason }) });
  // One that only took too long has shown nothing but a busy machine.
  if (!ok && !isStopped(signal) && durationMs < REPOINT_LIMIT_MS) noteUnmoved(instance);
  if (!ok || isStopped(signal)) return false;
  const isKept = shown.chars > KEPT_OUTPUT_CHARS;
  noteMoved(turn, { model: from, isKept });
  if (isKept) goOn(request);
  return true;
}
