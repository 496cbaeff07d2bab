import { type ModelId, providerOf } from '../base/ids';
import { entries, get, remove, set } from '../base/table';
import type { Choice } from '../choose/choice';
import { drainKey } from '../choose/drain';
import { keyIn } from '../state/books';
import type { Drained, Turn } from '../state/state';
import type { Work } from '../state/work';

/** How long what was said of a plan holds in its conversation, in ms. */
const SAID_MS = 86_400_000;
/** Answers that are remembered. */
const SAID_MAX = 500;

/** Tells, once a day and conversation, that a turn goes to a plan which its work would use up within a day. */
export function noteDrain(work: Work, turn: Turn, { action, drain }: Pick<Choice, 'action' | 'drain'>): void {
  if (!drain || !('to' in action)) return;
  const { state, now, facts } = work;
  const { session, agent, directory } = turn;
  const known = get(state.drains, drainKey(state, session, providerOf(keyIn(state, directory, action.to))));
  if (known && now < known.until) return;
  say(work, turn, action.to, 'told');
  facts.push({ type: 'headroom.drains', session, agent, model: action.to, short: drain });
}

/** Remembers what was said of the plan of a model, for a day of its conversation. */
export function say({ state, now }: Work, { session, directory }: Turn, model: ModelId, said: Drained['said']): void {
  const all = entries(state.drains);
  const [leaving] = all.length < SAID_MAX ? [] : (all.find(([, { until }]) => now >= until) ?? all[0] ?? []);
  if (leaving !== undefined) state.drains = remove(state.drains, leaving);
  const key = drainKey(state, session, providerOf(keyIn(state, directory, model)));
  state.drains = set(state.drains, key, { said, until: now + SAID_MS });
}
