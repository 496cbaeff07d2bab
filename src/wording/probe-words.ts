import type { ProbeResult } from '../contract/probe';
import type { ModelRow } from '../contract/snapshot';
import { probeTexts } from '../texts';
import { isResettable } from './act-words';
import { kindPhrase, measured } from './wording';

/** Tokens of the instructions and tools that OpenCode 1.18.33 sends, about 31,000 characters. */
const SENT_TOKENS = 8_000;

/** "$0.12" or "$0.0012": dollars of a single request. */
export const requestPrice = (dollars: number): string => `$${dollars.toFixed(dollars >= 0.01 ? 2 : 4)}`;

/** The cost of a probe in dollars; null if the price is unknown. */
export const probeCost = ({ abilities: { priceIn } }: ModelRow): number | null =>
  priceIn === null ? null : (priceIn * SENT_TOKENS) / 1e6;

/** The consequences of a probe, one sentence each. */
export function probeConsequences(row: ModelRow): readonly string[] {
  const texts = probeTexts();
  const cost = probeCost(row);
  const price = cost === null ? texts.costsUnknown : cost === 0 ? texts.costsNothing : texts.costs(requestPrice(cost));
  const isHeld = row.hold !== null || row.isolatedBy.length > 0;
  const outcome = isHeld ? texts.held : isResettable(row) ? texts.whenAnswers : null;
  return [price, ...(outcome === null ? [] : [outcome]), texts.whenFails, texts.order];
}

export function probePhrase(name: string, result: ProbeResult, isBack: boolean): string {
  const texts = probeTexts();
  const took = measured(result.tookMs);
  if (!result.ok) return texts.failed(name, failureOf(result), took);
  const answered = texts.answered(name, took, requestPrice(result.cost));
  return isBack ? `${answered} ${texts.isBack}` : answered;
}

/** The kind of failure with the provider's message, or the reason without a response. */
const failureOf = ({ kind, status, reason }: Extract<ProbeResult, { ok: false }>): string =>
  kind === null ? reason : [kindPhrase(kind, status), reason].filter(Boolean).join(': ');
