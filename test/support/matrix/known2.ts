import type { Seen2 } from './play2';

/** Rows that OpenCode 2 cannot play, with the reason. */
export const NOT_ON_2: Readonly<Record<string, string>> = {
  'a turn: when the lead answers 429 to a question with a JSON schema': 'OpenCode 2 takes no schema with a message.',
};

/** Where OpenCode 2 does otherwise, with what it does. */
export const DIFFERENT_ON_2: Readonly<Record<string, Partial<Seen2>>> = {};
