import { useState } from 'react';

/** The last response with valid files: half-written files change nothing. */
export function useWhole<Answer extends Readonly<{ isUnread: boolean }>>(answer: Answer | null | undefined) {
  const [whole, keep] = useState<Answer>();
  if (answer && !answer.isUnread && answer !== whole) keep(answer);
  return answer?.isUnread ? whole : (answer ?? undefined);
}
