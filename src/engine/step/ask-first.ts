import { unfitFor } from '../base/catalogue';
import type { ModelId } from '../base/ids';
import type { FailureKind } from '../base/kinds';
import type { Outlook } from '../choose/choice';
import { asks, can } from '../choose/steps';
import { SWIFT } from '../policy/swift';
import { keyIn } from '../state/books';
import { boundariesOf, lastFailureOf, standingOf } from '../state/read';
import type { EngineState, Speaker, Turn } from '../state/state';

/** Whether a person is asked before another model speaks for an agent: some row of its policy asks, and the host can. */
const asksFirst = (outlook: Outlook): boolean =>
  can(outlook, 'ask') && Object.values(outlook.plan?.policy ?? {}).some(asks);

/**
 * What a person is asked about a model with, under a policy that asks; else null. `unknown` where no failure is behind it,
 * because somebody has taken it out of use. Null as well where nothing stands against it, and where the row for what does
 * moves a turn without asking: whoever wrote that row has agreed.
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

/** Whether a request holds what its model cannot take at all; one that is too long can be shortened. */
export const lacksInput = (state: EngineState, turn: Turn, model: ModelId): boolean =>
  lackOf(state, turn, model) === 'unsupported_input';

/** What a request asks of its model that this one is known not to have; null when nothing. */
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

/**
 * What a person is asked about before `to` speaks in the place of `from`; null where nobody has to be. Neither where the
 * turn goes home, nor where they have agreed already: that model speaks for the agent.
 */
export function askedFirst(outlook: Outlook, { from, to, own }: Move): FailureKind | null {
  const { lead } = outlook.turn;
  if (to === lead || to === from || to === own?.active) return null;
  return askKind(outlook, from) ?? askKind(outlook, lead);
}
