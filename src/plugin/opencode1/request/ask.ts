import type { Decision } from '../../../engine';
import { isQuestion, onAnswer } from '../../runtime/question';
import { isStopped } from '../memory/stop';
import type { Call } from './call';
import { hideQuestion, showQuestion } from './question-text';

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
  if (!isQuestion(decision)) return decision;
  const text = showQuestion(call.request, decision);
  try {
    return (await answerTo(call, decision, signal)) ?? decision;
  } finally {
    hideQuestion(call.request, await text);
  }
}

function answerTo(call: Call, asking: Decision, signal: AbortSignal | null): Promise<Decision | null> {
  const { brain } = call.request.instance.companion;
  return new Promise((resolve, reject) => {
    if (isStopped(signal)) return reject(signal?.reason);
    let leave = (): void => undefined;
    const stop = (): void => {
      if (isStopped(signal)) end(() => reject(signal?.reason));
    };
    const end = (settle: () => void): void => {
      leave();
      signal?.removeEventListener('abort', stop);
      settle();
    };
    signal?.addEventListener('abort', stop);
    leave = onAnswer(brain, asking, (decision) => end(() => resolve(decision)));
  });
}
