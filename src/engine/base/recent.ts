import { remember } from './remember';

/** Cached results per function. */
export const KEPT_MAX = 64;

/**
 * Caches the latest results of a pure function of a short text: providers repeat a few sentences. The cache stores the
 * text too, so it must not be a secret.
 */
export function recently<Answer>(answer: (text: string) => Answer): (text: string) => Answer {
  const kept = new Map<string, Answer>();
  return (text) => (kept.has(text) ? (kept.get(text) as Answer) : remember(kept, text, answer(text), KEPT_MAX));
}
