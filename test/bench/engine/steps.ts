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
  const turns = Array.from({ length: TURNS_UNDER_WAY }, (_, turn) => turn);
  const starts = turns.map((turn) => ({ state: base, event: started(turn, `attempt-${turn}`) }));
  const sent = starts.map(({ state, event }) => step(state, event, NOW, 0.5).state);
  const ended = (end: (attempt: string) => EngineEvent): readonly Case[] =>
    sent.map((state, turn) => ({ state, event: end(`attempt-${turn}`) }));
  return [
    stepRow('whole step: a request starts', starts),
    stepRow('whole step: an answer', ended(succeeded)),
    stepRow(
      'whole step: a failure and what to do about it',
      ended((attempt) => failed(attempt, LIMITED)),
    ),
    replayRow(),
  ];
}

const NOW = 10_000;
type Case = Readonly<{ state: EngineState; event: EngineEvent }>;

/** One event of each turn, always from the same state: every sample measures the same work. */
function stepRow(name: string, cases: readonly Case[]): Measured {
  const walk = (): void => {
    for (const { state, event } of cases) step(state, event, NOW, 0.5);
  };
  const note = `${MODELS} known models, chains of ${CHAIN_LENGTH}`;
  return rowOf(name, 'µs', inMicroseconds(sampled(walk, cases.length)), { target: 7, note });
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
