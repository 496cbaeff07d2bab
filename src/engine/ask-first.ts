import { keyIn } from './books';
import type { Outlook } from './choice';
import type { ModelId } from './ids';
import type { FailureKind } from './kinds';
import { lastFailureOf, type Speaker, standingOf } from './state';
import { asks, can } from './steps';
import { SWIFT } from './swift';

/** What stands against a model, where its row puts a question and the host can put one; else null. */
export function askKind(outlook: Outlook, model: ModelId): FailureKind | null {
  const { state, now, plan, turn } = outlook;
  const key = keyIn(state, turn.directory, model);
  const { kind: shown, code } = standingOf(state, key, now);
  // Held for its flapping, not by a person.
  const kind = code === 'held.flapping' ? (lastFailureOf(state, key)?.kind ?? null) : shown;
  if (!plan || kind === null || !can(outlook, 'ask')) return null;
  return asks(plan.policy[kind] ?? SWIFT[kind]) ? kind : null;
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
