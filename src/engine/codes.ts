import type { FailureKind } from './kinds';

/** Provider codes, error types and error names that name one kind wherever they appear; lower case. */
const CODES: Readonly<Record<string, FailureKind>> = {
  insufficient_quota: 'quota',
  billing_hard_limit_reached: 'quota',
  usage_limit_reached: 'quota',
  quota_exceeded: 'quota',
  exceeded_current_quota_error: 'quota',
  servicequotaexceededexception: 'quota',
  creditserror: 'quota',
  monthlylimiterror: 'quota',
  userlimiterror: 'quota',
  subscriptionusagelimiterror: 'quota',
  rate_limit_exceeded: 'rate_limit',
  rate_limit_error: 'rate_limit',
  rate_limit_reached_error: 'rate_limit',
  ratelimiterror: 'rate_limit',
  freeusagelimiterror: 'rate_limit',
  rate_limited: 'rate_limit',
  user_model_rate_limited: 'rate_limit',
  user_global_rate_limited: 'rate_limit',
  token_quota_exceeded: 'rate_limit',
  too_many_requests: 'rate_limit',
  resource_exhausted: 'rate_limit',
  throttlingexception: 'rate_limit',
  overloaded_error: 'overloaded',
  engine_overloaded_error: 'overloaded',
  model_overloaded: 'overloaded',
  server_overloaded: 'overloaded',
  service_tier_capacity_exceeded: 'overloaded',
  modelnotreadyexception: 'overloaded',
  invalid_api_key: 'auth',
  incorrect_api_key_error: 'auth',
  authentication_error: 'auth',
  invalid_authentication_error: 'auth',
  unauthenticated: 'auth',
  autherror: 'auth',
  unrecognizedclientexception: 'auth',
  expiredtokenexception: 'auth',
  permission_error: 'permission',
  permission_denied: 'permission',
  accessdeniedexception: 'permission',
  model_not_found: 'model_not_found',
  model_not_supported: 'model_not_found',
  modelerror: 'model_not_found',
  not_found_error: 'model_not_found',
  resource_not_found_error: 'model_not_found',
  deploymentnotfound: 'model_not_found',
  resourcenotfoundexception: 'model_not_found',
  context_length_exceeded: 'context_length',
  request_too_large: 'invalid_request',
  content_policy_violation: 'content_policy',
  content_filter: 'content_policy',
  model_loading_failed: 'server_error',
  generation_failed: 'server_error',
  out_of_memory: 'server_error',
  inference_timeout: 'timeout',
  timeout_error: 'timeout',
  modeltimeoutexception: 'timeout',
  econnrefused: 'network_transient',
  connectionrefused: 'network_transient',
  econnreset: 'network_transient',
  connectionclosed: 'network_transient',
  econnaborted: 'network_transient',
  enotfound: 'network_transient',
  eai_again: 'network_transient',
  etimedout: 'network_transient',
  epipe: 'network_transient',
  ehostunreach: 'network_transient',
  enetunreach: 'network_transient',
  failedtoopensocket: 'network_transient',
  und_err_socket: 'network_transient',
  und_err_connect_timeout: 'network_transient',
  cert_has_expired: 'network_permanent',
  depth_zero_self_signed_cert: 'network_permanent',
  self_signed_cert_in_chain: 'network_permanent',
  unable_to_verify_leaf_signature: 'network_permanent',
  err_tls_cert_altname_invalid: 'network_permanent',
};

/** Codes that say no more than a status does: whatever else speaks is believed first. */
const WEAK_CODES: Readonly<Record<string, FailureKind>> = {
  server_error: 'server_error',
  api_error: 'server_error',
  internal_server_error: 'server_error',
  internal: 'server_error',
  unavailable: 'server_error',
  serviceunavailableexception: 'server_error',
  internalserverexception: 'server_error',
  invalid_request_error: 'invalid_request',
  invalid_argument: 'invalid_request',
  failed_precondition: 'invalid_request',
  validationexception: 'invalid_request',
  not_found: 'model_not_found',
};

const STATUSES: Readonly<Record<number, FailureKind>> = {
  400: 'invalid_request',
  401: 'auth',
  402: 'quota',
  403: 'permission',
  404: 'model_not_found',
  405: 'invalid_request',
  407: 'network_permanent',
  408: 'timeout',
  410: 'model_not_found',
  413: 'invalid_request',
  415: 'invalid_request',
  422: 'invalid_request',
  429: 'rate_limit',
  529: 'overloaded',
};

/** The kind a provider's code names by itself; null for an unknown one. `code` is lower case. */
export function kindOfCode(code: string): FailureKind | null {
  return Object.hasOwn(CODES, code) ? (CODES[code] ?? null) : null;
}

/** The kind a generic code stands for when nothing else speaks; null for an unknown one. `code` is lower case. */
export function kindOfWeakCode(code: string): FailureKind | null {
  return Object.hasOwn(WEAK_CODES, code) ? (WEAK_CODES[code] ?? null) : null;
}

/** The kind of an HTTP status of 400 and above. */
export function kindOfStatus(status: number): FailureKind {
  return STATUSES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request');
}
