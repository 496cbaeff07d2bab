import { unfitFor } from '../base/catalogue';
import type { ModelId } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import type { Outlook } from '../choose/choice';
import { asks, can } from '../choose/steps';
import { SWIFT } from '../policy/swift';
import { keyIn } from '../state/books';
import { boundariesOf, lastFailureOf, standingOf } from '../state/read';
import type { EngineState, Speaker, Turn } from '../state/state';

const asksFirst = (outlook: Outlook): boolean =>
  can(outlook, 'ask') && Object.values(outlook.plan?.policy ?? {}).some(asks);

/**
 * `unknown` if the user excluded the model. Null if the policy does not ask, the model is fine, or its kind's row
 * switches without asking.
 */
export function askKind(outlook: Outlook, model: ModelId): FailureKind | null {
  if (!asksFirst(outlook)) return null;
  const kind = against(outlook, model);
  return kind === null || kind === 'unknown' || !movesUnasked(outlook, kind) ? kind : null;
}

function against(outlook: Outlook, model: ModelId): FailureKind | null {
  const { state, now, turn } = outlook;
  const key = keyIn(state, turn.directory, model);
  const { kind, code, use } = standingOf(state, key, now);
  if (code === 'held.flapping') return lastFailureOf(state, key)?.kind ?? 'unknown';
  if (code === 'held.open' || code === 'held.isolated') return 'unknown';
  if (use === 'out') return kind ?? 'unknown';
  return lackOf(state, turn, model) ?? kind;
}

/** A request that is too long can be shortened instead. */
export const lacksInput = (state: EngineState, turn: Turn, model: ModelId): boolean =>
  lackOf(state, turn, model) === 'unsupported_input';

function lackOf(state: EngineState, { directory, lead, needs }: Turn, model: ModelId): FailureKind | null {
  if (needs === undefined) return null;
  switch (unfitFor(model, { lead, needs, boundaries: boundariesOf(state, directory) })) {
    case 'needs.vision':
    case 'needs.tools':
      return 'unsupported_input';
    case 'needs.context':
      return 'context_length';
    default:
      return null;
  }
}

function movesUnasked({ plan }: Outlook, kind: FailureKind): boolean {
  const row = plan?.policy[kind] ?? SWIFT[kind];
  return !asks(row) && row.some(({ step }) => step === 'switch' || step === 'switchLarger');
}

type Move = Readonly<{ from: ModelId; to: ModelId; own: Speaker | undefined }>;

/** Null if the turn returns to its primary, or the user has approved that model. */
export function askedFirst(outlook: Outlook, { from, to, own }: Move): FailureKind | null {
  const { lead } = outlook.turn;
  if (to === lead || to === from || to === own?.active) return null;
  return askKind(outlook, from) ?? askKind(outlook, lead);
}
