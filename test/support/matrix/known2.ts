import type { Seen2 } from './play2';
import { ANSWER, LEAD_ANSWER, LONG_PARTIAL, PARTIAL } from './row';

/** Rows that OpenCode 2 cannot play, with the reason. */
export const NOT_ON_2: Readonly<Record<string, string>> = {
  'a turn: when the lead answers 429 to a question with a JSON schema': 'OpenCode 2 takes no schema with a message.',
  'a turn: when the lead says that the conversation is too long':
    'These few words are nothing to compact there; one of its promises says it with more.',
};

/** Rows whose lead says something before it breaks off. */
const AFTER_WORDS = /stalls between two words|in mid-stream|without a finish/;
const KEPT = `assistant: ${PARTIAL} !`;

/**
 * What a conversation holds on OpenCode 2, from what it holds on OpenCode 1: an answer that broke off is a step that failed,
 * which stays with its error; the next model is told to go on from there.
 */
export function keptOn2(when: string, history: readonly string[]): readonly string[] {
  // Errors of a message have no names of their own there.
  const lines = history.map((line) => line.replace(/ ! \w+$/, ' !'));
  if (!AFTER_WORDS.test(when)) return lines;
  const last = Math.max(lines.lastIndexOf(`assistant: ${ANSWER}`), lines.lastIndexOf(KEPT));
  return [...lines.slice(0, last), KEPT, ...lines.slice(last)];
}

/** A call that was not whole, or whose step failed, is not run. */
const CUT_CALL = ['user: One', 'assistant: [write error] !', `assistant: ${ANSWER}`];

/** Where OpenCode 2 does otherwise, with what it does. */
export const DIFFERENT_ON_2: Readonly<Record<string, Partial<Seen2>>> = {
  // A call that was not whole stays as one that failed: it is not run.
  'a turn: when the lead breaks off inside a tool call': { history: CUT_CALL },
  'a turn: when the lead breaks off after a whole tool call': { history: CUT_CALL },
  // A long text is kept as any other, and its error marks it.
  'a turn: when the lead breaks off after a long text': {
    history: ['user: One', `assistant: ${LONG_PARTIAL} !`, `assistant: ${ANSWER}`],
  },
  // Every wait is a retry there, also one for the same model.
  'a turn: when the lead answers 429 and asks for two seconds': { retries: 1 },
  // Nobody tells the lead to go on there: the next model does.
  'a turn: when the lead ends without a finish': { requests: ['lead', 'understudy'] },
  'a turn: when the lead ends a torn stream without a finish': { requests: ['lead', 'understudy'] },
  // A call that cannot be made is told to the model as its error, under the name it had.
  'a turn: when the lead calls a tool with arguments nobody can read': {
    history: ['user: One', 'assistant: [write error]', `assistant: ${LEAD_ANSWER}`],
  },
  'a turn: when the lead calls a tool nobody has': {
    history: ['user: One', 'assistant: [juggle error]', `assistant: ${LEAD_ANSWER}`],
  },
  // It takes a 413 for a request that is refused, not for one that is too long.
  'a turn: when the lead answers 413': {
    end: 'Request Entity Too Large',
    requests: ['lead', 'lead'],
    history: ['user: Zero', `assistant: ${LEAD_ANSWER}`, 'user: One', 'assistant: !'],
  },
  // A session cannot be pointed at a model there is not.
  'a turn: when the lead is a model its provider does not have': { isHome: false },
  // It asks without a key.
  'a turn: when the lead has no key and is not even asked': {
    lead: 'blocked model_not_found',
    requests: ['lead', 'understudy'],
  },
  // It asks once more for a summary that has not its headings, and keeps none of a user.
  'a turn: when the lead answers 429 while it compacts': {
    requests: ['lead', 'lead', 'understudy', 'understudy'],
    history: ['user: One', `assistant: ${LEAD_ANSWER}`],
  },
  // A step that has said something stays as a failed one, and that is what the exit code of `run` tells.
  '`opencode run`: when the lead breaks off in mid-stream': { end: 'exit 1' },
  'a sub-agent: when the lead of a sub-agent ends without a finish': {
    requests: ['parent', 'lead', 'understudy', 'parent'],
  },
  // The session keeps the model that was chosen for it.
  'a turn: when the model of titles answers 429': { isHome: false },
};
