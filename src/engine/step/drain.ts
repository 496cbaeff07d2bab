import type { ModelId } from '../base/ids';
import { entries, remove, set } from '../base/table';
import type { Shortage } from '../base/window';
import type { Choice } from '../choose/choice';
import { drainKey, saidOf } from '../choose/drain';
import type { Drained, Turn } from '../state/state';
import type { Work } from '../state/work';

const SAID_MS = 86_400_000;
const SAID_MAX = 500;

export function noteDrain(work: Work, turn: Turn, { action, drain }: Choice): void {
  if (drain && 'to' in action) tellDrain(work, turn, action.to, drain);
}

/** Reports a plan once a day and conversation. */
export function tellDrain(work: Work, turn: Turn, model: ModelId, short: Shortage): void {
  const { state, now, facts } = work;
  if (saidOf(state, turn, model, now) !== null) return;
  say(work, turn, model, 'told');
  facts.push({ type: 'headroom.drains', session: turn.session, agent: turn.agent, model, short });
}

export function say({ state, now }: Work, turn: Turn, model: ModelId, consent: Drained['said']): void {
  const all = entries(state.drains);
  const [leaving] = all.length < SAID_MAX ? [] : (all.find(([, { until }]) => now >= until) ?? all[0] ?? []);
  if (leaving !== undefined) state.drains = remove(state.drains, leaving);
  state.drains = set(state.drains, drainKey(state, turn, model), { said: consent, until: now + SAID_MS });
}
