import { type PersonAct, STAY_MS } from '../../contract/acts';
import type { ModelRow } from '../../contract/snapshot';
import { modelTexts, nowTexts } from '../../texts';
import { shortName } from '../../wording/wording';
import type { ActReport } from './acts';

type TimedAct = readonly [act: PersonAct, said: ActReport];

const MINUTE_MS = 60_000;

/** Null: until the user ends it. */
export const HOLD_TIMES = [
  { time: 'halfHour', forMs: 30 * MINUTE_MS },
  { time: 'twoHours', forMs: 120 * MINUTE_MS },
  { time: 'day', forMs: 24 * 60 * MINUTE_MS },
  { time: 'open', forMs: null },
] as const;

/** Null: until the user resumes. */
export const PAUSE_TIMES = [
  { time: 'quarter', forMs: 15 * MINUTE_MS },
  { time: 'hour', forMs: 60 * MINUTE_MS },
  { time: 'open', forMs: null },
] as const;

type Hold = Readonly<{
  state: 'open' | 'closed';
  forMs: number | null;
  /** In words. */
  length: string;
}>;

export function holdAct({ model, name }: ModelRow, { state, forMs, length }: Hold): TimedAct {
  const { heldOut, heldIn } = modelTexts().hold;
  const undo = { type: 'health.held', model, state: null, forMs: null } as const;
  const phrase = state === 'open' ? heldOut : heldIn;
  const text = phrase(name, forMs === null ? '' : length);
  return [
    { type: 'health.held', model, state, forMs },
    { text, undo },
  ];
}

export function pauseAct(forMs: number | null): TimedAct {
  return [
    { type: 'switching.paused', forMs },
    { text: nowTexts().pause.paused, undo: { type: 'switching.resumed' } },
  ];
}

export function pinAct({ directory, agent }: Readonly<{ directory: string; agent: string }>, model: string): TimedAct {
  const pin = { type: 'agent.pinned', directory, agent } as const;
  const undo = { ...pin, model: null, forMs: null };
  const text = nowTexts().agent.held(agent, shortName(model));
  return [
    { ...pin, model, forMs: STAY_MS },
    { text, undo },
  ];
}
