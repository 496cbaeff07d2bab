import { useState } from 'react';

/**
 * The last answer about files that were all understood: one that is half written, or wrong, has changed nothing, and what it said
 * last stays in force. Undefined while there has been none.
 */
export function useWhole<Answer extends Readonly<{ isUnread: boolean }>>(answer: Answer | null | undefined) {
  const [whole, keep] = useState<Answer>();
  if (answer && !answer.isUnread && answer !== whole) keep(answer);
  return answer?.isUnread ? whole : (answer ?? undefined);
}
