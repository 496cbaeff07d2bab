import type { Activity, QuoteCheck } from './types';

/**
 * Words of models and strangers, made fit for people to read. What a participant writes may hold characters that make a line say something it
 * does not: controls, half characters, and those that turn the direction of text or are not seen at all.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: naming the control characters is the point
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}\p{Cs}]/gu;
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;

/** A text of several lines without what cannot be seen. */
export const plainText = (text: string): string => text.replace(LINE_ENDS, '\n').replace(UNSEEN, '');

export const plainLine = (text: string): string => plainText(text).replace(/\s+/g, ' ').trim();

/** Text that is evidence: what cannot be seen may be the very thing that was found, so it is named instead of left out. */
export const plainQuote = (text: string): string =>
  text.replace(LINE_ENDS, '\n').replace(UNSEEN, (unseen) => {
    const code = unseen.codePointAt(0) ?? 0;
    return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
  });

/** `claude` as it is shown: Claude. */
export const capitalised = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

/** "Architect, Sage and Warden". */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** "1 turn", "3 turns". */
export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** US dollars: "$0.12"; what is less than a cent with its first digits, "$0.0012". */
export const dollars = (amount: number): string => `$${amount.toFixed(amount > 0 && amount < 0.01 ? 4 : 2)}`;

/** "3 MB". */
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`;

export const ACTIVITY_WORDS: Readonly<Record<Activity, string>> = {
  code_review: 'code review',
  brainstorm: 'brainstorm',
  code_brainstorm: 'code brainstorm',
};

/** What is said once where knowledge did not come in time. Source: docs/council.md. */
export const LESS_GROUNDED = '(Some RAG queries timed out this session – responses may be less grounded)';

export const CHECK_WORDS: Readonly<Record<QuoteCheck, string>> = {
  verified: 'quote verified',
  moved: 'quote found at another line',
  not_found: 'quote not found',
  unread: 'file could not be read',
};
