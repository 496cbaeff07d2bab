export const FAILURE_CLASSES = [
  'NetworkTransient',
  'NetworkPermanent',
  'ProviderRateLimit',
  'ProviderError',
  'ContextLength',
  'LogicError',
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

export type FailureScope = 'model' | 'provider' | 'request' | 'machine';

export type FailureLane = 'cooldown' | 'breaker' | 'network' | 'blocked' | 'neutral';

export type KindInfo = Readonly<{ class: FailureClass; scope: FailureScope; lane: FailureLane }>;

const row = (cls: FailureClass, scope: FailureScope, lane: FailureLane): KindInfo => ({ class: cls, scope, lane });
const OF_REQUEST = row('LogicError', 'request', 'neutral');
const COUNTED = row('ProviderError', 'model', 'breaker');
const COUNTED_TRANSIENT = row('NetworkTransient', 'model', 'breaker');
const BLOCKED = row('ProviderError', 'model', 'blocked');

const INFO = {
  rate_limit: row('ProviderRateLimit', 'model', 'cooldown'),
  quota: row('ProviderRateLimit', 'provider', 'cooldown'),
  overloaded: COUNTED,
  server_error: COUNTED,
  timeout: COUNTED_TRANSIENT,
  network_transient: row('NetworkTransient', 'provider', 'network'),
  network_permanent: row('NetworkPermanent', 'provider', 'blocked'),
  local_network: row('NetworkTransient', 'machine', 'neutral'),
  auth: row('ProviderError', 'provider', 'blocked'),
  permission: BLOCKED,
  model_not_found: BLOCKED,
  content_policy: OF_REQUEST,
  invalid_request: OF_REQUEST,
  context_length: row('ContextLength', 'request', 'neutral'),
  unsupported_input: OF_REQUEST,
  early_termination: COUNTED,
  empty_response: COUNTED,
  stream_interrupted: COUNTED_TRANSIENT,
  tool_error: OF_REQUEST,
  aborted: OF_REQUEST,
  unknown: OF_REQUEST,
  // Stored data counts kinds by position: append new ones.
  login: row('ProviderError', 'provider', 'blocked'),
};
export type FailureKind = keyof typeof INFO;

/** Source: docs/failures.md, kinds of failure. */
export const KIND_INFO: Readonly<Record<FailureKind, KindInfo>> = INFO;

export const FAILURE_KINDS = Object.keys(INFO) as readonly FailureKind[];

export const isBareRefusal = (kind: FailureKind | null): boolean => kind === 'invalid_request' || kind === 'unknown';

const OF_ACCOUNT: ReadonlySet<FailureKind> = new Set(['rate_limit', 'quota', 'auth', 'login', 'permission']);

/** The same model may work with another account. */
export const isOfAccount = (kind: FailureKind): boolean => OF_ACCOUNT.has(kind);

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
