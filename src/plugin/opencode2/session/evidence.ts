import { classify, type Evidence, type FailureKind, redact } from '../../../engine';
import { UNSTARTABLE } from '../../user/unasked';
import { EMPTY, SILENT } from './sdk';
import type { SessionError } from './types';

/** Used only if the failure has no clearer sign. */
const KIND_OF: Readonly<Record<string, FailureKind>> = {
  'provider.rate-limit': 'rate_limit',
  'provider.quota': 'quota',
  'provider.auth': 'auth',
  'provider.internal': 'server_error',
  'provider.invalid-output': 'early_termination',
  'provider.invalid-request': 'invalid_request',
  'provider.no-route': 'model_not_found',
  'provider.unknown': 'server_error',
  // Another plugin's hook failed, for example one that refreshes a token. [observed: 2.0.15]
  unknown: 'server_error',
};

export function evidenceOfError({ type, message, status }: SessionError): Evidence {
  if (/abort|interrupt|cancel/.test(type)) return { phase: 'body', observed: 'aborted' };
  const evidence: Evidence = {
    phase: type === 'provider.transport' ? 'headers' : 'body',
    message: redact(message),
    ...(status === undefined ? {} : { status }),
  };
  // The message could suggest another kind.
  if (type === 'provider.content-filter') return { ...evidence, mapped: { kind: 'content_policy' } };
  if (message.startsWith(SILENT)) return { ...evidence, observed: 'timeout' };
  if (message.startsWith(UNSTARTABLE)) return { ...evidence, mapped: { kind: 'model_not_found' } };
  if (message === EMPTY) return { ...evidence, observed: 'empty_response' };
  const kind = KIND_OF[type];
  return kind && classify(evidence).kind === 'unknown' ? { ...evidence, mapped: { kind } } : evidence;
}
