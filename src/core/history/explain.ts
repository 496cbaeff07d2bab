import type { QueryInput, QueryOutput } from '../../contract/contract';
import type { EventRow } from '../../contract/snapshot';
import { type EngineState, planOf } from '../../engine';
import { get } from '../../engine/tools';
import type { EventDesk } from './event-desk';

export function explain(
  query: QueryInput<'decision.explain'>,
  { recent, stored }: Pick<EventDesk, 'recent' | 'stored'>,
  state: EngineState,
): QueryOutput<'decision.explain'> {
  const remembered = recent().findLast((row) =>
    'event' in query
      ? row.id === query.event
      : row.trace.length > 0 && row.session === query.session && row.agent === query.agent,
  );
  const event = remembered ?? ('event' in query ? stored?.one(query.event) : null);
  if (!event) return null;
  const { session, agent, at } = event;
  return {
    event,
    rule: ruleOf(event, state),
    asked: session === null || agent === null ? [] : [...(stored?.askedAround({ session, agent, at }) ?? [])],
    isFromHistory: !remembered,
  };
}

type Explained = NonNullable<QueryOutput<'decision.explain'>>;

function ruleOf({ kind, session, agent }: EventRow, state: EngineState): Explained['rule'] {
  const directory = session === null ? undefined : get(state.sessions, session)?.directory;
  if (kind === null || agent === null || directory === undefined) return null;
  const steps = planOf(state, directory, agent)?.policy[kind];
  return steps ? { kind, steps: [...steps] } : null;
}
