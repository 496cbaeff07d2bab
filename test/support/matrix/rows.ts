import { expect } from 'vitest';
import { type ScriptedStep, type ScriptedToolCall, toolCallThen, type Wire } from '../../../src/demo/scripted-provider';
import { BEYOND_THE_TURN, PUBLISHED_WORDS } from './beyond';
import {
  ANSWER,
  CUT_AFTER_MS,
  type Expected,
  FINISHED,
  LEAD_ANSWER,
  LIMITED,
  LONG_PARTIAL,
  PARTIAL,
  type Row,
  WELL,
  WRITE,
} from './row';
import { askForSchema, askForSummary, askForTitle, askInTime, sendTwice } from './sends';

const ITS_OWN: Expected = {
  ...FINISHED,
  answer: LEAD_ANSWER,
  switches: 0,
  lead: 'ready well',
  requests: ['lead'],
  history: ['user: One', `assistant: ${LEAD_ANSWER}`],
};

/** OpenCode shows the error once; no model is called again. */
const SHOWN_ONCE: Expected = {
  answer: '',
  errorsShown: 1,
  retries: 0,
  switches: 0,
  requests: ['lead'],
  history: ['user: One', 'assistant: ! APIError'],
};

const errorBody = (message: string, type: string, code: string | null = null): unknown => ({
  error: { message, type, param: null, code },
});
const refusal = (message: string, type = 'invalid_request_error'): ScriptedStep => ({
  kind: 'status',
  status: 400,
  body: errorBody(message, type),
});

/** Failures of the request, which no other model could avoid. */
const OF_THE_REQUEST: readonly Row[] = [
  ['answers 400', refusal('Unknown parameter.'), 'Unknown parameter.'],
  ['answers 400 and calls it an API error', refusal('Unknown parameter.', 'api_error'), 'Unknown parameter.'],
  ['answers 400 and speaks of 65000', refusal('At most 65000 of 500429 tokens.'), 'At most 65000 of 500429 tokens.'],
].map(
  ([when, step, message]): Row => ({
    when: `the lead ${when}`,
    outcome: 'it is shown once and nobody is asked again',
    models: [[step as ScriptedStep]],
    isNightly: when !== 'answers 400',
    expected: { ...SHOWN_ONCE, error: `APIError: ${message}`, lead: 'ready invalid_request' },
  }),
);

const badCall = (what: string, { name, arguments: given }: ScriptedToolCall, part: string): Row => ({
  when: `the lead calls a tool ${what}`,
  outcome: 'it is told and goes on itself',
  models: [toolCallThen(name, given, WELL)],
  isNightly: name !== 'juggle',
  expected: {
    ...ITS_OWN,
    requests: ['lead', 'lead'],
    history: ['user: One', `assistant: [${part}]`, `assistant: ${LEAD_ANSWER}`],
  },
});

const WITHOUT_SWITCH: readonly Row[] = [
  {
    when: 'the lead answers 429 and asks for two seconds',
    outcome: 'it is asked again after that time',
    models: [[{ kind: 'status', status: 429, headers: { 'retry-after': '2' } }, WELL]],
    send: askInTime,
    expected: { ...ITS_OWN, answer: `${LEAD_ANSWER} in time`, lead: 'ready rate_limit', requests: ['lead', 'lead'] },
  },
  {
    when: 'the lead stops at its length',
    outcome: 'its text stays as it is',
    models: [[{ kind: 'length', text: LEAD_ANSWER }]],
    isNightly: true,
    expected: ITS_OWN,
  },
  {
    when: 'the lead ends with the end mark and no finish reason',
    outcome: 'its answer is whole, and it is asked once',
    models: [[{ kind: 'noFinish', text: LEAD_ANSWER, mark: true }]],
    isNightly: true,
    expected: ITS_OWN,
  },
  {
    when: 'the lead ends for a reason that no list names',
    outcome: 'its answer is whole, and it is asked once',
    models: [[{ kind: 'finishReason', text: LEAD_ANSWER, reason: 'because' }]],
    isNightly: true,
    expected: ITS_OWN,
  },
  {
    when: 'the lead tears its stream into pieces of 37 bytes with CRLF',
    outcome: 'its answer arrives whole',
    models: [[{ kind: 'torn', of: WELL }]],
    expected: ITS_OWN,
  },
  badCall('with arguments of the wrong shape', { name: 'write', arguments: { nothing: 1 } }, 'write error'),
  badCall(
    'with arguments nobody can read',
    { name: 'write', arguments: '{"filePath":"made.txt","cont' },
    'invalid completed',
  ),
  badCall('nobody has', { name: 'juggle', arguments: { balls: 3 } }, 'invalid completed'),
];

