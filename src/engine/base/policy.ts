import { FAILURE_KINDS, type FailureKind } from './kinds';

/**
 * When a step applies at all: `gateway` a 502, 503 or 504; `routed` anything but a router that knows no provider; `output`
 * part of an answer has arrived; `long_output` more than 500 characters of it; `repeated` the provider's failure before, without an
 * answer since, had the same kind.
 */
export const STEP_CONDITIONS = ['gateway', 'routed', 'output', 'long_output', 'repeated'] as const;
export type StepCondition = (typeof STEP_CONDITIONS)[number];
type Conditional = Readonly<{ when?: StepCondition }>;

/** One step of a policy row. Steps are tried in order; the first that applies is taken. */
export type PolicyStep = Conditional &
  /** Wait for the provider's own hint when it is at most this long, then ask the same model again; once a turn. */
  (
    | Readonly<{ step: 'waitHint'; maxMs: number }>
    /** Ask the same model again after a growing delay, at most `n` times in a row. */
    | Readonly<{ step: 'retry'; n: number }>
    /** Let the model rest once, then ask it again. */
    | Readonly<{ step: 'wait'; ms: number }>
    /** Tell the model to go on where it stopped, at most `n` times in a row. */
    | Readonly<{ step: 'continue'; n: number }>
    | Readonly<{ step: 'switch' | 'switchLarger' | 'compact' | 'ask' | 'defer' | 'hold' | 'return' }>
  );
export type StepName = PolicyStep['step'];

/** What is done about each kind of failure: a row of steps. */
export type Policy = Readonly<Record<FailureKind, readonly PolicyStep[]>>;

const RETURN: Policy[FailureKind] = [{ step: 'return' }];

/** A provider that refuses connections, breaks off or sends nothing is down, by whatever word one asks for that. */
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

/** The words `fallbackOn` understands. */
export const FALLBACK_ON_WORDS: readonly string[] = Object.keys(FALLBACK_WORDS);

/** A policy in which only the kinds named by `words` may leave their model; the others go back to OpenCode as they are. */
export function narrowPolicy(policy: Policy, words: readonly string[]): Policy {
  const allowed = new Set<FailureKind>(
    words.flatMap((word) => (Object.hasOwn(FALLBACK_WORDS, word) ? (FALLBACK_WORDS[word] ?? []) : [])),
  );
  const rows = FAILURE_KINDS.map((kind) => [kind, allowed.has(kind) ? policy[kind] : RETURN] as const);
  return Object.fromEntries(rows) as Policy;
}
