import type { UsageAnswer, UsagePoint, UsageQuestion } from '../../contract/usage';
import { providerOf } from '../../engine';
import { type CellRow, createFiguresSum, type Figures, type FiguresSum, figure, hourOf } from '../../engine/scorecard';
import type { SplitSum } from '../base/store-rows';
import { plain } from '../scorecard/document';
import type { Calendar } from './calendar';
import { addSums, figuresOfCells, noSums, type Sums } from './figures';
import { attemptsOfPart, costOfPart, createGroups, figuresOfGroup, type Groups } from './groups';
import { byCalls, createStandIns, modelsIn, modelUse } from './model-uses';
import { createWeek, type Hours, momentOf, type Points, pointsOf } from './range';
import type { Slots } from './slots';

export type UsageParts = Readonly<{
  /** May exceed the range. */
  rows: readonly CellRow[];
  /** Null without a store. */
  sums: readonly SplitSum[] | null;
  hours: Hours | null;
  known: Hours | null;
  calendar: Calendar;
  /** Null if there is none, or if it is only partly stored. */
  before: Readonly<{ hours: Hours; rows: readonly CellRow[]; sums: readonly SplitSum[] | null }> | null;
  /** Unix ms; null if not stored. */
  resets: Readonly<{ at: readonly number[]; sinceMs: number }> | null;
  slots: Slots;
  projects: readonly string[];
}>;

const ROWS_MAX = 50;
/** As many as people can distinguish. */
const SERIES_MAX = 6;
const IMPORTED = '-2';
const NOTHING: Hours = { since: 0, until: 0 };

/** Takes totals and times from the scorecard's figures, agents and positions from the store's sums. */
export function buildUsage(question: UsageQuestion, parts: UsageParts): UsageAnswer {
  const { hours, known: storedSpan, calendar, sums } = parts;
  const range = hours ?? NOTHING;
  const points = pointsOf(range, calendar);
  const models = createGroups('model', points.begins.length);
  const groups = question.splitBy === 'model' ? models : createGroups(question.splitBy, points.begins.length);
  const coveredRange = { ...range, since: Math.max(range.since, storedSpan?.since ?? range.until) };
  const week = createWeek(coveredRange, calendar);
  const counted = addCells(parts.rows, { question, range, points, groups, models, week });
  const placed = sums && addPlaces(sums, points, groups);
  const totals = counted.totals.figures();
  const series = groups.series(SERIES_MAX);
  const costBy = question.splitBy === 'position' ? 'model' : question.splitBy;
  const costs = costBy === question.splitBy ? series : models.series(SERIES_MAX);
  return {
    question,
    range: hours && { sinceMs: momentOf(hours.since), untilMs: momentOf(hours.until) },
    step: points.step,
    keptSinceMs: storedSpan && momentOf(storedSpan.since),
    isSplitKept: sums !== null,
    totals: figuresOfCells(totals, placed?.totals ?? null),
    turns: turnsOf(totals),
    before: beforeOf(parts),
    rows: groups.ranked(ROWS_MAX).map((group) => ({ name: group.name, ...figuresOfGroup(group, sums !== null) })),
    series: series.map(({ name }) => ({ name })),
    costBy,
    costs: costs.map(({ name }) => ({ name })),
    models: usesOf(models, parts.slots(modelsIn(parts.rows))),
    standIns: counted.standIns.rows(),
    projects: [...parts.projects],
    points: points.begins.map((begin, place): UsagePoint => {
      const until = points.begins[place + 1] ?? range.until;
      const figures = until > coveredRange.since ? (counted.points[place]?.figures() ?? null) : null;
      const [at, end] = [calendar.beginOf(begin), calendar.beginOf(until)];
      return {
        at,
        until: end,
        figures: figures && figuresOfCells(figures, placed?.points[place] ?? null),
        parts: series.map((group) => attemptsOfPart(group, place)),
        costs: costs.map((group) => costOfPart(group, place)),
        switches: figures?.fallbacksOut ?? null,
        resets: figures && resetsIn(parts.resets, { since: Math.max(begin, coveredRange.since), until }),
      };
    }),
    hours: week.counts,
  };
}

const turnsOf = (figures: Figures): UsageAnswer['turns'] => {
  const { total, answered, saved, spared, firstTryRate } = plain(figures).turns;
  return { total, answered, saved, spared, firstTryRate };
};

function beforeOf({ before }: UsageParts): UsageAnswer['before'] {
  if (!before) return null;
  const { hours, rows, sums } = before;
  const all = createFiguresSum();
  for (const { hour, cell } of rows) if (hour >= hours.since && hour < hours.until) all.add(cell);
  const placed = sums && noSums();
  if (placed) for (const sum of sums) addSums(placed, sum);
  const totals = all.figures();
  return {
    sinceMs: momentOf(hours.since),
    untilMs: momentOf(hours.until),
    totals: figuresOfCells(totals, placed),
    turns: turnsOf(totals),
    isWatched: !sums?.some(({ name }) => name === IMPORTED),
  };
}

function usesOf(models: Groups, slotOf: ReturnType<Slots>): UsageAnswer['models'] {
  const all = models
    .ranked(Number.MAX_SAFE_INTEGER)
    .flatMap(({ name, cells }) => (name && cells ? [{ name, cells }] : []));
  return all.map(({ name, cells }) => modelUse(name, slotOf.get(name) ?? null, cells.figures())).sort(byCalls);
}

function resetsIn(resets: UsageParts['resets'], { since, until }: Hours): number | null {
  if (!resets || since < hourOf(resets.sinceMs)) return null;
  return resets.at.filter((at) => hourOf(at) >= since && hourOf(at) < until).length;
}

type Adding = Readonly<{
  question: UsageQuestion;
  range: Hours;
  points: Points;
  groups: Groups;
  models: Groups;
  week: ReturnType<typeof createWeek>;
}>;

function addCells(rows: readonly CellRow[], { question, range, points, groups, models, week }: Adding) {
  const ofPoints: readonly FiguresSum[] = points.begins.map(() => createFiguresSum());
  const beyond = createFiguresSum();
  const standIns = createStandIns();
  const attempts = new Float64Array(range.until - range.since);
  const isByProvider = question.splitBy === 'provider';
  for (const row of rows) {
    const { hour, model, cell } = row;
    if (hour < range.since || hour >= range.until) continue;
    const place = points.placeOf(hour);
    (ofPoints[place] ?? beyond).add(cell);
    models.addCell(model, place, cell);
    if (isByProvider) groups.addCell(providerOf(model), place, cell);
    standIns.add(row);
    attempts[hour - range.since] = (attempts[hour - range.since] ?? 0) + figure(cell, 'attempts');
  }
  for (const [at, count] of attempts.entries()) if (count > 0) week.add(range.since + at, count);
  const totals = createFiguresSum();
  for (const point of [beyond, ...ofPoints]) totals.add(point.cell());
  return { totals, points: ofPoints, standIns };
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
