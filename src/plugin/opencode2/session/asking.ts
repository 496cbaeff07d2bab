import type { Decision } from '../../../engine';
import { isQuestion, onAnswer, questionText } from '../../runtime/question';
import { type Asking, type Instance, type ModelCall, sessionOf, turnOf } from './instance';

/** Stores the decision, and subscribes to the answer at once, because it may come at any time. */
export function decideCall(instance: Instance, call: ModelCall, decision: Decision | null): void {
  call.decision = decision;
  call.asking = null;
  if (!decision || !isQuestion(decision)) return;
  const { brain } = instance.companion;
  const answer = new Promise<Decision | null>((resolve) => onAnswer(brain, decision, resolve));
  call.asking = { decision, answer, isSaid: false, isNew: true };
  turnOf(sessionOf(instance, call.session)).asking = call.asking;
}

export const openFor = ({ asking }: Readonly<{ asking: Asking | null }>, model: string): Asking | null =>
  asking && 'to' in asking.decision.action && asking.decision.action.to === model ? asking : null;

/** Returns the question to show in place of the error, once; otherwise null. */
export function sayQuestion({ companion }: Instance, { asking }: ModelCall): string | null {
  if (!asking || asking.isSaid) return null;
  const text = questionText(companion.brain, asking.decision);
  asking.isSaid = true;
  asking.isNew = text !== null;
  return text;
}

/** True if OpenCode must retry, to show the question or to let the next request wait. */
export function takeFurther({ asking }: ModelCall): boolean {
  const isNew = asking?.isNew === true;
  if (asking) asking.isNew = false;
  return isNew;
}

export async function answered(instance: Instance, call: ModelCall): Promise<void> {
  const { asking } = call;
  if (!asking) return;
  const decision = await asking.answer;
  const { turn } = sessionOf(instance, call.session);
  if (turn?.asking === asking) turn.asking = null;
  call.asking = null;
  call.decision = decision;
}
