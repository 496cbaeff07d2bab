import type { Failure } from './decision';
import type { Evidence } from './events';
import { hintOf } from './hints';
import { type FailureKind, type FailureLane, KIND_INFO } from './kinds';
import { redact } from './redact';

/** Provider codes and types that name one kind wherever they appear. */
const CODES: Readonly<Record<string, FailureKind>> = {
  insufficient_quota: 'quota',
  billing_hard_limit_reached: 'quota',
  usage_limit_reached: 'quota',
  quota_exceeded: 'quota',
  rate_limit_exceeded: 'rate_limit',
  rate_limit_error: 'rate_limit',
  too_many_requests: 'rate_limit',
  resource_exhausted: 'rate_limit',
  overloaded_error: 'overloaded',
  model_overloaded: 'overloaded',
  server_overloaded: 'overloaded',
  invalid_api_key: 'auth',
  authentication_error: 'auth',
  unauthenticated: 'auth',
  permission_error: 'permission',
  permission_denied: 'permission',
  model_not_found: 'model_not_found',
  not_found_error: 'model_not_found',
  context_length_exceeded: 'context_length',
  request_too_large: 'invalid_request',
  content_policy_violation: 'content_policy',
  content_filter: 'content_policy',
  server_error: 'server_error',
  api_error: 'server_error',
  internal_server_error: 'server_error',
  model_loading_failed: 'server_error',
  generation_failed: 'server_error',
  out_of_memory: 'server_error',
  inference_timeout: 'timeout',
  timeout_error: 'timeout',
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
  cert_has_expired: 'network_permanent',
  depth_zero_self_signed_cert: 'network_permanent',
  self_signed_cert_in_chain: 'network_permanent',
  unable_to_verify_leaf_signature: 'network_permanent',
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

type Phrase = readonly [pattern: RegExp, kind: FailureKind];

/** More specific than any status: a body that says this is believed. */
const SPECIFIC: readonly Phrase[] = [
  [
    /context[_ ]length|maximum context|context window|(?:prompt|input) is too long|input too long|too many tokens/i,
    'context_length',
  ],
  [
    /insufficient[_ ](?:quota|credits?|balance|funds)|exceeded your current quota|out of credits|spend(?:ing)? limit|usage limit|(?:weekly|daily|monthly|5[- ]hour) limit/i,
    'quota',
  ],
  [/content[_ ](?:policy|filter)|flagged (?:by|as)|moderation/i, 'content_policy'],
  [
    /(?:does|do) not support (?:image|pdf|file|tool|vision|audio)|(?:image|pdf|tool|vision)s? (?:is|are) not supported/i,
    'unsupported_input',
  ],
  [
    /model[_ ]not[_ ]found|model .{0,80}(?:does not exist|not found)|(?:unknown|invalid) model|no such model/i,
    'model_not_found',
  ],
  [
    /rate[_ -]?limit|too many requests|resource[_ ]exhausted|(?:requests|tokens) per (?:minute|hour|day)/i,
    'rate_limit',
  ],
  [/(?:invalid|incorrect|missing) (?:x-)?api[- _]?key|authentication (?:failed|error)/i, 'auth'],
  [/overloaded|at capacity|capacity exceeded/i, 'overloaded'],
];

/** Only where nothing structured spoke. */
const LOOSE: readonly Phrase[] = [
  [/certificate|self[- ]signed|TLS handshake|SSL/i, 'network_permanent'],
  [
    /socket hang up|fetch failed|connection (?:refused|reset|closed|lost)|unable to connect|network (?:error|unreachable)/i,
    'network_transient',
  ],
  [/timed? ?out|timeout/i, 'timeout'],
  [/internal (?:server )?error|bad gateway|service unavailable|upstream/i, 'server_error'],
];

const EMPTY_CREDIT = /insufficient[_ ](?:credits?|balance|funds)|out of credits|payment required|billing/i;

/**
 * Names a failure: exactly one kind, whatever the evidence holds.
 *
 * What a sensor observed by construction comes first, then the provider's code, then a phrase more specific than the
 * status, then the status, then loose phrases. Digits inside the text never count as a status.
 */
export function classify(evidence: Evidence): Failure {
  const message = redact(evidence.message ?? '');
  const kind = kindOf(evidence, message);
  const needsUser = kind === 'quota' && (evidence.status === 402 || EMPTY_CREDIT.test(message));
  const lane: FailureLane = needsUser ? 'blocked' : KIND_INFO[kind].lane;
  return {
    kind,
    class: isGatewayStatus(evidence.status) && kind === 'server_error' ? 'NetworkTransient' : KIND_INFO[kind].class,
    scope: KIND_INFO[kind].scope,
    lane,
    status: evidence.status ?? null,
    message,
    hintMs: hintOf(evidence),
    outputChars: evidence.outputChars ?? 0,
  };
}

const isGatewayStatus = (status: number | undefined): boolean => status === 502 || status === 503 || status === 504;

function kindOf(evidence: Evidence, message: string): FailureKind {
  if (evidence.observed) return evidence.observed;
  const code = CODES[(evidence.code ?? '').toLowerCase()];
  const status = evidence.status;
  const specific = matching(SPECIFIC, message);
  // A generic code (`server_error`, `api_error`) says less than a phrase; a specific one says more than anything.
  if (code && code !== 'server_error') return specific === 'quota' && code === 'rate_limit' ? 'quota' : code;
  if (status !== undefined && status >= 400)
    return specific && refines(specific, status) ? specific : kindOfStatus(status);
  if (specific) return specific;
  if (code) return code;
  const loose = matching(LOOSE, message);
  if (loose) return loose;
  if (evidence.phase === 'stream' || status !== undefined) return 'server_error';
  return evidence.phase === 'headers' ? 'network_transient' : 'unknown';
}

function kindOfStatus(status: number): FailureKind {
  return STATUSES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request');
}

/** Whether a phrase may correct a status: a 401 stays a 401, a 500 that says "overloaded" is an overload. */
function refines(kind: FailureKind, status: number): boolean {
  if (status === 401 || status === 402 || status === 407) return false;
  if (status === 403) return kind === 'quota' || kind === 'content_policy' || kind === 'model_not_found';
  if (status === 429) return kind === 'quota';
  return true;
}

function matching(phrases: readonly Phrase[], text: string): FailureKind | null {
  for (const [pattern, kind] of phrases) if (pattern.test(text)) return kind;
  return null;
}
