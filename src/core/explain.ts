import { type EventRow, type QueryInput, type QueryOutput, rulePhrase } from '../contract';
import { type EngineState, planOf } from '../engine';
import { get } from '../engine/table';

/** The decision somebody asks about, with the rule that is in force for such a failure; null when it is not remembered. */
export function explain(
  asked: QueryInput<'decision.explain'>,
  rows: readonly EventRow[],
  state: EngineState,
): QueryOutput<'decision.explain'> {
  const event = rows.findLast((row) =>
    'event' in asked
      ? row.id === asked.event
      : row.trace.length > 0 && row.session === asked.session && row.agent === asked.agent,
  );
  return event ? { event, rule: ruleOf(event, state) } : null;
}

function ruleOf({ kind, session, agent }: EventRow, state: EngineState): string | null {
  const directory = session === null ? undefined : get(state.sessions, session)?.directory;
  if (kind === null || agent === null || directory === undefined) return null;
  const steps = planOf(state, directory, agent)?.policy[kind];
  return steps ? rulePhrase(kind, steps) : null;
}
