import { type FaultName, rowOf } from './faults';
import { ANSWER, FINISHED, LEAD_ANSWER, LIMITED, type Row, WELL } from './row';
import { BACK_S, sendFourTimes, sendTwice, sendWhenBack } from './sends';

const BROKEN: readonly FaultName[] = ['refuses the connection', 'breaks off in mid-stream', 'stops without a word'];

/** A provider that is down, and a user who configured the published phrases but no network failures. */
export const PUBLISHED_WORDS: readonly Row[] = BROKEN.map(rowOf).map((row) => ({
  ...row,
  when: `${row.when} under the published five of fallbackOn`,
  isNightly: true,
  options: {
    ...row.options,
    defaults: { fallbackOn: ['rate_limit', 'quota_exceeded', '5xx', 'timeout', 'overloaded'] },
  },
}));

const asking = (seconds: number) => ({ ...LIMITED, headers: { 'retry-after': String(seconds) } });
const WELL_AGAIN = { answer: LEAD_ANSWER, error: null, lead: 'ready rate_limit' } as const;

/** The provider's time has priority, and an estimate blocks no message. */
const TIMES: readonly Row[] = [
  {
    when: `the lead answers 429 and asks for ${BACK_S} s, less than our own numbers`,
    outcome: 'it is the first choice again after that time',
    models: [[asking(BACK_S), WELL]],
    send: sendWhenBack,
    isNightly: true,
    expected: { ...WELL_AGAIN, requests: ['lead', 'understudy', 'lead'] },
  },
  {
    when: 'the lead answers 429 and asks for an hour, more than our own numbers',
    outcome: 'the next message does not go there',
    models: [[asking(3_600)]],
    options: { defaults: { cooldownMs: 1, retryOriginalAfterMs: 1 } },
    send: sendTwice,
    isNightly: true,
    expected: {
      ...{ answer: ANSWER, error: null, errorsShown: 0, retries: 0 },
      ...{ lead: 'cooling rate_limit', backInMinutes: 60, requests: ['lead', 'understudy', 'understudy'] },
    },
  },
  {
    when: 'all models answer 429 without a time, and a message follows at once',
    outcome: 'the lead is asked and answers it',
    models: [[LIMITED, WELL], [LIMITED]],
    send: sendTwice,
    isNightly: true,
    expected: { ...WELL_AGAIN, requests: ['lead', 'understudy', 'lead'] },
  },
];

export const BEYOND_THE_TURN: readonly Row[] = [
  ...TIMES,
  {
    when: 'the lead fails three times',
    outcome: 'its breaker opens, and the fourth message goes to the understudy at once',
    models: [[{ kind: 'status', status: 500 }]],
    // The cooldown is over at once, so each message calls it again.
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
