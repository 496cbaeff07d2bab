import { nearOf } from '../../core/headroom/rows';
import { plainRow } from '../../core/history/event-rows';
import type { Decision, Question, Step } from '../../engine';
import { isFailure } from '../../engine/tools';
import { eventSentence } from '../../wording/event-words';
import type { Brain } from '../base/brain';

export const isQuestion = ({ action }: Decision): boolean => action.kind === 'hold' && action.task === 'ask';

const meantBy =
  (asking: Decision) =>
  ({ turn, attempt }: Decision | Question): boolean =>
    turn === asking.turn && attempt === asking.attempt;

/** Null once the question is closed. */
export function questionText(brain: Brain, asking: Decision): string | null {
  const question = brain.state().questions.find(meantBy(asking));
  if (!question) return null;
  const { agent, model, to, kind, short } = question;
  const why = short ? { near: nearOf(short) } : isFailure(question) ? { kind } : ({ state: 'held' } as const);
  return `Understudy: ${eventSentence(plainRow('question.put', { agent, model, to, ...why }))}.`;
}

/** Calls back once, possibly before it returns; null if no answer is needed any more. */
export function onAnswer(brain: Brain, asking: Decision, listener: (decision: Decision | null) => void): () => void {
  const isMeant = meantBy(asking);
  const look = ({ decisions }: Pick<Step, 'decisions'>): void => {
    const decision = decisions.find(isMeant);
    if (!decision && brain.state().questions.some(isMeant)) return;
    stop();
    listener(decision ?? null);
  };
  const stop = brain.onStep(look);
  look({ decisions: [] });
  return stop;
}
