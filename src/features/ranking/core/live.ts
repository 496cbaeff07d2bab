import type { LiveQuery, LiveRow, Store } from '../../../core/base/store-rows';
import type { Clock } from '../../../core/ports/ports';
import { NANOS, rateOf } from '../../../engine/scorecard';
import type { LiveFigures } from '../rules/base/live';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Attempts between pauses for other work: some tens of ms. */
const AT_ONCE = 20_000;

/** Unix ms; null without attempts. */
export type LiveHistory = Readonly<{ rows: readonly LiveRow[]; keptSinceMs: number | null }>;

/** Reads day by day, so that a month does not block other work. */
export async function liveHistory(
  { sinceMs, untilMs, ...whose }: LiveQuery,
  { store, clock }: Readonly<{ store: Pick<Store, 'live' | 'oldestHour'>; clock: Pick<Clock, 'schedule'> }>,
): Promise<LiveHistory> {
  const oldest = store.oldestHour(true);
  if (oldest === null) return { rows: [], keptSinceMs: null };
  const keptSinceMs = oldest * HOUR_MS;
  const rows: LiveRow[] = [];
  let gone = 0;
  for (let from = Math.max(sinceMs, keptSinceMs); from < untilMs; from += DAY_MS) {
    const day = store.live({ ...whose, sinceMs: from, untilMs: Math.min(untilMs, from + DAY_MS) }) ?? [];
    rows.push(...day);
    gone += day.reduce((sum, { answered, failed }) => sum + answered + failed, 0);
    if (gone < AT_ONCE) continue;
    gone = 0;
    await new Promise<void>((resolve) => clock.schedule(0, resolve));
  }
  return { rows, keptSinceMs };
}

/** Adds up all rows per model; filter them by agent first. */
export function liveFigures(rows: Iterable<LiveRow>): ReadonlyMap<string, LiveFigures> {
  const models = new Map<string, LiveRow[]>();
  for (const row of rows) {
    const own = models.get(row.model);
    if (own) own.push(row);
    else models.set(row.model, [row]);
  }
  return new Map([...models].map(([model, own]) => [model, figuresOf(own)]));
}

function figuresOf(rows: readonly LiveRow[]): LiveFigures {
  const sum = (of: (row: LiveRow) => number): number => rows.reduce((all, row) => all + of(row), 0);
  const answered = sum((row) => row.answered);
  const n = answered + sum((row) => row.failed);
  const { value, lower, upper } = rateOf(answered, n);
  return {
    n,
    answered,
    share: value === null || lower === null || upper === null ? null : { value, lower, upper },
    firstTokenP50Ms: medianOf(rows.flatMap(({ firstTokens }) => firstTokens)),
    costPerAnswer: costOf(
      sum((row) => row.costNanos),
      sum((row) => row.priced),
      sum((row) => row.reports) / sum((row) => row.answeredTurns),
    ),
  };
}

function medianOf(counted: readonly (readonly [value: number, count: number])[]): number | null {
  const half = counted.reduce((sum, [, count]) => sum + count, 0) / 2;
  let seen = 0;
  for (const [value, count] of counted.toSorted(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= half && seen > 0) return value;
  }
  return null;
}

/** Reports without a price count with the average of the others. */
function costOf(nanos: number, priced: number, reportsPerTurn: number): number | null {
  if (priced === 0 || !Number.isFinite(reportsPerTurn)) return null;
  return (nanos / NANOS / priced) * reportsPerTurn;
}
