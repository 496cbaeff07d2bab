import type { ScopeConfig } from '../base/config';
import type { Decision } from '../base/decision';
import type { EngineEvent } from '../state/events';
import type { Fact } from '../state/facts';
import { type EngineState, initialState } from '../state/state';
import { step } from '../step/step';

/** One event as it was stepped: when, and with which chance. */
export type LogEntry = Readonly<{ at: number; random?: number; event: EngineEvent }>;

export type Replayed = Readonly<{
  state: EngineState;
  decisions: readonly Decision[];
  facts: readonly Fact[];
}>;

/** Steps a log again. The same log gives the same state and the same decisions, on every host. */
export function replay(log: readonly LogEntry[], from: EngineState = initialState): Replayed {
  let state = from;
  const decisions: Decision[] = [];
  const facts: Fact[] = [];
  for (const { at, random = 0.5, event } of log) {
    const result = step(state, event, at, random);
    state = result.state;
    decisions.push(...result.decisions);
    facts.push(...result.facts);
  }
  return { state, decisions, facts };
}

/** A log under another configuration, without what was decided under the old one. */
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
