import type { Seen2 } from './play2';
import { ANSWER, LEAD_ANSWER, LONG_PARTIAL, PARTIAL } from './row';

export const NOT_ON_2: Readonly<Record<string, string>> = {
  'a turn: when the lead answers 429 to a question with a JSON schema': 'OpenCode 2 takes no schema with a message.',
  'a turn: when the lead says that the conversation is too long':
    'These few words are nothing to compact there; one of its promises says it with more.',
};

/** Rows with a primary that sends text before it breaks off. */
const AFTER_WORDS = /stalls between two words|in mid-stream|without a finish/;
const KEPT = `assistant: ${PARTIAL} !`;

/**
 * Converts a conversation from OpenCode 1 to OpenCode 2: a broken response stays as a failed step, and the next model
 * is told to continue from there.
 */
export function keptOn2(when: string, history: readonly string[]): readonly string[] {
  // Message errors have no names on OpenCode 2.
  const lines = history.map((line) => line.replace(/ ! \w+$/, ' !'));
  if (!AFTER_WORDS.test(when)) return lines;
  const last = Math.max(lines.lastIndexOf(`assistant: ${ANSWER}`), lines.lastIndexOf(KEPT));
  return [...lines.slice(0, last), KEPT, ...lines.slice(last)];
}

/** An incomplete call, or one in a failed step, is not run. */
const CUT_CALL = ['user: One', 'assistant: [write error] !', `assistant: ${ANSWER}`];

export const DIFFERENT_ON_2: Readonly<Record<string, Partial<Seen2>>> = {
  // An incomplete call stays as a failed one and is not run.
  'a turn: when the lead breaks off inside a tool call': { history: CUT_CALL },
  'a turn: when the lead breaks off after a whole tool call': { history: CUT_CALL },
  // A long text is stored like any other, with an error.
  'a turn: when the lead breaks off after a long text': {
    history: ['user: One', `assistant: ${LONG_PARTIAL} !`, `assistant: ${ANSWER}`],
  },
  // Every wait is a retry there, also for the same model.
  'a turn: when the lead answers 429 and asks for two seconds': { retries: 1 },
  // No request tells the primary to continue: the next model does.
  'a turn: when the lead ends without a finish': { requests: ['lead', 'understudy'] },
  'a turn: when the lead ends a torn stream without a finish': { requests: ['lead', 'understudy'] },
  // An invalid call is returned to the model as an error, under its name.
  'a turn: when the lead calls a tool with arguments nobody can read': {
    history: ['user: One', 'assistant: [write error]', `assistant: ${LEAD_ANSWER}`],
  },
  'a turn: when the lead calls a tool nobody has': {
    history: ['user: One', 'assistant: [juggle error]', `assistant: ${LEAD_ANSWER}`],
  },
  // It treats a 413 as a rejected request, not as one that is too long.
  'a turn: when the lead answers 413': {
    end: 'Request Entity Too Large',
    requests: ['lead', 'lead'],
    history: ['user: Zero', `assistant: ${LEAD_ANSWER}`, 'user: One', 'assistant: !'],
  },
  // A session cannot select a model that does not exist.
  'a turn: when the lead is a model its provider does not have': { isHome: false },
  'a turn: when the lead has no key and is not even asked': {
    // It sends the request without a key.
    lead: 'blocked model_not_found',
    requests: ['lead', 'understudy'],
  },
  // It retries a summary without its headings and stores no user message.
  'a turn: when the lead answers 429 while it compacts': {
    requests: ['lead', 'lead', 'understudy', 'understudy'],
    history: ['user: One', `assistant: ${LEAD_ANSWER}`],
  },
  // A step with text stays as a failed one, which sets the exit code of `run`.
  '`opencode run`: when the lead breaks off in mid-stream': { end: 'exit 1' },
  'a sub-agent: when the lead of a sub-agent ends without a finish': {
    requests: ['parent', 'lead', 'understudy', 'parent'],
  },
  // The session keeps its chosen model.
  'a turn: when the model of titles answers 429': { isHome: false },
};
