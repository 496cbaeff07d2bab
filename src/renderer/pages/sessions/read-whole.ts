import type { QueryInput, QueryName, QueryOutput } from '../../../contract/contract';
import type { TimelineTurn } from '../../../contract/sessions';
import type { Whole } from './SessionReport';
import { decisionsIn, type Explained } from './TurnWhy';

type Ask = <Q extends QueryName>(name: Q, input: QueryInput<Q>) => Promise<QueryOutput<Q>>;

const AT_ONCE = 12;

/** Null for an unknown session. */
export async function readWhole(ask: Ask, session: string): Promise<Whole | null> {
  const turns: TimelineTurn[] = [];
  const first = await ask('sessions.timeline', { session });
  for (let response = first; ; ) {
    turns.push(...response.turns);
    if (response.next === null) break;
    response = await ask('sessions.timeline', { session, after: response.next, isAxisWanted: false });
  }
  const { entry, axis, troubled } = first;
  if (!entry) return null;
  const [document, agents] = await Promise.all([
    ask('scorecard.get', { session }),
    ask('scorecard.agents', { session }),
  ]);
  const events = [...new Set(turns.flatMap(decisionsIn))];
  return { entry, axis, troubled, turns, document, agents: agents ?? [], decisions: await readDecisions(ask, events) };
}

async function readDecisions(ask: Ask, events: readonly number[]): Promise<ReadonlyMap<number, Explained>> {
  const decisions = new Map<number, Explained>();
  for (let at = 0; at < events.length; at += AT_ONCE) {
    const requests = events.slice(at, at + AT_ONCE).map(async (event) => {
      // silent: the file is written without this explanation
      const explained = await ask('decision.explain', { event }).catch(() => null);
      if (explained) decisions.set(event, explained);
    });
    await Promise.all(requests);
  }
  return decisions;
}
