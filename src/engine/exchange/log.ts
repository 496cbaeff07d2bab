import type { ScopeConfig } from '../base/config';
import type { EngineEvent } from '../state/events';
import { type EngineState, initialState } from '../state/state';
import { type Step, step } from '../step/step';

export type LogEntry = Readonly<{ at: number; random?: number; event: EngineEvent }>;

/** The same log gives the same state, decisions and facts on every host. */
export function replay(
  log: readonly LogEntry[],
  from: EngineState = initialState,
  hear?: (step: Step) => void,
): EngineState {
  let state = from;
  for (const { at, random = 0.5, event } of log) {
    const result = step(state, event, at, random);
    state = result.state;
    hear?.(result);
  }
  return state;
}

/** Removes decisions made under the old configuration. */
export function reconfigured(
  log: readonly LogEntry[],
  config: (old: ScopeConfig, directory: string) => ScopeConfig,
): readonly LogEntry[] {
  return log.map((entry) => {
    const { event } = entry;
    if (event.type === 'scope.configured')
      return { ...entry, event: { ...event, config: config(event.config, event.directory) } };
    if (!('decided' in event)) return entry;
    const { decided, ...bare } = event;
    return { ...entry, event: bare as EngineEvent };
  });
}
