import type { Seen2 } from './play2';

/** Rows that OpenCode 2 cannot play, with the reason. */
export const NOT_ON_2: Readonly<Record<string, string>> = {
  'a turn: when the lead answers 429 to a question with a JSON schema': 'OpenCode 2 takes no schema with a message.',
};

/** Where OpenCode 2 does otherwise, with what it does. */
export const DIFFERENT_ON_2: Readonly<Record<string, Partial<Seen2>>> = {
  // A call that was not whole stays as one that failed: it is not run.
  'a turn: when the lead breaks off inside a tool call': { work: ['user: One', '[write error]'] },
  'a turn: when the lead breaks off after a whole tool call': { work: ['user: One', '[write error]'] },
  // Nobody tells the lead to go on there: the next model does.
  'a turn: when the lead ends without a finish': { requests: ['lead', 'understudy'] },
  'a turn: when the lead ends a torn stream without a finish': { requests: ['lead', 'understudy'] },
};
