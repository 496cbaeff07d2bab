import type { Decision, Question, Step } from '../../engine';
import type { Call } from './call';
import { hideQuestion, showQuestion } from './question-text';
import { isStopped } from './stop';

/**
 * What comes of a decision: of one that asks a person, what was decided on the answer, or when nobody gave one in time.
 * Meanwhile the request waits and the question stands in the conversation.
 *
 * @param signal the user's stop, as far as it can be heard here.
 * @returns the decision to carry out; of a question that nobody needs answered any more, the one that asked.
 * @throws the user's reason when they stop the turn meanwhile.
 */
export async function outcomeOf(
  call: Call,
  decision: Decision,
  signal: AbortSignal | null = call.signal,
): Promise<Decision> {
  if (decision.action.kind !== 'hold' || decision.action.task !== 'ask') return decision;
  const text = showQuestion(call.request, decision);
  try {
    return (await answerTo(call, decision, signal)) ?? decision;
  } finally {
    hideQuestion(call.request, await text);
  }
}

function answerTo(call: Call, asking: Decision, signal: AbortSignal | null): Promise<Decision | null> {
  const { brain } = call.request.instance.companion;
  const isMeant = ({ turn, attempt }: Decision | Question): boolean =>
    turn === asking.turn && attempt === asking.attempt;
  return new Promise((resolve, reject) => {
    const look = ({ decisions }: Pick<Step, 'decisions'>): void => {
      const decision = decisions.find(isMeant);
      if (decision || !brain.state().questions.some(isMeant)) end(() => resolve(decision ?? null));
    };
    const stopListening = brain.onStep(look);
    const stop = (): void => {
      if (isStopped(signal)) end(() => reject(signal?.reason));
    };
    const end = (settle: () => void): void => {
      stopListening();
      signal?.removeEventListener('abort', stop);
      settle();
    };
    signal?.addEventListener('abort', stop);
    stop();
    look({ decisions: [] });
  });
}
