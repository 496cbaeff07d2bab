import type { ScorecardRange, UsageAnswer, UsageQuestion } from '../../contract';
import type { CellRow } from '../../engine/scorecard';
import type { SplitSum, SplitSumsQuery } from '../base/store-rows';
import { buildUsage } from './build';
import { createCalendar } from './calendar';
import { type Hours, hoursOf, momentOf } from './range';

/** Where usage is found. */
export type UsageSources = Readonly<{
  /** Unix ms. */
  wall(): number;
  /** Figures by hour and model since then at least, or of one session with its sub-agents. */
  figures(range: ScorecardRange): readonly CellRow[];
  /** The oldest hour that anything is kept of besides these; null without any. */
  oldestHour(): number | null;
  /** The store's sums; null where there is no store. */
  sums(query: Omit<SplitSumsQuery, 'sessions'> & Readonly<{ session?: string }>): readonly SplitSum[] | null;
}>;

/** What was used in a range, split as asked. */
export function usageOf(question: UsageQuestion, sources: UsageSources): UsageAnswer {
  const { range, splitBy, timeZone } = question;
  const calendar = createCalendar(timeZone);
  const named = hoursOf(range, calendar, sources.wall());
  const session = range.kind === 'session' ? { session: range.session } : {};
  const rows = sources.figures({ ...session, ...(named ? { sinceMs: momentOf(named.since) } : {}) });
  const known = range.kind === 'session' ? spanOf(rows) : spanSince(spanOf(rows), sources.oldestHour());
  const hours = known && (named ?? known);
  const { since: sinceHour, until: untilHour } = hours ?? { since: 0, until: 0 };
  const sums = sources.sums({ splitBy, sinceHour, untilHour, ...session });
  return buildUsage(question, { rows, sums, hours, known, calendar });
}

function spanSince(span: Hours | null, oldest: number | null): Hours | null {
  if (oldest === null) return span;
  return span ? { ...span, since: Math.min(span.since, oldest) } : { since: oldest, until: oldest + 1 };
}

function spanOf(rows: readonly CellRow[]): Hours | null {
  let since = Number.POSITIVE_INFINITY;
  let until = Number.NEGATIVE_INFINITY;
  for (const { hour } of rows) {
    since = Math.min(since, hour);
    until = Math.max(until, hour + 1);
  }
  return rows.length === 0 ? null : { since, until };
}
