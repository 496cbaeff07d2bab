import type { AttemptExport } from './scorecard/csv';
import type { Store, StoreRow } from './store-rows';

/** Attempts kept; the oldest leaves first. */
const ATTEMPTS_KEPT = 5_000;

/** A store that lives as long as its process, and knows single attempts alone. */
export function createKeptAttempts(): Store {
  const attempts = new Map<string, AttemptExport>();
  const change = (name: string, end: Partial<AttemptExport>): void => {
    const known = attempts.get(name);
    if (known?.outcome === 'inFlight') attempts.set(name, { ...known, ...end });
  };
  const take = (row: StoreRow): void => {
    if (row.type === 'attempt.started') {
      const { type: _, attempt, ...about } = row;
      const open = { outcome: 'inFlight', kind: null, status: null, durationMs: null, firstTokenMs: null } as const;
      attempts.set(attempt, { ...about, ...open });
      const [oldest] = attempts.keys();
      if (attempts.size > ATTEMPTS_KEPT && oldest !== undefined) attempts.delete(oldest);
    }
    if (row.type === 'attempt.ended') {
      const { type: _, attempt, message: _unsaid, ...end } = row;
      change(attempt, end);
    }
    if (row.type === 'session.rested')
      for (const [name, { session }] of attempts) if (session === row.session) change(name, { outcome: 'neutral' });
  };
  return {
    cursor: 0,
    card: null,
    write: ({ rows }) => rows.forEach(take),
    figures: () => [],
    transitions: () => [],
    attempts: ({ sinceMs, untilMs, sessions }) =>
      [...attempts.values()].filter(
        ({ at, session }) => at >= sinceMs && at < untilMs && (sessions?.includes(session) ?? true),
      ),
  };
}
