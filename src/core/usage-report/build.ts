import type { UsageAnswer, UsagePoint, UsageQuestion } from '../../contract';
import { providerOf } from '../../engine';
import { type CellRow, createFiguresSum, type FiguresSum, figure } from '../../engine/scorecard';
import type { SplitSum } from '../base/store-rows';
import { plain } from '../scorecard/document';
import type { Calendar } from './calendar';
import { addSums, figuresOfCells, noSums, type Sums } from './figures';
import { createGroups, figuresOfGroup, type Groups, isInCells, partOf } from './groups';
import { createWeek, type Hours, momentOf, type Points, pointsOf } from './range';

/** What an answer is made of. */
export type UsageParts = Readonly<{
  /** Figures of the range and beyond. */
  rows: readonly CellRow[];
  /** The store's sums of the range; null without a store. */
  sums: readonly SplitSum[] | null;
  /** Null when nothing is kept. */
  hours: Hours | null;
  known: Hours | null;
  calendar: Calendar;
}>;

/** More rows would be a list to search, not a table to read. */
const ROWS_MAX = 50;
/** As many as people tell apart. */
const SERIES_MAX = 6;
const NOTHING: Hours = { since: 0, until: 0 };

/** Totals and times from the scorecard's figures; agents and positions from the store's sums. */
export function buildUsage(question: UsageQuestion, parts: UsageParts): UsageAnswer {
  const { hours, known, calendar, sums } = parts;
  const range = hours ?? NOTHING;
  const points = pointsOf(range, calendar);
  const groups = createGroups(question.splitBy, points.begins.length);
  const kept = { ...range, since: Math.max(range.since, known?.since ?? range.until) };
  const week = createWeek(kept, calendar);
  const counted = addCells(parts.rows, { question, range, points, groups, week });
  const placed = sums && addPlaces(sums, points, groups);
  const totals = counted.totals.figures();
  const { total, answered, saved, spared, firstTryRate } = plain(totals).turns;
  const series = groups.series(SERIES_MAX);
  return {
    question,
    range: hours && { sinceMs: momentOf(hours.since), untilMs: momentOf(hours.until) },
    step: points.step,
    keptSinceMs: known && momentOf(known.since),
    isSplitKept: sums !== null,
    totals: figuresOfCells(totals, placed?.totals ?? null),
    turns: { total, answered, saved, spared, firstTryRate },
    rows: groups.ranked(ROWS_MAX).map((group) => ({ name: group.name, ...figuresOfGroup(group, sums !== null) })),
    series: series.map(({ name }) => ({ name })),
    points: points.begins.map((begin, place): UsagePoint => {
      const until = points.begins[place + 1] ?? range.until;
      const figures = counted.points[place]?.figures();
      return {
        at: calendar.beginOf(begin),
        until: calendar.beginOf(until),
        figures: figures && until > kept.since ? figuresOfCells(figures, placed?.points[place] ?? null) : null,
        parts: series.map((group) => partOf(group, place)),
      };
    }),
    hours: week.counts,
  };
}

type Adding = Readonly<{
  question: UsageQuestion;
  range: Hours;
  points: Points;
  groups: Groups;
  week: ReturnType<typeof createWeek>;
}>;

function addCells(rows: readonly CellRow[], { question, range, points, groups, week }: Adding) {
  const ofPoints: readonly FiguresSum[] = points.begins.map(() => createFiguresSum());
  const beyond = createFiguresSum();
  const attempts = new Float64Array(range.until - range.since);
  const nameOf = question.splitBy === 'provider' ? providerOf : (model: string): string => model;
  const isSplit = isInCells(question.splitBy);
  for (const { hour, model, cell } of rows) {
    if (hour < range.since || hour >= range.until) continue;
    const place = points.placeOf(hour);
    (ofPoints[place] ?? beyond).add(cell);
    if (isSplit) groups.addCell(nameOf(model), place, cell);
    attempts[hour - range.since] = (attempts[hour - range.since] ?? 0) + figure(cell, 'attempts');
  }
  for (const [at, count] of attempts.entries()) if (count > 0) week.add(range.since + at, count);
  const totals = createFiguresSum();
  for (const point of [beyond, ...ofPoints]) totals.add(point.cell());
  return { totals, points: ofPoints };
}

function addPlaces(sums: readonly SplitSum[], points: Points, groups: Groups) {
  const totals = noSums();
  const ofPoints: readonly Sums[] = points.begins.map(noSums);
  for (const sum of sums) {
    const place = points.placeOf(sum.hour);
    groups.addSum(sum, place);
    addSums(totals, sum);
    const point = ofPoints[place];
    if (point) addSums(point, sum);
  }
  return { totals, points: ofPoints };
}
