import type { Note } from './decision';
import type { PersonEvent } from './events';
import type { ModelId } from './ids';
import { actOn, type ManualAct } from './manual';
import { ignored, type Outcome } from './outcome';
import { pinned } from './pins';
import { type EngineState, revisionOf } from './state';

type ByHand = Extract<PersonEvent, { type: 'health.isolated' | 'health.released' | 'health.held' }>;

/** Whether a person acts on something that has changed since they looked. */
export function isStale(state: EngineState, act: Readonly<{ model: ModelId; rev?: number }>): boolean {
  return act.rev !== undefined && act.rev !== revisionOf(state, act.model);
}

/** What people decide about models and agents. */
export function onPerson(state: EngineState, event: OfPeople, now: number): Outcome {
  switch (event.type) {
    case 'agent.pinned':
      return onPinned(state, event, now);
    case 'switching.paused':
    case 'switching.resumed':
      return onPause(state, event, now);
    default:
      return onManual(state, event, now);
  }
}

type OfPeople = Exclude<PersonEvent, { type: 'question.answered' | 'speaker.retried' }>;

const tell = (state: EngineState, note: Note): Outcome => ({ state, decisions: [], facts: [], notes: [note] });

/** A person isolates, releases or holds a model. */
function onManual(state: EngineState, event: ByHand, now: number): Outcome {
  const { model, actor } = event;
  if (isStale(state, event)) return ignored(state, 'manual.stale', model);
  const manual = actOn(state.manual, model, { ...actOf(event), actor, now });
  if (manual === state.manual) return ignored(state, 'manual.idle', model);
  const forMs = event.type === 'health.held' && event.state !== null ? event.forMs : null;
  const what = event.type === 'health.held' ? (event.state ?? 'unheld') : event.type.slice('health.'.length);
  return tell({ ...state, manual }, { code: `manual.${what}`, model, actor, forMs });
}

function actOf(event: ByHand): ManualAct {
  switch (event.type) {
    case 'health.isolated':
      return { act: 'isolate' };
    case 'health.released':
      return { act: 'release' };
    case 'health.held':
      return event.state === null ? { act: 'unhold' } : { act: 'hold', state: event.state, forMs: event.forMs };
  }
}

/** A person pins an agent to a model, or lets it go. */
function onPinned(state: EngineState, event: Extract<PersonEvent, { type: 'agent.pinned' }>, now: number): Outcome {
  const { agent, model, forMs, actor } = event;
  const code = model === null ? 'pin.ended' : 'pin.set';
  const note: Note = { code, agent, actor, forMs, ...(model === null ? {} : { model }) };
  return tell({ ...state, pins: pinned(state.pins, event, now) }, note);
}

/** A person stops all switching for a while, or lets it go on. */
function onPause(
  state: EngineState,
  event: Extract<PersonEvent, { type: 'switching.paused' | 'switching.resumed' }>,
  now: number,
): Outcome {
  const { actor } = event;
  if (event.type === 'switching.resumed')
    return state.pause
      ? tell({ ...state, pause: null }, { code: 'switching.resumed', actor })
      : ignored(state, 'switching.idle', actor);
  const until = event.forMs === null ? null : now + event.forMs;
  const pause = { until, by: actor, since: now };
  return tell({ ...state, pause }, { code: 'switching.paused', actor, forMs: event.forMs });
}
