import { FAILURE_KINDS, type FailureKind } from './kinds';

/**
 * `gateway`: a 502, 503 or 504. `routed`: not a router without a provider. `output`: part of the response has arrived.
 * `long_output`: more than 500 characters of it. `repeated`: same kind as the provider's previous failure.
 */
export const STEP_CONDITIONS = ['gateway', 'routed', 'output', 'long_output', 'repeated'] as const;
export type StepCondition = (typeof STEP_CONDITIONS)[number];
type Conditional = Readonly<{ when?: StepCondition }>;

export type PolicyStep = Conditional &
  /** Waits for the hint if it is at most this long; once per turn. */
  (
    | Readonly<{ step: 'waitHint'; maxMs: number }>
    /** Growing delays, at most `n` times in a row. */
    | Readonly<{ step: 'retry'; n: number }>
    /** Once per turn. */
    | Readonly<{ step: 'wait'; ms: number }>
    | Readonly<{ step: 'continue'; n: number }>
    | Readonly<{ step: 'switch' | 'switchLarger' | 'compact' | 'ask' | 'defer' | 'hold' | 'return' }>
  );
export type StepName = PolicyStep['step'];

export type Policy = Readonly<Record<FailureKind, readonly PolicyStep[]>>;

const RETURN: Policy[FailureKind] = [{ step: 'return' }];

/** These mean that the provider is down: included in `5xx` and `timeout`. */
const BROKEN: readonly FailureKind[] = [
  'network_transient',
  'early_termination',
  'empty_response',
  'stream_interrupted',
];

const FALLBACK_WORDS: Readonly<Record<string, readonly FailureKind[]>> = {
  rate_limit: ['rate_limit'],
  quota_exceeded: ['quota'],
  '5xx': ['server_error', ...BROKEN],
  timeout: ['timeout', ...BROKEN],
  overloaded: ['overloaded'],
  network: ['network_transient', 'network_permanent', 'local_network'],
  auth: ['auth', 'login', 'permission'],
  model_not_found: ['model_not_found'],
  empty: ['early_termination', 'empty_response', 'stream_interrupted'],
  context: ['context_length'],
};

export const FALLBACK_ON_WORDS: readonly string[] = Object.keys(FALLBACK_WORDS);

/** Other kinds return to OpenCode. */
export function narrowPolicy(policy: Policy, words: readonly string[]): Policy {
  const allowed = new Set<FailureKind>(
    words.flatMap((word) => (Object.hasOwn(FALLBACK_WORDS, word) ? (FALLBACK_WORDS[word] ?? []) : [])),
  );
  const rows = FAILURE_KINDS.map((kind) => [kind, allowed.has(kind) ? policy[kind] : RETURN] as const);
  return Object.fromEntries(rows) as Policy;
}
