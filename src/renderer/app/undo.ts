import type { PersonAct } from '../../contract/acts';
import type { Snapshot } from '../../contract/snapshot';

/** Null if there is no previous state, or its time is over. */
export function undoOf(act: PersonAct, before: Snapshot): PersonAct | null {
  switch (act.type) {
    case 'health.isolated':
      return { type: 'health.released', model: act.model };
    case 'health.released':
      return { type: 'health.isolated', model: act.model };
    case 'health.held': {
      const hold = before.models.find(({ model }) => model === act.model)?.hold ?? null;
      return lasting(hold, before, (forMs) => ({ ...act, state: hold?.state ?? null, forMs }));
    }
    case 'agent.pinned': {
      const pin =
        before.pins.find(({ directory, agent }) => directory === act.directory && agent === act.agent) ?? null;
      return lasting(pin, before, (forMs) => ({ ...act, model: pin?.model ?? null, forMs }));
    }
    case 'switching.paused':
    case 'switching.resumed':
      return before.pause
        ? lasting(before.pause, before, (forMs) => ({ type: 'switching.paused', forMs }))
        : { type: 'switching.resumed' };
    case 'question.answered':
    case 'speaker.retried':
      return null;
  }
}

/** Restores the previous state for its remaining time. */
function lasting(
  last: Readonly<{ until: number | null }> | null,
  { at }: Snapshot,
  put: (forMs: number | null) => PersonAct,
): PersonAct | null {
  if (last === null || last.until === null) return put(null);
  return last.until > at ? put(last.until - at) : null;
}
