import type { ScriptedStep } from '../../../src/demo/scripted-provider';
import type { CaseOptions } from '../stage';
import { CUT_AFTER_MS, FINISHED, PARTIAL, type Row, type Seen } from './row';

export type Fault = Readonly<{
  /** Null when the request never arrives. */
  step: ScriptedStep | null;
  lead: Seen['lead'];
  options?: CaseOptions;
  /** The primary gets one request to continue where it stopped. */
  isToldToGoOn?: boolean;
  backInMinutes?: number;
}>;

/** First-token limit in ms of rows with a silent model; fallbacks have the same limit, also on a busy machine. */
const SHORT_MS = 4_000;
const FIRST_TOKEN: CaseOptions = { defaults: { firstTokenTimeoutMs: SHORT_MS } };
const STALL: CaseOptions = { defaults: { stallTimeoutMs: SHORT_MS } };

type Response = Omit<Extract<ScriptedStep, { kind: 'status' }>, 'kind' | 'status'>;

const status = (code: number, lead: Seen['lead'], more: Response = {}): Fault => ({
  step: { kind: 'status', status: code, ...more },
  lead,
});

const HOUR_MINUTES = 60;
const HOUR_MS = HOUR_MINUTES * 60_000;
const WEEK_MINUTES = 7 * 24 * HOUR_MINUTES;
const asking = (minutes: number) => ({ 'retry-after': String(minutes * 60) });

const SPENT_PLAN = {
  error: { message: 'You exceeded your current quota.', type: 'insufficient_quota', code: 'insufficient_quota' },
};

/** A limit of an hour by a clock that is `hours` ahead. */
const byClock = (hours: number): Fault => {
  const server = Date.now() + hours * HOUR_MS;
  const headers = { date: new Date(server).toUTCString(), 'x-ratelimit-reset': String((server + HOUR_MS) / 1_000) };
  return { ...status(429, 'cooling rate_limit', { headers }), backInMinutes: HOUR_MINUTES };
};

/** All failures after which the fallback finishes the turn: "the lead …". */
export const FAULTS = {
  'answers 429': status(429, 'cooling rate_limit'),
  'answers 429 and asks for an hour': {
    ...status(429, 'cooling rate_limit', { headers: asking(HOUR_MINUTES) }),
    backInMinutes: HOUR_MINUTES,
  },
  'answers 429 because its plan is spent for a week': {
    ...status(429, 'cooling quota', { headers: asking(WEEK_MINUTES), body: SPENT_PLAN }),
    backInMinutes: WEEK_MINUTES,
  },
  'answers half a 429 that asks for an hour, and falls silent': {
    step: { kind: 'halfError', status: 429, headers: asking(HOUR_MINUTES) },
    lead: 'cooling rate_limit',
    backInMinutes: HOUR_MINUTES,
  },
  'answers 429 and asks for an hour by a clock two hours ahead': byClock(2),
  'answers 429 and asks for an hour by a clock two hours behind': byClock(-2),
  'answers 429 in words of a quota': status(429, 'cooling quota', {
    body: { error: { message: 'Quota exceeded for this account.' } },
  }),
  'answers 400 because the budget of a gateway is spent': status(400, 'cooling quota', {
    body: { error: { message: 'Budget has been exceeded!', type: 'budget_exceeded', code: '400' } },
  }),
  'answers 401': status(401, 'blocked auth'),
  'answers 402': status(402, 'blocked quota'),
  'answers 403': status(403, 'blocked permission'),
  'answers 404': status(404, 'blocked model_not_found'),
  'answers 500': status(500, 'resting server_error'),
  'answers 502': status(502, 'resting server_error'),
  'answers 503': status(503, 'resting server_error'),
  'answers 504': status(504, 'resting server_error'),
  'answers 529': status(529, 'resting overloaded'),
  'refuses the connection': { step: null, lead: 'resting network_transient', options: { refusedAt: 0 } },
  'resets the connection': { step: { kind: 'reset' }, lead: 'resting network_transient' },
  'never answers': { step: { kind: 'hang' }, lead: 'resting timeout', options: FIRST_TOKEN },
  'falls silent after its headers': {
    step: { kind: 'hangAfterHeaders' },
    lead: 'resting timeout',
    options: FIRST_TOKEN,
  },
  'stalls between two words': { step: { kind: 'stall', text: PARTIAL }, lead: 'resting timeout', options: STALL },
  'breaks off in mid-stream': {
    step: { kind: 'cut', text: PARTIAL, afterMs: CUT_AFTER_MS },
    lead: 'resting stream_interrupted',
  },
  'breaks off inside a tool call': {
    step: { kind: 'cutCall', name: 'write', arguments: '{"filePath":"made.txt","cont', afterMs: CUT_AFTER_MS },
    lead: 'resting stream_interrupted',
  },
  'ends without a finish': {
    step: { kind: 'noFinish', text: PARTIAL },
    lead: 'resting early_termination',
    isToldToGoOn: true,
  },
  'ends with a failure as its finish reason': {
    step: { kind: 'finishReason', text: PARTIAL, reason: 'network_error' },
    lead: 'resting server_error',
  },
  'ends a torn stream without a finish': {
    step: { kind: 'torn', of: { kind: 'noFinish', text: PARTIAL } },
    lead: 'resting early_termination',
    isToldToGoOn: true,
  },
  'sends an empty body': { step: { kind: 'emptyBody' }, lead: 'resting early_termination' },
  'stops without a word': { step: { kind: 'emptyStop' }, lead: 'resting empty_response' },
  'only thinks': { step: { kind: 'thinking', text: 'deep thoughts' }, lead: 'resting empty_response' },
  'sends a sign-in page': { step: { kind: 'html' }, lead: 'resting early_termination' },
  'sends an error as JSON with status 200': { step: { kind: 'jsonError' }, lead: 'resting overloaded' },
  'streams an error that speaks of a limit': {
    step: { kind: 'sseError', message: 'Rate limit reached for requests' },
    lead: 'cooling rate_limit',
  },
  'streams an error nobody knows': { step: { kind: 'sseError', message: 'zork' }, lead: 'resting server_error' },
  'streams an error after some words': {
    step: { kind: 'sseError', message: 'zork', text: PARTIAL },
    lead: 'resting server_error',
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[];

export function rowOf(name: FaultName): Row {
  const { step, lead, options, isToldToGoOn, backInMinutes }: Fault = FAULTS[name];
  return {
    when: `the lead ${name}`,
    outcome: 'the understudy finishes the turn',
    models: [step && [step]],
    ...(options ? { options } : {}),
    expected: {
      ...FINISHED,
      lead,
      ...(step ? {} : { requests: ['understudy'] }),
      ...(isToldToGoOn ? { requests: ['lead', 'lead', 'understudy'] } : {}),
      ...(backInMinutes === undefined ? {} : { backInMinutes }),
    },
  };
}
