import { kindOfCode, kindOfStatus, kindOfWeakCode } from './codes';
import type { Failure } from './decision';
import type { Evidence } from './events';
import { hintOf } from './hints';
import { type FailureKind, type FailureLane, KIND_INFO } from './kinds';
import { kindOfLoosePhrase, kindOfSpecificPhrase, saysEmptyCredit } from './phrases';
import { redact } from './redact';

/**
 * Names a failure: exactly one kind, whatever the evidence holds.
 *
 * What a sensor observed by construction comes first, then what the provider's own map says, then the provider's code, then a phrase more specific than the
 * status, then the status, then loose phrases. Digits inside the text never count as a status.
 */
export function classify(evidence: Evidence): Failure {
  const message = redact(evidence.message ?? '');
  const status = statusOf(evidence.status);
  const kind = kindOf(evidence, status, message);
  const needsUser =
    kind === 'quota' && (evidence.mapped?.needsUser === true || status === 402 || saysEmptyCredit(message));
  const lane: FailureLane = needsUser ? 'blocked' : KIND_INFO[kind].lane;
  return {
    kind,
    class: isGatewayStatus(status) && kind === 'server_error' ? 'NetworkTransient' : KIND_INFO[kind].class,
    scope: KIND_INFO[kind].scope,
    lane,
    status,
    message,
    hintMs: hintOf(evidence),
    outputChars: evidence.outputChars ?? 0,
    ...(evidence.steps ? { steps: evidence.steps } : {}),
  };
}

/** What is no HTTP status is none. */
function statusOf(status: number | undefined): number | null {
  return status !== undefined && Number.isInteger(status) && status >= 100 && status < 600 ? status : null;
}

const isGatewayStatus = (status: number | null): boolean => status === 502 || status === 503 || status === 504;

function kindOf(evidence: Evidence, status: number | null, message: string): FailureKind {
  if (evidence.observed) return evidence.observed;
  if (evidence.mapped) return evidence.mapped.kind;
  const name = (evidence.code ?? '').toLowerCase();
  const code = kindOfCode(name);
  const specific = kindOfSpecificPhrase(message);
  if (code) return isSpentPlan(name, code, specific) ? 'quota' : code;
  if (status !== null && status >= 400) return specific && refines(specific, status) ? specific : kindOfStatus(status);
  const spoken = specific ?? kindOfWeakCode(name) ?? kindOfLoosePhrase(message);
  if (spoken) return spoken;
  if (evidence.phase === 'stream' || status !== null) return 'server_error';
  return evidence.phase === 'headers' ? 'network_transient' : 'unknown';
}

/** Google says "quota" of every limit, also of one per minute: there the code is the better witness. */
function isSpentPlan(name: string, code: FailureKind, specific: FailureKind | null): boolean {
  return code === 'rate_limit' && specific === 'quota' && name !== 'resource_exhausted';
}

/** Whether a phrase may correct a status: a 401 stays a 401, a 500 that says "overloaded" is an overload. */
function refines(kind: FailureKind, status: number): boolean {
  if (status === 401 || status === 402 || status === 407) return false;
  if (status === 403) return ['quota', 'content_policy', 'model_not_found', 'rate_limit', 'auth'].includes(kind);
  if (status === 429) return kind === 'quota' || kind === 'overloaded';
  return true;
}
