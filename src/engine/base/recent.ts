import { remember } from './remember';

export const KEPT_MAX = 64;

/**
 * Caches results by a short text, since providers repeat a few sentences. The text is stored, so it must not be a
 * secret.
 */
export function recently<Answer>(answer: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) =>
    answers.has(text) ? (answers.get(text) as Answer) : remember(answers, text, answer(text), KEPT_MAX);
}
