import type { Decision } from '../../../engine';
import { isQuestion, onAnswer } from '../../runtime/question';
import { isStopped } from '../memory/stop';
import type { Call } from './call';
import { hideQuestion, showQuestion } from './question-text';

/**
 * Waits for the answer to a question.
 * @returns `decision` without a question, or if no answer is needed any more.
 * @throws the user's reason for a stop.
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
