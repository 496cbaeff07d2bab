import { FAILURE_KINDS } from '../engine/names';
import { reasonTexts } from '../texts';
import { kindPhrase } from './wording';

/** Families whose code ends with a kind of failure. */
const OF_A_KIND = ['limit', 'rest', 'blocked'];

/** The text of a code of a trace or of a model's state, such as `limit.rate_limit`; null if unknown. */
export function reasonPhrase(code: string): string | null {
  const reasons: Readonly<Record<string, string>> = reasonTexts();
  if (Object.hasOwn(reasons, code)) return reasons[code] ?? null;
  const at = code.indexOf('.');
  const kind = FAILURE_KINDS.find((candidate) => candidate === code.slice(at + 1));
  return kind && OF_A_KIND.includes(code.slice(0, at)) ? kindPhrase(kind, null) : null;
}

/** The reason why the engine ignored an event. */
const REFUSALS: Readonly<Record<string, string>> = {
  'attempt.duplicate': 'This request is already recorded.',
  'attempt.unknown': 'This request is unknown.',
  'attempt.without_turn': 'The message of this request is unknown.',
  'session.unknown': 'This session is unknown.',
  'switch.without_turn': 'The message of this switch is unknown.',
  'turn.unknown': 'This message is unknown.',
  'manual.stale': 'The model has changed since you last viewed it. Review it, then decide.',
  'manual.idle': 'The model already has this state.',
  'switching.idle': 'Switching is not paused.',
  'question.unknown': 'This question is no longer open.',
  'speaker.unknown': 'This session has no paused agent of that name.',
};

/** The reason why an act or event had no effect, as a sentence; null for an unknown code. */
export const refusalPhrase = (code: string): string | null =>
  Object.hasOwn(REFUSALS, code) ? (REFUSALS[code] ?? null) : null;