/** OpenCode compacts the conversation itself and continues with the primary. */
const TOO_LONG: readonly Row[] = [
  [
    'says that the conversation is too long',
    400,
    errorBody('Maximum context length is 8192 tokens.', 'invalid_request_error', 'context_length_exceeded'),
    'context_length',
  ],
  ['answers 413', 413, undefined, 'invalid_request'],
].map(
  ([when, status, body, kind]): Row => ({
    when: `the lead ${when}`,
    outcome: 'OpenCode compacts and the lead answers',
    models: [[WELL, { kind: 'status', status, body } as ScriptedStep, { kind: 'text', text: 'SUMMARY' }, WELL]],
    send: sendTwice,
    isNightly: true,
    expected: {
      ...ITS_OWN,
      errorsShown: 1,
      lead: `ready ${kind as 'context_length'}`,
      requests: ['lead', 'lead', 'lead', 'lead'],
      history: [
        'user: Zero',
        `assistant: ${LEAD_ANSWER}`,
        'user: One',
        'assistant:',
        'user: [compaction]',
        'assistant: SUMMARY',
        'user: One',
        `assistant: ${LEAD_ANSWER}`,
      ],
    },
  }),
);

const UNUSABLE: readonly Row[] = [
  {
    when: 'the lead is a model its provider does not have',
    outcome: 'the understudy answers',
    models: [null],
    options: { unknownAt: 0 },
    isNightly: true,
    expected: { ...pick(FINISHED, 'answer', 'error', 'errorsShown', 'history'), requests: ['understudy'] },
  },
  {
    when: 'the understudy is a model its provider does not have',
    outcome: 'the next one answers',
    models: [[LIMITED], null],
    options: { unknownAt: 1, models: 3 },
    isNightly: true,
    expected: { ...FINISHED, lead: 'cooling rate_limit', requests: ['lead', 'second'] },
  },
  {
    when: 'the lead has no key and its provider refuses',
    outcome: 'the understudy finishes the turn',
    models: [({ headers }) => (headers.authorization ? WELL : { kind: 'status', status: 401 })],
    options: { keylessAt: 0 },
    isNightly: true,
    expected: { ...FINISHED, lead: 'blocked auth' },
  },
  {
    when: 'the lead has no key and is not even asked',
    outcome: 'the understudy finishes the turn',
    models: [null],
    options: { keylessAt: 0, wires: ['anthropic', 'openai-compatible'] },
    isNightly: true,
    expected: {
      ...pick(FINISHED, 'answer', 'error', 'errorsShown', 'history'),
      lead: 'blocked auth',
      requests: ['understudy'],
    },
  },
];

/** A complete tool call before the cut was executed and is not repeated. */
const CUT_AFTER_CALL: Row = {
  when: 'the lead breaks off after a whole tool call',
  outcome: 'its work stays and the understudy goes on',
  models: [[{ kind: 'cutCall', name: 'write', arguments: WRITE, afterMs: CUT_AFTER_MS }]],
  isAlone: true,
  expected: {
    ...FINISHED,
    lead: 'resting stream_interrupted',
    history: ['user: One', 'assistant: [write completed]', `assistant: ${ANSWER}`],
  },
};

