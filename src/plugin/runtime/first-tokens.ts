import type { Clock } from '../../core/ports/ports';
import { FIRST_TOKEN_QUIET_MS } from '../../engine';
import { nodeClock } from '../../node/base/clock';
import type { Brain } from '../base/brain';

export type FirstTokens = Readonly<{
  /** Call for the first token, or if the response cannot be watched. */
  came(attempt: string | null): void;
}>;

export function watchFirstTokens(
  brain: Pick<Brain, 'tell' | 'onStep'>,
  schedule: Clock['schedule'] = nodeClock().schedule,
): FirstTokens {
  /** Cancels the timer; null once reported. */
  const waiting = new Map<string, (() => void) | null>();

  const watch = (attempt: string): void => {
    const cancel = schedule(FIRST_TOKEN_QUIET_MS, () => {
      waiting.set(attempt, null);
      brain.tell({ type: 'attempt.silent', attempt });
    });
    waiting.set(attempt, cancel);
  };
  const leave = (attempt: string): boolean => {
    const cancel = waiting.get(attempt);
    cancel?.();
    waiting.delete(attempt);
    return cancel === null;
  };

  brain.onStep(({ facts }) => {
    for (const fact of facts) {
      if (fact.type === 'attempt.began' && fact.purpose === 'turn') watch(fact.attempt);
      else if (fact.type === 'attempt.ended') leave(fact.attempt);
    }
  });
  return {
    came(attempt) {
      if (attempt !== null && leave(attempt)) brain.tell({ type: 'attempt.answering', attempt });
    },
  };
}
