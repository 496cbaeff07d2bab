import type { Activity, QuoteCheck } from './types';

/** Misleading characters: controls, lone surrogates, bidirectional marks and invisible characters. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: naming the control characters is the point
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}\p{Cs}]/gu;
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;

export const plainText = (text: string): string => text.replace(LINE_ENDS, '\n').replace(UNSEEN, '');

export const plainLine = (text: string): string => plainText(text).replace(/\s+/g, ' ').trim();

/** Names invisible characters, since they may be the finding itself. */
export const plainQuote = (text: string): string =>
  text.replace(LINE_ENDS, '\n').replace(UNSEEN, (unseen) => {
    const code = unseen.codePointAt(0) ?? 0;
    return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
  });

export const capitalised = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** "$0.12"; below a cent with four decimals. */
export const dollars = (amount: number): string => `$${amount.toFixed(amount > 0 && amount < 0.01 ? 4 : 2)}`;

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`;

export const ACTIVITY_WORDS: Readonly<Record<Activity, string>> = {
  code_review: 'code review',
  brainstorm: 'brainstorm',
  code_brainstorm: 'code brainstorm',
};

/** Source: docs/council.md. */
export const LESS_GROUNDED = '(Some RAG queries timed out this session – responses may be less grounded)';

export const CHECK_WORDS: Readonly<Record<QuoteCheck, string>> = {
  verified: 'quote verified',
  moved: 'quote found at another line',
  not_found: 'quote not found',
  unread: 'file could not be read',
};
