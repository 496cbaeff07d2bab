import type { QueryInput, QueryOutput } from '../../contract/contract';
import type { AttemptsQuery, Store } from '../base/store-rows';
import type { Clock } from '../ports/ports';
import { createAgentTally } from '../scorecard/agents';
import { boundsOf } from '../usage-report';
import type { Books } from './books';

const DAY_MS = 86_400_000;
/** Processing so many attempts takes tens of ms; then other tasks run. */
const AT_ONCE = 20_000;

type Sources = Readonly<{ clock: Clock; store: Store; books: Pick<Books, 'familyOf'> }>;

/** Reads one day at a time, so that a long range does not block. */
export async function agentsOf(
  query: QueryInput<'usage.agents'>,
  { clock, store, books }: Sources,
): Promise<NonNullable<QueryOutput<'usage.agents'>>> {
  const { range, project } = query;
  const isSession = range.kind === 'session';
  const oldest = store.oldestHour(true);
  const storedSince = oldest === null ? clock.wall() : oldest * HOUR_MS;
  const named = boundsOf(query, clock.wall()) ?? { sinceMs: 0, untilMs: clock.wall() + HOUR_MS };
  const theirs: Omit<AttemptsQuery, 'sinceMs' | 'untilMs'> = isSession
    ? { sessions: books.familyOf(range.session) }
    : project === undefined
      ? {}
      : { project };
  const tally = createAgentTally();
  let gone = 0;
  for (let sinceMs = Math.max(named.sinceMs, storedSince); sinceMs < named.untilMs; sinceMs += DAY_MS) {
    const attempts = [...store.attempts({ ...theirs, sinceMs, untilMs: Math.min(named.untilMs, sinceMs + DAY_MS) })];
    tally.add(attempts);
    gone += attempts.length;
    if (gone < AT_ONCE) continue;
    gone = 0;
    await new Promise<void>((resolve) => clock.schedule(0, resolve));
  }
  const agents = tally.rows(store.refused({ ...theirs, ...named }));
  const sums = store.oldestHour();
  const isCut = !isSession && oldest !== null && sums !== null && sums < oldest && named.sinceMs < storedSince;
  return { question: query, agents, sinceMs: isCut ? storedSince : null };
}

const HOUR_MS = 3_600_000;
