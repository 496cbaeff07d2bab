/** Answers kept of one question; the one given first leaves first. */
const KEPT_MAX = 64;

/**
 * A pure function of a short text that keeps its last answers: providers say the same few sentences again and again. What is
 * asked is kept as well, so it may be no secret.
 */
export function recently<Answer>(answer: (text: string) => Answer): (text: string) => Answer {
  const kept = new Map<string, Answer>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined || kept.has(text)) return known as Answer;
    const given = answer(text);
    const [oldest] = kept.size < KEPT_MAX ? [] : kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
    kept.set(text, given);
    return given;
  };
}
