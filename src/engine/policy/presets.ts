import type { FailureKind } from '../base/kinds';
import type { Policy, PolicyStep } from '../base/policy';
import { SWIFT } from './swift';

const SWITCH: PolicyStep = { step: 'switch' };
const BACK: PolicyStep = { step: 'return' };
const RETRY: PolicyStep = { step: 'retry', n: 3 };
const ONCE: PolicyStep = { step: 'retry', n: 1 };
const HOLD: PolicyStep = { step: 'hold' };
const COMPACT: PolicyStep = { step: 'compact' };
const ASK: PolicyStep = { step: 'ask' };
const WAIT: PolicyStep = { step: 'wait', ms: 30_000 };
const CONTINUE: PolicyStep = { step: 'continue', n: 3 };

const row = (kinds: readonly FailureKind[], steps: readonly PolicyStep[]): Partial<Policy> =>
  Object.fromEntries(kinds.map((kind) => [kind, steps]));

/** Retries the same model before it switches. Source: docs/failures.md, policies, `steady`. */
export const STEADY: Policy = {
  ...SWIFT,
  ...row(['rate_limit', 'overloaded', 'timeout'], [RETRY, SWITCH]),
  server_error: [{ ...RETRY, when: 'gateway' }, SWITCH],
  network_transient: [RETRY, SWITCH, HOLD, SWITCH],
  network_permanent: [BACK],
  unsupported_input: [BACK],
  context_length: [COMPACT, BACK],
  early_termination: [SWITCH],
  empty_response: [SWITCH],
  stream_interrupted: [ONCE, SWITCH],
};

/** Waits, then switches. Source: docs/failures.md, policies, `patient`. */
export const PATIENT: Policy = {
  ...SWIFT,
  ...row(['rate_limit', 'overloaded', 'timeout', 'network_transient', 'model_not_found'], [WAIT, SWITCH]),
  server_error: [{ ...WAIT, when: 'routed' }, SWITCH],
  ...row(['network_permanent', 'permission', 'unsupported_input', 'context_length'], [BACK]),
  // A long partial response is worth more than a retry.
  early_termination: [{ step: 'return', when: 'long_output' }, CONTINUE, SWITCH],
  empty_response: [CONTINUE, SWITCH],
  stream_interrupted: [CONTINUE, SWITCH],
  unknown: [SWITCH],
};

/**
 * For participants of one conversation: retries, defers, then asks the user; without approval the agent is paused
 * (degraded). Source: docs/failures.md, policies, `council`.
 */
export const COUNCIL: Policy = {
  ...SWIFT,
  ...row(['rate_limit', 'overloaded', 'server_error', 'timeout', 'network_transient'], [RETRY, { step: 'defer' }, ASK]),
  ...row(['quota', 'network_permanent', 'auth', 'login', 'model_not_found'], [ASK]),
  ...row(['permission', 'unsupported_input'], [BACK]),
  context_length: [COMPACT, BACK],
  // Keeps the output and requests the whole response once more before asking.
  ...row(['early_termination', 'empty_response', 'stream_interrupted'], [ONCE, ASK]),
  unknown: [ONCE],
};

export const PRESETS = { swift: SWIFT, steady: STEADY, patient: PATIENT, council: COUNCIL } as const;
