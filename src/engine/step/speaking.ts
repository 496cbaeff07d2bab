import type { Failure } from '../base/decision';
import { get, set } from '../base/table';
import type { Choice } from '../choose/choice';
import { kindOfShort } from '../choose/headroom';
import { standingIn } from '../state/read';
import { type Speaker, speakerKey, type Turn } from '../state/state';
import type { Wait } from '../state/wait';
import type { Work } from '../state/work';

/** `waits` null ends the wait. */
export function speak(
  { state, now }: Work,
  turn: Turn,
  { action, short }: Choice,
  { failure, waits: next }: Readonly<{ failure: Failure | null; waits?: Wait | null }>,
): void {
  const key = speakerKey(turn.session, turn.agent);
  const old = get(state.speakers, key);
  const isMove = action.kind === 'switch' || (action.kind === 'hold' && action.to !== old?.active);
  if (!old) return;
  const waits = next === undefined ? old.waits : (next ?? undefined);
  if (!isMove) {
    if (action.kind === 'exhausted') state.speakers = set(state.speakers, key, { ...old, status: 'exhausted', waits });
    else if (waits !== old.waits) state.speakers = set(state.speakers, key, { ...old, waits });
    return;
  }
  const from = action.kind === 'switch' ? action.from : old.active;
  const kind = failure?.kind ?? standingIn(state, turn.directory, from, now).kind;
  const failed = kind === null ? old.why : { kind, status: failure?.status ?? null, from };
  const why = short ? { kind: kindOfShort(short), status: null, from, short } : failed;
  const { session, agent, directory, lead, turns, switches, degraded } = old;
  const speaker: Speaker = {
    session,
    agent,
    directory,
    lead,
    active: action.to,
    since: now,
    why: action.to === turn.lead ? null : why,
    status: 'working',
    turns,
    switches: switches + 1,
    degraded,
    waits,
  };
  state.speakers = set(state.speakers, key, speaker);
}
