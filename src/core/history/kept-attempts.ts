import { remember } from '../../engine/tools';
import type { AttemptExport } from '../base/store-rows';
import { type AttemptsQuery, EMPTY_STORE, type RefusedTurn, type Store, type StoreRow } from '../base/store-rows';

const ATTEMPTS_KEPT = 5_000;

export function createKeptAttempts(): Store {
  const attempts = new Map<string, AttemptExport>();
  const refused = new Map<string, RefusedTurn>();
  const change = (name: string, end: Partial<AttemptExport>): void => {
    const existing = attempts.get(name);
    if (existing?.outcome === 'inFlight') attempts.set(name, { ...existing, ...end });
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
    if (row.type === 'turn.refused') remember(refused, row.turn, row);
    if (row.type === 'session.rested')
      for (const [name, { session }] of attempts) if (session === row.session) change(name, { outcome: 'neutral' });
  };
  return {
    ...EMPTY_STORE,
    write: ({ rows }) => rows.forEach(take),
    attempts: (query) => selectMatching(attempts, query),
    refused: (query) => selectMatching(refused, query),
  };
}

const selectMatching = <Kept extends Pick<AttemptExport, 'at' | 'session'>>(
  rows: ReadonlyMap<string, Kept>,
  { sinceMs, untilMs, sessions }: AttemptsQuery,
): readonly Kept[] =>
  [...rows.values()].filter(
    ({ at, session }) => at >= sinceMs && at < untilMs && (sessions?.includes(session) ?? true),
  );
