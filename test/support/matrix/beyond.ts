import { type FaultName, rowOf } from './faults';
import { ANSWER, FINISHED, type Row } from './row';
import { sendFourTimes } from './sends';

const BROKEN: readonly FaultName[] = ['refuses the connection', 'breaks off in mid-stream', 'stops without a word'];

/** A provider that is down, where the user has written the words that everybody publishes and nothing of a network. */
export const PUBLISHED_WORDS: readonly Row[] = BROKEN.map(rowOf).map((row) => ({
  ...row,
  when: `${row.when} under the published five of fallbackOn`,
  isNightly: true,
  options: {
    ...row.options,
    defaults: { fallbackOn: ['rate_limit', 'quota_exceeded', '5xx', 'timeout', 'overloaded'] },
  },
}));

/** What one failure says of more than one request. */
export const BEYOND_THE_TURN: readonly Row[] = [
  {
    when: 'the lead fails three times',
    outcome: 'its breaker opens, and the fourth message goes to the understudy at once',
    models: [[{ kind: 'status', status: 500 }]],
    // It rests for no time, so that each message asks it again.
    options: { defaults: { restMs: 1 } },
    send: sendFourTimes,
    isNightly: true,
    expected: {
      answer: ANSWER,
      error: null,
      errorsShown: 0,
      retries: 0,
      lead: 'open server_error',
      requests: ['lead', 'understudy', 'lead', 'understudy', 'lead', 'understudy', 'understudy'],
    },
  },
  {
    when: 'the lead answers 429 in words of a quota, and the next model is of the same account',
    outcome: 'that is not asked either, and one of another provider finishes the turn',
    models: [[{ kind: 'status', status: 429, body: { error: { message: 'Quota exceeded for this account.' } } }]],
    options: { models: 3, ofLeadAt: 1 },
    isNightly: true,
    expected: { ...FINISHED, lead: 'cooling quota', requests: ['lead', 'second'] },
  },
];
