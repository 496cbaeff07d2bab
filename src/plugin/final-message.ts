import { clock, kindPhrase, shortName } from '../contract';
import type { Considered, Decision, FailureKind } from '../engine';

/** Kinds are the last part of a health code: `limit.rate_limit`, `blocked.auth`. */
const kindIn = (code: string): FailureKind | null => {
  const family = code.slice(0, code.indexOf('.'));
  return family === 'limit' || family === 'blocked' || family === 'rest'
    ? (code.slice(code.indexOf('.') + 1) as FailureKind)
    : null;
};

/**
 * The one sentence a user reads when nobody is left: who is out and why, and when the first one is back.
 *
 * @param now wall clock in ms, for the time of day.
 */
export function finalMessage(decision: Decision, now: number): string {
  const failed = decision.failure;
  const reasons = decision.trace.map(
    (entry) => `${shortName(entry.model)} is ${reasonOf(entry, failed?.kind ?? null)}`,
  );
  const { action } = decision;
  const soonest = action.kind === 'exhausted' ? action.soonest : null;
  const back = soonest ? ` ${shortName(soonest.model)} is back about ${clock(now + soonest.inMs)}.` : '';
  return `Understudy: no model of this chain can answer now (${reasons.join('; ')}).${back} Your session is safe; send the message again then.`;
}

function reasonOf(entry: Considered, failedKind: FailureKind | null): string {
  const kind = kindIn(entry.code);
  if (kind) return kindPhrase(kind, null);
  if (entry.code === 'chain.tried')
    return entry.state === 'resting' || entry.state === 'degraded' || !failedKind
      ? 'failing'
      : kindPhrase(failedKind, null);
  return entry.code === 'provider.failed' && failedKind ? kindPhrase(failedKind, null) : 'resting after failures';
}
