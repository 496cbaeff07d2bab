import { type Health, shiftHealth } from './health';
import { shiftManual } from './manual';
import { shiftPin } from './pins';
import type { EngineState } from './state';
import type { Table } from './table';

/** Moves every time in the state by `deltaMs`: to store it, to take it in again, or after the machine slept. */
export function shiftState(state: EngineState, deltaMs: number): EngineState {
  const by = (at: number): number => at + deltaMs;
  const orNever = (at: number | null): number | null => (at === null ? null : by(at));
  const health = (value: Health): Health => shiftHealth(value, deltaMs);
  const { offline, pause, resumedAt } = state;
  return {
    ...state,
    models: mapped(state.models, health),
    providers: mapped(state.providers, health),
    attempts: mapped(state.attempts, (attempt) =>
      attempt.at === undefined ? attempt : { ...attempt, at: by(attempt.at) },
    ),
    turns: mapped(state.turns, (turn) =>
      turn.offlineSince === undefined ? turn : { ...turn, offlineSince: by(turn.offlineSince) },
    ),
    speakers: mapped(state.speakers, (speaker) => ({
      ...speaker,
      since: by(speaker.since),
      ...(speaker.degraded ? { degraded: { ...speaker.degraded, since: by(speaker.degraded.since) } } : {}),
    })),
    sessions: mapped(state.sessions, (session) => ({ ...session, at: by(session.at) })),
    troubled: state.troubled.map(({ model, at }) => ({ model, at: by(at) })),
    manual: mapped(state.manual, (manual) => shiftManual(manual, deltaMs)),
    flaps: mapped(state.flaps, (changes) => changes.map(by)),
    pins: mapped(state.pins, (pin) => shiftPin(pin, deltaMs)),
    pause: pause && shiftPin(pause, deltaMs),
    traffic: state.traffic.map((entry) => ({ ...entry, minute: entry.minute + Math.round(deltaMs / 60_000) })),
    unreached: mapped(state.unreached, by),
    offline: offline && { since: by(offline.since), at: by(offline.at) },
    questions: state.questions.map((question) => ({ ...question, putAt: orNever(question.putAt) })),
    resumedAt: orNever(resumedAt),
    leases: mapped(state.leases, by),
  };
}

const mapped = <V>(table: Table<V>, change: (value: V) => V): Table<V> =>
  table.map((bucket) => bucket.map(([key, value]) => [key, change(value)] as const));
