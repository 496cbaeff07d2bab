import type { Policy, PolicyStep } from '../base/policy';

const SWITCH: PolicyStep = { step: 'switch' };
const BACK: PolicyStep = { step: 'return' };

/** Switches at once. Source: docs/failures.md, policies, `swift`. */
export const SWIFT: Policy = {
  // The request itself is the cause: no policy switches models.
  invalid_request: [BACK],
  content_policy: [BACK],
  tool_error: [BACK],
  aborted: [BACK],
  // Above five seconds the hint is a cooldown.
  rate_limit: [{ step: 'waitHint', maxMs: 5_000 }, SWITCH],
  quota: [SWITCH],
  overloaded: [SWITCH],
  server_error: [SWITCH],
  timeout: [SWITCH],
  network_transient: [SWITCH],
  network_permanent: [SWITCH],
  local_network: [{ step: 'hold' }, BACK],
  auth: [SWITCH],
  login: [SWITCH],
  permission: [SWITCH],
  model_not_found: [SWITCH],
  unsupported_input: [SWITCH, BACK],
  context_length: [{ step: 'compact' }, { step: 'switchLarger' }, BACK],
  early_termination: [{ step: 'continue', n: 1, when: 'output' }, SWITCH],
  empty_response: [{ step: 'continue', n: 1, when: 'output' }, SWITCH],
  stream_interrupted: [SWITCH],
  unknown: [BACK],
};
