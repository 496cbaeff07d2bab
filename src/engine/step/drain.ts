import type { ModelId } from '../base/ids';
import { entries, remove, set } from '../base/table';
import type { Shortage } from '../base/window';
import type { Choice } from '../choose/choice';
import { drainKey, saidOf } from '../choose/drain';
import type { Drained, Turn } from '../state/state';
import type { Work } from '../state/work';

/** How long what was said of a plan holds in its conversation, in ms. */
const SAID_MS = 86_400_000;
/** Answers that are remembered. */
const SAID_MAX = 500;

/** Tells that a choice goes to a plan which its turn's work would use up. */
export function noteDrain(work: Work, turn: Turn, { action, drain }: Choice): void {
  if (drain && 'to' in action) tellDrain(work, turn, action.to, drain);
}

/** Tells, once a day and conversation, that a turn goes to a model whose plan its work would use up. */
export function tellDrain(work: Work, turn: Turn, model: ModelId, short: Shortage): void {
  const { state, now, facts } = work;
  if (saidOf(state, turn, model, now) !== null) return;
  say(work, turn, model, 'told');
  facts.push({ type: 'headroom.drains', session: turn.session, agent: turn.agent, model, short });
}

/** Remembers what was said of the plan of a model, for a day of its conversation. */
export function say({ state, now }: Work, turn: Turn, model: ModelId, said: Drained['said']): void {
  const all = entries(state.drains);
  const [leaving] = all.length < SAID_MAX ? [] : (all.find(([, { until }]) => now >= until) ?? all[0] ?? []);
  if (leaving !== undefined) state.drains = remove(state.drains, leaving);
  state.drains = set(state.drains, drainKey(state, turn, model), { said, until: now + SAID_MS });
}
