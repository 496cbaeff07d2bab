import type { QueryOutput } from '../../contract/contract';
import type { ScorecardRange } from '../../contract/scorecard';
import type { UsageAnswer, UsageQuestion } from '../../contract/usage';
import type { CellRow } from '../../engine/scorecard';
import type { SplitSum, SplitSumsQuery } from '../base/store-rows';
import { buildUsage } from './build';
import { createCalendar } from './calendar';
import { modelUses } from './model-uses';
import { type Hours, hoursBefore, hoursOf, momentOf } from './range';
import type { Slots } from './slots';

type Whose = Readonly<{ session?: string; project?: string }>;

export type UsageSources = Readonly<{
  /** Unix ms. */
  wall(): number;
  figures(range: ScorecardRange & Whose): readonly CellRow[];
  /** Whole days may be in their first hour. */
  figuresByDay(range: ScorecardRange & Whose): readonly CellRow[];
  /** Null without stored data. */
  oldestHour(whose: Whose): number | null;
  sums(query: Omit<SplitSumsQuery, 'sessions'> & Readonly<{ session?: string }>): readonly SplitSum[] | null;
  /** Unix ms. */
  resets(
    range: Readonly<{ sinceMs: number; untilMs: number }>,
  ): Readonly<{ at: readonly number[]; sinceMs: number }> | null;
  slots: Slots;
  projects(): readonly string[];
}>;

type UsageScope = Pick<UsageQuestion, 'range' | 'timeZone' | 'project'>;

const whoseOf = ({ range, project }: UsageScope): Whose =>
  range.kind === 'session' ? { session: range.session } : project === undefined ? {} : { project };

export function usageOf(question: UsageQuestion, sources: UsageSources): UsageAnswer {
  const { range, splitBy, timeZone } = question;
  const whose = whoseOf(question);
  const calendar = createCalendar(timeZone);
  const named = hoursOf(range, calendar, sources.wall());
  const rows = sources.figures({ ...whose, ...(named ? momentsOf(named) : {}) });
  const storedSpan = range.kind === 'session' ? spanOf(rows) : spanSince(spanOf(rows), sources.oldestHour(whose));
  const hours = storedSpan && (named ?? storedSpan);
  const { since: sinceHour, until: untilHour } = hours ?? { since: 0, until: 0 };
  const sums = sources.sums({ splitBy, sinceHour, untilHour, ...whose });
  const earlier = hours && hoursBefore(range, calendar, hours);
  return buildUsage(question, {
    rows,
    sums,
    hours,
    known: storedSpan,
    calendar,
    before: earlier && storedSpan && storedSpan.since <= earlier.since ? before(earlier, whose, sources) : null,
    resets: hours && sources.resets(momentsOf(hours)),
    slots: sources.slots,
    projects: sources.projects(),
  });
}

function before(hours: Hours, whose: Whose, sources: UsageSources) {
  const { since: sinceHour, until: untilHour } = hours;
  const rows = sources.figuresByDay({ ...whose, ...momentsOf(hours) });
  return { hours, rows, sums: sources.sums({ splitBy: 'position', sinceHour, untilHour, isWhole: true, ...whose }) };
}

export function modelsOf(query: UsageScope, sources: UsageSources): QueryOutput<'usage.models'> {
  const named = hoursOf(query.range, createCalendar(query.timeZone), sources.wall());
  const rows = sources.figuresByDay({ ...whoseOf(query), ...(named ? momentsOf(named) : {}) });
  const hours = named ?? spanOf(rows);
  return {
    question: query,
    range: hours && momentsOf(hours),
    models: hours ? modelUses(rows, hours, sources.slots) : [],
  };
}

/** Unix ms; null for a range defined by its figures. */
export function boundsOf(
  { range, timeZone }: UsageScope,
  now: number,
): Readonly<{ sinceMs: number; untilMs: number }> | null {
  const hours = hoursOf(range, createCalendar(timeZone), now);
  return hours && momentsOf(hours);
}

const momentsOf = ({ since, until }: Hours) => ({ sinceMs: momentOf(since), untilMs: momentOf(until) });

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
