import { kindPhrase } from '../engine/kind-phrase';
import { FAILURE_KINDS } from '../engine/kinds';

/** Why a decision chose or passed over a model, or what a model's state comes from. */
const REASONS: Readonly<Record<string, string>> = {
  'chain.first': 'the first that is ready',
  'chain.last': 'resting, but nothing better was left',
  'chain.later': 'ready, but one before it was chosen',
  'chain.tried': 'failed in this turn',
  'chain.left': 'left in this turn, so not before the next message',
  'chain.again': 'asked again, because nobody else is left',
  'chain.backup': 'the backup model',
  'chain.decided': 'chosen inside OpenCode',
  'chain.depth': 'not asked: the turn had switched as often as it may',
  'chain.larger': 'holds more than the model that ran out of room',
  'chain.panic': 'out, but asked early because it is back first',
  'provider.failed': 'its provider had just failed for all its models',
  'model.out': 'not usable',
  'needs.context': 'too small for this conversation',
  'needs.vision': 'cannot read images',
  'needs.tools': 'cannot use tools',
  'vendor.locked': 'of another vendor, and vendorLock is on',
  'price.ceiling': 'dearer than maxPriceRatio allows',
  'breaker.open': 'failed too often',
  'breaker.probing': 'its one probe is under way',
  'breaker.lease': 'its one probe needs a word of the app first',
  'breaker.counting': 'failed lately, and one before it was chosen',
  'network.open': 'its provider could not be reached too often',
  'network.probing': 'its provider’s one probe is under way',
  'held.isolated': 'taken out of all chains by you',
  'held.open': 'held out of use by you',
  'held.closed': 'held in use by you',
  'held.flapping': 'held out for a while: it kept failing and coming back',
  'budget.session': 'the session’s retries are spent',
  'budget.ratio': 'too many of the last requests were retries',
};

/** Families whose code ends with a kind of failure. */
const OF_A_KIND = ['limit', 'rest', 'blocked'];

/** The words for a code of a trace or of a model's state, such as `limit.rate_limit`; null for one nobody knows. */
export function reasonPhrase(code: string): string | null {
  if (Object.hasOwn(REASONS, code)) return REASONS[code] ?? null;
  const at = code.indexOf('.');
  const kind = FAILURE_KINDS.find((candidate) => candidate === code.slice(at + 1));
  return kind && OF_A_KIND.includes(code.slice(0, at)) ? kindPhrase(kind, null) : null;
}

/** Why the engine took no notice of an event. */
const REFUSALS: Readonly<Record<string, string>> = {
  'attempt.duplicate': 'This request is known already.',
  'attempt.unknown': 'This request is not known.',
  'attempt.without_turn': 'This request belongs to no message that is known.',
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
