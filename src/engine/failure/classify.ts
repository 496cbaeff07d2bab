import type { Failure } from '../base/decision';
import { FAILURE_KINDS, type FailureKind, type FailureLane, isBareRefusal, KIND_INFO } from '../base/kinds';
import { recently } from '../base/recent';
import type { Evidence } from '../state/events';
import { kindOfCode, kindOfStatus, kindOfWeakCode } from './codes';
import { hintOf } from './hints';
import {
  fold,
  kindOfLoosePhrase,
  kindOfSpecificPhrase,
  limitOf,
  namesModel,
  saysEmptyCredit,
  saysPerDay,
} from './phrases';
import { READ_MAX_CHARS, redact } from './redact';

/** A longer hint is a reset. Source: docs/failures.md, backoff. */
const WAIT_MAX_MS = 60_000;

/**
 * Order: a sensor's observation, the provider map, the provider's code, specific phrases, the status, loose phrases.
 * Digits in the text never count as a status; a bare 429 is a loose phrase.
 */
export function classify(evidence: Evidence): Failure {
  const message = redact(evidence.message ?? '');
  const status = statusOf(evidence.status);
  const text = folded(message);
  const word = evidence.headers?.['x-should-retry'];
  const mayRetry = word === 'true' ? true : word === 'false' ? false : undefined;
  const general = kindOf(evidence, status, text);
  const named =
    evidence.mapped || status === 402 ? general : general === 'rate_limit' ? rateLimit(text) : limitOf(general, text);
  // The provider allows a retry, so the request is valid.
  const kind = mayRetry && !evidence.mapped && isBareRefusal(named) ? 'server_error' : named;
  const needsUser =
    kind === 'quota' && (evidence.mapped?.needsUser === true || status === 402 || saysEmptyCredit(text));
  const hintMs = hintOf(evidence);
  const isDayLimit = kind === 'quota' && isPerDay(evidence);
  const isOfModel =
    isDayLimit || (kind === 'quota' && !needsUser && (namesModel(text) || (saysPerDay(text) && isByModel(evidence))));
  const waitMs = isDayLimit && hintMs !== null && hintMs <= WAIT_MAX_MS ? null : hintMs;
  const isTimed = waitMs !== null && waitMs > 0 && TIMED.includes(kind);
  const lane: FailureLane = needsUser ? 'blocked' : isTimed ? 'cooldown' : KIND_INFO[kind].lane;
  return {
    kind,
    class: isGatewayStatus(status) && kind === 'server_error' ? 'NetworkTransient' : KIND_INFO[kind].class,
    scope: isOfModel ? 'model' : KIND_INFO[kind].scope,
    lane,
    status,
    message,
    hintMs: waitMs,
    outputChars: evidence.outputChars ?? 0,
    ...(mayRetry === undefined ? {} : { mayRetry }),
    ...(evidence.steps ? { steps: evidence.steps } : {}),
  };
}

const folded = recently(fold);
const rateLimit = recently((text) => limitOf('rate_limit', text));

/** Providers may announce the end of these faults. */
const TIMED: readonly FailureKind[] = ['overloaded', 'server_error'];

/** Providers use these for any failure. */
const VAGUE_STATUSES: readonly (number | null)[] = [400, 422];

/** True if only a general refusal status explains the failure. */
export function isUnnamed(evidence: Evidence, { kind, status }: Failure): boolean {
  if (kind === 'unknown') return true;
  const { mapped } = evidence;
  if (kind !== 'invalid_request' || !VAGUE_STATUSES.includes(status) || (mapped && !mapped.isVague)) return false;
  const { status: _, mapped: __, code, ...others } = evidence;
  const named = mapped || code === undefined ? others : { ...others, code };
  return classify({ ...named, phase: 'body' }).kind === 'unknown';
}

/**
 * True for a daily quota. Google names it after its code or deep in the text, for one model, and gives the delay of the
 * limits per minute.
 */
const isPerDay = ({ code = '', message = '' }: Evidence): boolean =>
  (code + message.slice(0, READ_MAX_CHARS)).includes('PerDay');

/** Google and Bedrock count days per model, even if the message names none. */
const isByModel = ({ code = '' }: Evidence): boolean => /^(?:resource_exhausted|throttling)/i.test(code);

function statusOf(status: number | undefined): number | null {
  return status !== undefined && Number.isInteger(status) && status >= 100 && status < 600 ? status : null;
}

const isGatewayStatus = (status: number | null): boolean => status === 502 || status === 503 || status === 504;

function kindOf(evidence: Evidence, status: number | null, text: string): FailureKind {
  if (evidence.observed) return evidence.observed;
  const { mapped } = evidence;
  if (mapped) return refined(mapped.kind, mapped.isVague ? FAILURE_KINDS : [], text);
  const name = folded(evidence.code ?? '');
  const code = name && kindOfCode(name);
  if (code) return refined(code, REFINED_CODES[name] ?? REFINED_CODES[code] ?? [], text);
  if (status !== null && status >= 400)
    return refined(kindOfStatus(status), REFINED_STATUSES[status] ?? FAILURE_KINDS, text);
  const spoken = kindOfSpecificPhrase(text) ?? kindOfWeakCode(name) ?? kindOfLoosePhrase(text);
  if (spoken) return spoken;
  if (evidence.phase === 'stream' || status !== null) return 'server_error';
  return evidence.phase === 'headers' ? 'network_transient' : 'unknown';
}

function refined(named: FailureKind, by: readonly FailureKind[], text: string): FailureKind {
  const specific = by.length === 0 ? null : kindOfSpecificPhrase(text);
  return specific !== null && by.includes(specific) ? specific : named;
}

/** Kinds to which a phrase may narrow a code, as in the provider maps. */
const REFINED_CODES: Readonly<Record<string, readonly FailureKind[]>> = {
  rate_limit: ['quota', 'overloaded'],
  permission: ['quota', 'content_policy', 'model_not_found'],
  // LiteLLM reports a spent budget as an authentication error.
  'auth error': ['quota'],
  // Google says "quota" of every limit, even per minute: the code is more reliable.
  'resource exhausted': ['overloaded'],
};

/**
 * Kinds to which a phrase may narrow a status. A 401 is fixed; an unlisted status is not (a 500 with "overloaded" is
 * an overload).
 */
const REFINED_STATUSES: Readonly<Record<number, readonly FailureKind[]>> = {
  401: [],
  402: [],
  403: ['quota', 'content_policy', 'model_not_found', 'rate_limit', 'auth'],
  407: [],
  429: ['quota', 'overloaded'],
};
