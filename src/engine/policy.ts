import type { Policy } from './config';
import { FAILURE_KINDS, type FailureKind } from './kinds';

/** One step of a policy row. Steps are tried in order; the first that applies is taken. */
export type PolicyStep =
  /** Wait for the provider's own hint when it is at most this long, then ask the same model again; once per attempt chain. */
  | Readonly<{ step: 'waitHint'; maxMs: number }>
  | Readonly<{ step: 'retry'; n: number }>
  | Readonly<{ step: 'wait'; ms: number }>
  | Readonly<{ step: 'continue'; n: number }>
  | Readonly<{ step: 'switch' | 'switchLarger' | 'compact' | 'ask' | 'defer' | 'hold' | 'return' }>;

const SWITCH: readonly PolicyStep[] = [{ step: 'switch' }];
const RETURN: readonly PolicyStep[] = [{ step: 'return' }];

/** Above this the provider's hint is a cooldown and the turn moves on. Source: `swift`, row rate_limit. */
const SWIFT_HINT_MAX_MS = 5_000;

/** The default policy: another model answers at once, whoever failed rests. Source: the policy table, column `swift`. */
export const SWIFT: Policy = {
  rate_limit: [{ step: 'waitHint', maxMs: SWIFT_HINT_MAX_MS }, { step: 'switch' }],
  quota: SWITCH,
  overloaded: SWITCH,
  server_error: SWITCH,
  timeout: SWITCH,
  network_transient: SWITCH,
  network_permanent: SWITCH,
  local_network: [{ step: 'hold' }, { step: 'return' }],
  auth: SWITCH,
  permission: SWITCH,
  model_not_found: SWITCH,
  invalid_request: RETURN,
  content_policy: RETURN,
  tool_error: RETURN,
  aborted: RETURN,
  unsupported_input: [{ step: 'switch' }, { step: 'return' }],
  context_length: [{ step: 'compact' }, { step: 'switchLarger' }, { step: 'return' }],
  early_termination: SWITCH,
  empty_response: SWITCH,
  stream_interrupted: SWITCH,
  unknown: RETURN,
};

/** Policies by the name a configuration uses. */
export const POLICIES: Readonly<Record<string, Policy>> = { swift: SWIFT };

const FALLBACK_WORDS: Readonly<Record<string, readonly FailureKind[]>> = {
  rate_limit: ['rate_limit'],
  quota_exceeded: ['quota'],
  '5xx': ['server_error'],
  timeout: ['timeout'],
  overloaded: ['overloaded'],
  network: ['network_transient', 'network_permanent', 'local_network'],
  auth: ['auth', 'permission'],
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
