import type { QueryOutput } from '../../src/contract/contract';
import type { UsageQuestion } from '../../src/contract/usage';
import {
  EMPTY_STORE,
  type SplitSum,
  type SplitSumsQuery,
  type Store,
  type StoreRow,
} from '../../src/core/base/store-rows';
import { noSums } from '../../src/core/usage-report/figures';
import { providerOf } from '../../src/engine';
import { hourOf } from '../../src/engine/scorecard';
import { COMPANION, openTestCore, virtualClock } from '../core/virtual-core';
import { NOW, tellHistory } from './usage-story';

export function sampleUsage(days = 14) {
  const rows: StoreRow[] = [];
  const store: Store = {
    ...EMPTY_STORE,
    write: (batch) => void rows.push(...batch.rows),
    sums: (query) => countedSums(rows, query),
  };
  const { core } = openTestCore(virtualClock(), store);
  core.connected(COMPANION);
  let seq = 0;
  tellHistory((at, event) => core.told('i1', { seq: ++seq, ageMs: NOW - at, sentAt: NOW, event }), days);
  const { handlers } = core.host;
  return {
    get: async (question: UsageQuestion): Promise<QueryOutput<'usage.get'>> => handlers['usage.get'](question),
    export: handlers['usage.export'],
  };
}

type Started = Extract<StoreRow, { type: 'attempt.started' }>;
type Sums = { -readonly [Key in keyof SplitSum]: SplitSum[Key] };

export function countedSums(rows: readonly StoreRow[], { splitBy, sinceHour, untilHour, sessions }: SplitSumsQuery) {
  const sums = new Map<string, Sums>();
  const open = new Map<string, Started>();
  const add = (row: Started | Extract<StoreRow, { type: 'used' }>, change: Partial<Sums>): void => {
    const hour = hourOf(row.at);
    if (hour < sinceHour || hour >= untilHour || (sessions && !sessions.includes(row.session))) return;
    const names = { model: row.model, provider: providerOf(row.model), agent: row.agent, position: row.position ?? -1 };
    const name = String(names[splitBy]);
    const sum = sums.get(`${hour} ${name}`) ?? { ...noSums(), hour, name };
    for (const [key, value] of Object.entries(change) as [keyof ReturnType<typeof noSums>, number][]) sum[key] += value;
    sums.set(`${hour} ${name}`, sum);
  };
  for (const row of rows) {
    if (row.type === 'attempt.started') {
      open.set(row.attempt, row);
      add(row, { attempts: 1, past: Number((row.position ?? -1) > 0), placed: Number((row.position ?? -1) >= 0) });
    }
    const start = row.type === 'attempt.ended' ? open.get(row.attempt) : undefined;
    if (row.type === 'attempt.ended' && start) {
      open.delete(row.attempt);
      const isAnswered = row.outcome === 'success' || row.outcome === 'slow';
      add(start, { answered: Number(isAnswered), failed: Number(['failure', 'limited'].includes(row.outcome)) });
    }
    if (row.type === 'used') {
      const { input, output, reasoning, cacheRead, cacheWrite, costNanos } = row;
      const price = { reports: 1, priced: Number(costNanos !== null), costNanos: costNanos ?? 0 };
      add(row, { input, output, reasoning, cacheRead, cacheWrite, ...price });
    }
  }
  return [...sums.values()];
}
