import type { Clock } from '../../core/ports/ports';
import { FIRST_TOKEN_QUIET_MS } from '../../engine';
import { nodeClock } from '../../node/base/clock';
import type { Brain } from '../base/brain';

/** Reports requests of turns whose first token is late. */
export type FirstTokens = Readonly<{
  /** The first token of a request came, or its response cannot be watched for one. */
  came(attempt: string | null): void;
}>;

export function watchFirstTokens(
  brain: Pick<Brain, 'tell' | 'onStep'>,
  schedule: Clock['schedule'] = nodeClock().schedule,
): FirstTokens {
  /** What stops the timer of each request without a token; null once it was reported. */
  const waiting = new Map<string, (() => void) | null>();

  const watch = (attempt: string): void => {
    const cancel = schedule(FIRST_TOKEN_QUIET_MS, () => {
      waiting.set(attempt, null);
      brain.tell({ type: 'attempt.silent', attempt });
    });
    waiting.set(attempt, cancel);
  };
  /** @returns whether it was reported. */
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
