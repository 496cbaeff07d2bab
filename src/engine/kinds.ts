/** The six classes of the published error taxonomy. */
export const FAILURE_CLASSES = [
  'NetworkTransient',
  'NetworkPermanent',
  'ProviderRateLimit',
  'ProviderError',
  'ContextLength',
  'LogicError',
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** Whom a failure speaks about: one model, all models of a provider, the request itself, or this machine. */
export type FailureScope = 'model' | 'provider' | 'request' | 'machine';

/** Which part of a model's health a failure touches. */
export type FailureLane = 'cooldown' | 'breaker' | 'network' | 'blocked' | 'neutral';

export const FAILURE_KINDS = [
  'rate_limit',
  'quota',
  'overloaded',
  'server_error',
  'timeout',
  'network_transient',
  'network_permanent',
  'local_network',
  'auth',
  'permission',
  'model_not_found',
  'content_policy',
  'invalid_request',
  'context_length',
  'unsupported_input',
  'early_termination',
  'empty_response',
  'stream_interrupted',
  'tool_error',
  'aborted',
  'unknown',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

export type KindInfo = Readonly<{ class: FailureClass; scope: FailureScope; lane: FailureLane }>;

const row = (cls: FailureClass, scope: FailureScope, lane: FailureLane): KindInfo => ({ class: cls, scope, lane });

/** What each kind of failure means for health. Source: the failure table of the engine specification. */
export const KIND_INFO: Readonly<Record<FailureKind, KindInfo>> = {
  rate_limit: row('ProviderRateLimit', 'model', 'cooldown'),
  quota: row('ProviderRateLimit', 'provider', 'cooldown'),
  overloaded: row('ProviderError', 'model', 'breaker'),
  server_error: row('ProviderError', 'model', 'breaker'),
  timeout: row('NetworkTransient', 'model', 'breaker'),
  network_transient: row('NetworkTransient', 'provider', 'network'),
  network_permanent: row('NetworkPermanent', 'provider', 'blocked'),
  local_network: row('NetworkTransient', 'machine', 'neutral'),
  auth: row('ProviderError', 'provider', 'blocked'),
  permission: row('ProviderError', 'model', 'blocked'),
  model_not_found: row('ProviderError', 'model', 'blocked'),
  content_policy: row('LogicError', 'request', 'neutral'),
  invalid_request: row('LogicError', 'request', 'neutral'),
  context_length: row('ContextLength', 'request', 'neutral'),
  unsupported_input: row('LogicError', 'request', 'neutral'),
  early_termination: row('ProviderError', 'model', 'breaker'),
  empty_response: row('ProviderError', 'model', 'breaker'),
  stream_interrupted: row('NetworkTransient', 'model', 'breaker'),
  tool_error: row('LogicError', 'request', 'neutral'),
  aborted: row('LogicError', 'request', 'neutral'),
  unknown: row('LogicError', 'request', 'neutral'),
};

/** The one state a model shows on every surface. */
export const MODEL_STATES = [
  'ready',
  'degraded',
  'cooling',
  'resting',
  'open',
  'probing',
  'blocked',
  'held',
  'unseen',
] as const;
export type ModelState = (typeof MODEL_STATES)[number];
