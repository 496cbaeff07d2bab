import { Area, CartesianGrid, ComposedChart, Line, ReferenceLine, XAxis, YAxis } from 'recharts';
import type { WindowForecast } from '../../../contract/headroom';
import type { LimitCourse } from '../../../contract/limit-course';
import { headroomPageTexts } from '../../../texts';
import { partPhrase } from '../../../wording/headroom-words';
import { CLOCK, dated } from '../../components/time/words';
import { ticksOf } from '../sessions/gantt';
import { AXIS_HEIGHT, CHART_HEIGHT, CHART_TOP, type Frame } from '../usage/frame';
import { PlotBox } from '../usage/PlotBox';
import type { ChartPlot } from '../usage/plot';

export const DASHES = { used: '', ahead: '7 3', even: '2 4' } as const;

const FRAME: Frame = { left: 48, right: 12 };
const TICKS_MOST = 7;
const DAY_MS = 86_400_000;
const AHEAD_POINTS = 24;

/** Null for a past window. */
export type Ahead = Readonly<{ used: number; forecast: WindowForecast; now: number }> | null;

type Props = Readonly<{ course: LimitCourse; ahead: Ahead; title: string; summary: string }>;

export function CourseChart({ course, ahead, title, summary }: Props) {
  const points = course.points.filter(({ used }) => used !== null);
  const texts = headroomPageTexts().course;
  const xOf = (at: number, width: number): number =>
    FRAME.left + ((at - course.beginsAt) * (width - FRAME.left - FRAME.right)) / (course.endsAt - course.beginsAt);
  const plot: ChartPlot = {
    count: points.length,
    wordsOf: (at) => ({
      title: momentIn(course, points[at]?.at ?? 0),
      rows: [[texts.used, partPhrase(points[at]?.used ?? 0)]],
    }),
    pick: (x, _, width) => {
      const distances = points.map(({ at }) => Math.abs(xOf(at, width) - x));
      return points.length === 0 ? null : distances.indexOf(Math.min(...distances));
    },
    placeOf: (at, width) => ({ x: xOf(points[at]?.at ?? course.beginsAt, width), y: CHART_TOP }),
    draw: (width, active) => <Drawing course={course} ahead={ahead} width={width} active={points[active ?? -1]?.at} />,
  };
  return <PlotBox plot={plot} title={title} summary={summary} />;
}

const isLong = ({ beginsAt, endsAt }: LimitCourse): boolean => endsAt - beginsAt > DAY_MS;

/** "15:34", "Mon 15:34", local. */
export const momentIn = (course: LimitCourse, at: number): string =>
  dated(at, undefined, isLong(course) ? { weekday: 'short', ...CLOCK } : CLOCK);

/** Values are parts of the window. */
type Row = Readonly<{ at: number; used?: number | null; even?: number; ahead?: number; band?: readonly number[] }>;

function rowsOf({ beginsAt, endsAt, points }: LimitCourse, ahead: Ahead): readonly Row[] {
  const past: readonly Row[] = [{ at: beginsAt, even: 0 }, ...points, { at: endsAt, even: 1 }];
  if (ahead === null || ahead.now >= endsAt) return past;
  const { used, now, forecast } = ahead;
  const later = Array.from({ length: AHEAD_POINTS + 1 }, (_, nth): Row => {
    const at = now + ((endsAt - now) * nth) / AHEAD_POINTS;
    const by = (perHour: number): number => Math.min(1, used + (Math.max(0, perHour) * (at - now)) / 3_600_000);
    const { perHour, spread } = forecast;
    return { at, ahead: by(perHour), band: [by(perHour - spread), by(perHour + spread)] };
  });
  return [...past, ...later].toSorted((a, b) => a.at - b.at);
}

type DrawingProps = Readonly<{ course: LimitCourse; ahead: Ahead; width: number; active: number | undefined }>;

function Drawing({ course, ahead, width, active }: DrawingProps) {
  const { beginsAt, endsAt } = course;
  const rows = rowsOf(course, ahead);
  const most = Math.max(1, ...course.points.map(({ used }) => used ?? 0));
  const tickOf = (at: number): string =>
    isLong(course) ? dated(at, undefined, { weekday: 'short', day: 'numeric' }) : dated(at, undefined, CLOCK);
  return (
    <ComposedChart
      width={width}
      height={CHART_HEIGHT}
      data={[...rows]}
      margin={{ top: CHART_TOP, right: FRAME.right, bottom: 0, left: 0 }}
      accessibilityLayer={false}
    >
      <CartesianGrid vertical={false} stroke="var(--grid)" strokeDasharray="3 3" />
      <XAxis
        dataKey="at"
        type="number"
        domain={[beginsAt, endsAt]}
        ticks={[...ticksOf({ since: beginsAt, until: endsAt }, TICKS_MOST)]}
        tickFormatter={tickOf}
        height={AXIS_HEIGHT}
        tickLine={false}
        axisLine={{ stroke: 'var(--line-control)' }}
      />
      <YAxis
        width={FRAME.left}
        domain={[0, most]}
        ticks={[0, 0.25, 0.5, 0.75, 1]}
        tickFormatter={partPhrase}
        tickLine={false}
        axisLine={false}
      />
      <Area
        dataKey="band"
        fill="var(--series-1)"
        fillOpacity={0.35}
        stroke="none"
        isAnimationActive={false}
        connectNulls
      />
      <Line
        dataKey="even"
        stroke="var(--ink-3)"
        strokeDasharray={DASHES.even}
        dot={false}
        isAnimationActive={false}
        connectNulls
      />
      <Line
        dataKey="ahead"
        stroke="var(--ink-2)"
        strokeDasharray={DASHES.ahead}
        strokeWidth={2}
        dot={false}
        isAnimationActive={false}
        connectNulls
      />
      <Line dataKey="used" stroke="var(--ink)" strokeWidth={2} dot={false} isAnimationActive={false} connectNulls />
      {ahead && <ReferenceLine x={ahead.now} stroke="var(--ink-3)" />}
      {active !== undefined && <ReferenceLine x={active} stroke="var(--ink-3)" strokeDasharray="2 3" />}
    </ComposedChart>
  );
}
