import { useCallback, useEffect, useRef, useState } from 'react';
import type { QueryInput, QueryOutput } from '../../../contract/contract';
import type { TimelineTurn } from '../../../contract/sessions';
import { reasonOf } from '../../app/asked';
import { usePanel } from '../../app/panel';

type TurnsQuery = Pick<QueryInput<'sessions.timeline'>, 'session' | 'isTroubleOnly' | 'within'>;

type Read = Readonly<{ about: string; turns: readonly TimelineTurn[]; found: number; next: number | null }>;

/** Oldest first. */
export type Turns = Readonly<{
  /** Null before the first page. */
  turns: readonly TimelineTurn[] | null;
  found: number;
  hasMore: boolean;
  problem: string | null;
  more: () => void;
  again: () => void;
}>;

/** Each change of `news` rereads the turns that may have changed. */
export function useTurns(turnsQuery: TurnsQuery, news: string): Turns {
  const { api } = usePanel();
  const about = JSON.stringify(turnsQuery);
  const [read, setRead] = useState<Read | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const now = useRef({ read, about });
  now.current = { read, about };
  const isReading = useRef(false);
  const page = useCallback(
    async (after: number | null): Promise<void> => {
      const response: QueryOutput<'sessions.timeline'> = await api.ask('sessions.timeline', {
        ...(JSON.parse(about) as TurnsQuery),
        after,
        isAxisWanted: false,
      });
      if (now.current.about !== about) return;
      setProblem(null);
      setRead((last) => {
        const settled =
          last?.about === about && after !== null ? last.turns.filter(({ number }) => number <= after) : [];
        return { about, turns: [...settled, ...response.turns], found: response.found, next: response.next };
      });
    },
    [api, about],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: news and rounds are reasons to ask again.
  useEffect(() => {
    const current = now.current.read;
    if (current?.about === about && current.next !== null) return;
    page(current?.about === about ? settledIn(current.turns) : null).catch((error: unknown) => {
      if (now.current.about === about) setProblem(reasonOf(error));
    });
  }, [page, news, round]);
  const more = useCallback(() => {
    const current = now.current.read;
    if (isReading.current || current?.next == null || current.about !== about) return;
    isReading.current = true;
    page(current.next)
      .catch((error: unknown) => setProblem(reasonOf(error)))
      .finally(() => {
        isReading.current = false;
      });
  }, [page, about]);
  const again = useCallback(() => setRound((count) => count + 1), []);
  const { turns = null, found = 0, next = null } = read ?? {};
  return { turns, found, hasMore: next !== null, problem, more, again };
}

/** Sub-agents may still add to these turns. */
const TAIL = 10;

/** Number of the last final turn. */
function settledIn(turns: readonly TimelineTurn[]): number | null {
  const open = turns.findIndex(({ outcome }) => outcome === 'open');
  const settled = Math.min(open < 0 ? turns.length : open, turns.length - TAIL);
  return settled > 0 ? (turns[settled - 1]?.number ?? null) : null;
}
