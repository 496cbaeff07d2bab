import { FAILURE_KINDS } from '../engine/names';
import { reasonTexts } from '../texts';
import { kindPhrase } from './wording';

/** Families whose code ends with a kind of failure. */
const OF_A_KIND = ['limit', 'rest', 'blocked'];

/** The words for a code of a trace or of a model's state, such as `limit.rate_limit`; null for one nobody knows. */
export function reasonPhrase(code: string): string | null {
  const reasons: Readonly<Record<string, string>> = reasonTexts();
  if (Object.hasOwn(reasons, code)) return reasons[code] ?? null;
  const at = code.indexOf('.');
  const kind = FAILURE_KINDS.find((candidate) => candidate === code.slice(at + 1));
  return kind && OF_A_KIND.includes(code.slice(0, at)) ? kindPhrase(kind, null) : null;
}

/** Why the engine took no notice of an event. */
const REFUSALS: Readonly<Record<string, string>> = {
  'attempt.duplicate': 'This request is known already.',
  'attempt.unknown': 'This request is not known.',
  'attempt.without_turn': 'This request belongs to no message that is known.',
  'session.unknown': 'This session is not known.',
  'switch.without_turn': 'This switch belongs to no message that is known.',
  'turn.unknown': 'This message is not known.',
  'manual.stale': 'The model has changed since you looked. Look again, then decide.',
  'manual.idle': 'The model is as you want it already.',
  'switching.idle': 'Switching is not paused.',
  'question.unknown': 'This question is no longer open.',
  'speaker.unknown': 'Nobody of that name is left out of this session.',
};

/** Why nothing came of an act or an event, as a sentence; null for a code nobody knows. */
export const refusalPhrase = (code: string): string | null =>
  Object.hasOwn(REFUSALS, code) ? (REFUSALS[code] ?? null) : null;
