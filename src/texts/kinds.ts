import { part } from './catalogue';

/** Kinds of failure. The engine holds the English texts because logs use them too. */
export const kindTexts = part('kinds', {
  /** "rate limited": completes "MODEL is …". */
  of: (_kind: string, english: string) => english,
  /** "gpt-5 is rate limited (429)"; `phrase` is from `of`. */
  isSo: (model: string, phrase: string) => `${model} is ${phrase}`,
});
