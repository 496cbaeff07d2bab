import { remember } from './remember';

/** Answers kept of one question. */
export const KEPT_MAX = 64;

/**
 * A pure function of a short text that keeps its last answers: providers say the same few sentences again and again. What is
 * asked is kept as well, so it may be no secret.
 */
export function recently<Answer>(answer: (text: string) => Answer): (text: string) => Answer {
  const kept = new Map<string, Answer>();
  return (text) => (kept.has(text) ? (kept.get(text) as Answer) : remember(kept, text, answer(text), KEPT_MAX));
}
