import type { Policy } from './config';
import type { FailureKind } from './kinds';
import type { PolicyStep } from './policy';

const SWITCH: PolicyStep = { step: 'switch' };
const BACK: PolicyStep = { step: 'return' };
const RETRY: PolicyStep = { step: 'retry', n: 3 };
const ONCE: PolicyStep = { step: 'retry', n: 1 };
const HOLD: PolicyStep = { step: 'hold' };
const COMPACT: PolicyStep = { step: 'compact' };
const ASK: PolicyStep = { step: 'ask' };
/** `patient` lets a model rest this long before it gives it up. */
const WAIT: PolicyStep = { step: 'wait', ms: 30_000 };
const CONTINUE: PolicyStep = { step: 'continue', n: 3 };

/** What no policy answers with another model: the request itself is the reason. */
const OF_THE_REQUEST = { invalid_request: [BACK], content_policy: [BACK], tool_error: [BACK], aborted: [BACK] };

const row = (kinds: readonly FailureKind[], steps: readonly PolicyStep[]): Partial<Policy> =>
  Object.fromEntries(kinds.map((kind) => [kind, steps]));

/** The default policy: another model answers at once, whoever failed rests. Source: the policy table, column `swift`. */
export const SWIFT: Policy = {
  ...OF_THE_REQUEST,
  // Above five seconds the provider's hint is a cooldown and the turn moves on.
  rate_limit: [{ step: 'waitHint', maxMs: 5_000 }, SWITCH],
  quota: [SWITCH],
  overloaded: [SWITCH],
  server_error: [SWITCH],
  timeout: [SWITCH],
  network_transient: [SWITCH],
  network_permanent: [SWITCH],
  local_network: [HOLD, BACK],
  auth: [SWITCH],
  permission: [SWITCH],
  model_not_found: [SWITCH],
  unsupported_input: [SWITCH, BACK],
  context_length: [COMPACT, { step: 'switchLarger' }, BACK],
  early_termination: [{ step: 'continue', n: 1, when: 'output' }, SWITCH],
  empty_response: [{ step: 'continue', n: 1, when: 'output' }, SWITCH],
  stream_interrupted: [SWITCH],
  unknown: [BACK],
};

/** Asks the same model again before it moves. Source: the policy table, column `steady`. */
export const STEADY: Policy = {
  ...SWIFT,
  ...row(['rate_limit', 'timeout'], [RETRY, SWITCH]),
  server_error: [{ ...RETRY, when: 'gateway' }, SWITCH],
  network_transient: [RETRY, HOLD, BACK],
  network_permanent: [BACK],
  unsupported_input: [BACK],
  context_length: [COMPACT, BACK],
  early_termination: [SWITCH],
  empty_response: [SWITCH],
  stream_interrupted: [ONCE, SWITCH],
};

/** Waits, then moves. Source: the policy table, column `patient`. */
export const PATIENT: Policy = {
  ...SWIFT,
  ...row(['rate_limit', 'overloaded', 'timeout', 'network_transient', 'model_not_found'], [WAIT, SWITCH]),
  server_error: [{ ...WAIT, when: 'routed' }, SWITCH],
  ...row(['network_permanent', 'permission', 'unsupported_input', 'context_length'], [BACK]),
  // So much of an answer is worth more than a second attempt at it.
  early_termination: [{ step: 'return', when: 'long_output' }, CONTINUE, SWITCH],
  empty_response: [CONTINUE, SWITCH],
  stream_interrupted: [CONTINUE, SWITCH],
  unknown: [SWITCH],
};

/**
 * Several speakers share a conversation: one that fails is asked again, deferred, then put to the person; without a
 * yes it is degraded. Source: the policy table, column `council`.
 */
export const COUNCIL: Policy = {
  ...SWIFT,
  ...row(['rate_limit', 'overloaded', 'server_error', 'timeout', 'network_transient'], [RETRY, { step: 'defer' }, ASK]),
  ...row(['quota', 'network_permanent', 'auth', 'model_not_found'], [ASK]),
  ...row(['permission', 'unsupported_input'], [BACK]),
  context_length: [COMPACT, BACK],
  ...row(['early_termination', 'empty_response', 'stream_interrupted', 'unknown'], [ONCE]),
};

/** The policies that ship, by the name a configuration uses. */
export const PRESETS = { swift: SWIFT, steady: STEADY, patient: PATIENT, council: COUNCIL } as const;
