import { type EngineEvent, type EngineState, step } from '../../../src/engine';
import { replay } from '../../../src/engine/tools';
import { type Measured, rowOf } from '../bench-row';
import {
  CHAIN_LENGTH,
  failed,
  history,
  LIMITED,
  MODELS,
  seasoned,
  started,
  succeeded,
  TURNS_UNDER_WAY,
} from './history';
import { inMicroseconds, sampled } from './sample';

const EVENTS = 100_000;
const REPLAYS = 3;

/** The whole engine, event by event and over a long log. */
export function stepRows(): readonly Measured[] {
  const base = seasoned();
  const answered = turns((turn, attempt) => [started(turn, attempt), succeeded(attempt)]);
  const left = turns((turn, attempt) => [started(turn, attempt), failed(attempt, LIMITED)]);
  const note = `${MODELS} known models, chains of ${CHAIN_LENGTH}`;
  return [
    stepRow('whole step: started + succeeded, per event', { base, pairs: answered, note }),
    stepRow('whole step: started + failed, per event', { base, pairs: left, note }),
    replayRow(),
  ];
}

const turns = (
  events: (turn: number, attempt: string) => readonly EngineEvent[],
): readonly (readonly EngineEvent[])[] =>
  Array.from({ length: TURNS_UNDER_WAY }, (_, turn) => events(turn, `attempt-${turn}`));

type Walk = Readonly<{ base: EngineState; pairs: readonly (readonly EngineEvent[])[]; note: string }>;

/** Each turn's events from the same state: every sample measures the same work. */
function stepRow(name: string, { base, pairs, note }: Walk): Measured {
  const walk = (): void => {
    for (const events of pairs) {
      let state = base;
      for (const event of events) state = step(state, event, 10_000, 0.5).state;
    }
  };
  const units = pairs.reduce((sum, events) => sum + events.length, 0);
  return rowOf(name, 'µs', inMicroseconds(sampled(walk, units)), { target: 5, note });
}

function replayRow(): Measured {
  const log = history(EVENTS);
  const samples = Array.from({ length: REPLAYS }, () => {
    const startedAt = performance.now();
    replay(log);
    return performance.now() - startedAt;
  });
  return rowOf('replay of 100,000 events', 'ms', samples, { target: 500, note: `${MODELS} models, a fifth fails` });
}
