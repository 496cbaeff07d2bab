import type { Decision } from '../../../engine';
import { isQuestion, onAnswer, questionText } from '../../runtime/question';
import { type Asking, type Instance, type ModelCall, sessionOf, turnOf } from './instance';

/** Notes what the engine said of a call. A question is heard of from this moment on, whoever answers it, and how soon. */
export function decideCall(instance: Instance, call: ModelCall, decision: Decision | null): void {
  call.decision = decision;
  call.asking = null;
  if (!decision || !isQuestion(decision)) return;
  const { brain } = instance.companion;
  const answer = new Promise<Decision | null>((resolve) => onAnswer(brain, decision, resolve));
  call.asking = { decision, answer, isSaid: false, isNew: true };
  turnOf(sessionOf(instance, call.session)).asking = call.asking;
}

/** The question that a turn waits with, for a call of the model it is about. */
export const openFor = ({ asking }: Readonly<{ asking: Asking | null }>, model: string): Asking | null =>
  asking && 'to' in asking.decision.action && asking.decision.action.to === model ? asking : null;

/** The question of a call as a sentence to be put in the place of its error, once; null where there is none to put. */
export function sayQuestion({ companion }: Instance, { asking }: ModelCall): string | null {
  if (!asking || asking.isSaid) return null;
  const text = questionText(companion.brain, asking.decision);
  asking.isSaid = true;
  asking.isNew = text !== null;
  return text;
}

/** Whether OpenCode is to ask once more, so that the question is seen and the next request waits for the answer. */
export function takeFurther({ asking }: ModelCall): boolean {
  const isNew = asking?.isNew === true;
  if (asking) asking.isNew = false;
  return isNew;
}

/** Waits until the question of a call is answered, which then has what was decided on that; at once where there is none. */
export async function answered(instance: Instance, call: ModelCall): Promise<void> {
  const { asking } = call;
  if (!asking) return;
  const decision = await asking.answer;
  const { turn } = sessionOf(instance, call.session);
  if (turn?.asking === asking) turn.asking = null;
  call.asking = null;
  call.decision = decision;
}
