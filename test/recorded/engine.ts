import type { EngineState } from '../../src/engine';
import { type LogEntry, replay, restoreState, saveState, viewOf } from '../../src/engine/tools';
import { CHAIN, configured, LIMITED, prompted, START, started } from '../core/virtual-core';

/** A log and a stored state of the engine alone, as hosts other than the app store them. */
export type EngineRecording = Readonly<{ log: readonly LogEntry[]; saved: unknown }>;

const endOf = (log: readonly LogEntry[]): number => (log.at(-1)?.at ?? 0) + 1_000;

/** Makes a log with the events of leases, which no part of the product sends any more, and its stored state. */
export function engineRecording(): EngineRecording {
  const events = [
    configured(),
    { type: 'host.identified', epoch: 'e1', needsLease: true },
    { type: 'lease.granted', model: CHAIN[0], forMs: 60_000 },
    prompted(),
    started(),
    { type: 'attempt.failed', attempt: 'a1', evidence: LIMITED, durationMs: 40 },
  ];
  const log = events.map((event, index) => ({ at: START + index * 1_000, event })) as readonly LogEntry[];
  return { log, saved: saveState(replay(log), endOf(log)) };
}

/** The states of models and agents after the log, and after the stored state was restored. */
export function engineAnswers({ log, saved }: EngineRecording): unknown {
  const now = endOf(log);
  const shown = (state: EngineState) => {
    const { models, speakers } = viewOf(state, now);
    return { models: models.map(({ model, standing }) => ({ model, standing })), speakers };
  };
  const { state, damage } = restoreState(saved, now);
  const decisions: unknown[] = [];
  const replayed = replay(log, undefined, (step) => decisions.push(...step.decisions.map(({ action }) => action)));
  return { damage, restored: shown(state), replayed: shown(replayed), decisions };
}