/** Most of the response is stored: the fallback continues from it. */
const CUT_LATE: Row = {
  when: 'the lead breaks off after a long text',
  outcome: 'the text stays, marked, and the understudy goes on',
  models: [[{ kind: 'cut', text: LONG_PARTIAL, afterMs: CUT_AFTER_MS }]],
  expected: {
    ...FINISHED,
    lead: 'resting stream_interrupted',
    history: ['user: One', `assistant: ${LONG_PARTIAL}\n\n[lead broke off here.]`, `assistant: ${ANSWER}`],
  },
};

const SCHEMA: Row = {
  when: 'the lead answers 429 to a question with a JSON schema',
  outcome: 'the understudy answers by the schema',
  models: [[LIMITED], [{ kind: 'toolCall', name: 'StructuredOutput', arguments: { x: 2 } }]],
  send: askForSchema,
  isNightly: true,
  expected: {
    ...pick(FINISHED, 'error', 'errorsShown', 'retries', 'switches', 'requests'),
    answer: '{"x":2} in user, assistant',
    lead: 'cooling rate_limit',
  },
};

const HOUSEKEEPING: readonly Row[] = [
  {
    when: 'the lead answers 429 while it compacts',
    outcome: 'the understudy writes the summary',
    models: [[WELL, LIMITED], [{ kind: 'text', text: 'SUMMARY' }]],
    send: askForSummary,
    isNightly: true,
    expected: {
      error: null,
      errorsShown: 0,
      retries: 0,
      lead: 'cooling rate_limit',
      requests: ['lead', 'lead', 'understudy'],
      history: ['user: One', `assistant: ${LEAD_ANSWER}`, 'user: [compaction]', 'assistant: SUMMARY'],
    },
  },
  {
    when: 'the model of titles answers 429',
    outcome: 'the understudy finds the title',
    models: [[LIMITED], [{ kind: 'text', text: 'A TITLE' }], [WELL]],
    options: { models: 3, config: ([lead]) => ({ agent: { title: { disable: false, model: lead } } }) },
    send: askForTitle,
    isNightly: true,
    isUnordered: true,
    expected: {
      answer: `A TITLE: ${LEAD_ANSWER}`,
      error: null,
      errorsShown: 0,
      retries: 0,
      lead: 'cooling rate_limit',
      requests: ['lead', 'second', 'understudy'],
      history: ['user: One', `assistant: ${LEAD_ANSWER}`],
    },
  },
];

/** Ordinary turns that a switch does not solve, or not alone. */
export const ROWS: readonly Row[] = [
  ...WITHOUT_SWITCH,
  ...OF_THE_REQUEST,
  ...TOO_LONG,
  ...UNUSABLE,
  ...PUBLISHED_WORDS,
  ...BEYOND_THE_TURN,
  CUT_AFTER_CALL,
  CUT_LATE,
  SCHEMA,
  ...HOUSEKEEPING,
];

export function allCut(wire: Wire): Row {
  const cut = [{ kind: 'cut', text: PARTIAL, afterMs: CUT_AFTER_MS }] as const;
  return {
    when: 'all are cut in mid-stream',
    outcome: 'the last text stays and the error is shown once',
    models: [cut, cut],
    options: { wires: [wire] },
    isNightly: wire !== 'openai-compatible',
    expected: {
      answer: PARTIAL,
      error: expect.stringMatching(
        /^UnknownError: Understudy: all models of this chain are u\u2060?navailable for this message \(.*\)\. .* takes the next one/,
      ),
      errorsShown: 1,
      retries: 0,
      switches: 1,
      lead: 'resting stream_interrupted',
      requests: ['lead', 'understudy'],
      history: ['user: One', `assistant: ${PARTIAL} ! UnknownError`],
    },
  };
}

function pick<T, K extends keyof T>(from: T, ...keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
}
