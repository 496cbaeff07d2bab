import type { ReactNode } from 'react';
import { Bar, CartesianGrid, ComposedChart, Line, ReferenceLine, Symbols, XAxis, YAxis } from 'recharts';
import { AXIS_HEIGHT, CHART_HEIGHT, CHART_TOP, type Frame } from './frame';
import { Patterns } from './Patterns';
import { styleOf, toneOf } from './series';

/** One series of a drawing: `values` by point, null where there is nothing. */
export type DrawnSeries = Readonly<{
  name: string;
  /** Its style. */
  place: number;
  values: readonly (number | null)[];
  /** A line on the scale at the right, from 0 to 1. */
  isShare?: boolean;
}>;

/** What every drawing has. */
export type Drawing = Readonly<{
  width: number;
  frame: Frame;
  active: number | null;
  /** Begins the names of its patterns. */
  patterns: string;
  series: readonly DrawnSeries[];
  /** What stands under a point. */
  tickOf: (at: number) => string;
  sayOf: (value: number) => string;
  shareOf?: (share: number) => string;
}>;

/** Bars on top of each other, and shares as lines over them. */
export function StackedBars(drawing: Drawing) {
  const { series, patterns } = drawing;
  return (
    <Axes {...drawing}>
      {series.map(({ name, place, isShare }, at) =>
        isShare ? (
          lineOf({ at, name, place, yAxisId: 'share' })
        ) : (
          <Bar
            key={name}
            dataKey={`s${at}`}
            name={name}
            yAxisId="value"
            stackId="all"
            fill={`url(#${patterns}-${styleOf(place).tone})`}
            stroke={toneOf(place)}
            strokeWidth={0.75}
            maxBarSize={BAR_MAX}
            isAnimationActive={false}
          />
        ),
      )}
    </Axes>
  );
}
const BAR_MAX = 28;

/** Lines with a mark at each point; a gap where nothing is known. */
export function Lines(drawing: Drawing) {
  return (
    <Axes {...drawing}>
      {drawing.series.map(({ name, place }, at) => lineOf({ at, name, place, yAxisId: 'value' }))}
    </Axes>
  );
}

type LineOf = Readonly<{ at: number; name: string; place: number; yAxisId: string }>;

function lineOf({ at, name, place, yAxisId }: LineOf): ReactNode {
  const { dash, mark } = styleOf(place);
  return (
    <Line
      key={name}
      dataKey={`s${at}`}
      name={name}
      yAxisId={yAxisId}
      type="linear"
      stroke={toneOf(place)}
      strokeWidth={2}
      strokeDasharray={dash}
      isAnimationActive={false}
      activeDot={false}
      dot={({ cx, cy, value, index }) =>
        typeof cx === 'number' && typeof cy === 'number' && typeof value === 'number' ? (
          <Symbols key={index} cx={cx} cy={cy} type={mark} size={MARK_AREA} fill={toneOf(place)} stroke="none" />
        ) : (
          <g key={index} />
        )
      }
    />
  );
}
const MARK_AREA = 28;

function Axes(props: Drawing & Readonly<{ children: ReactNode }>) {
  const { width, frame, active, patterns, series, tickOf, sayOf, shareOf, children } = props;
  const count = series[0]?.values.length ?? 0;
  const data = Array.from({ length: count }, (_, point) => ({
    point,
    ...Object.fromEntries(series.map(({ values }, at) => [`s${at}`, values[point] ?? null])),
  }));
  return (
    <ComposedChart
      width={width}
      height={CHART_HEIGHT}
      data={data}
      margin={{ top: CHART_TOP, right: 0, bottom: 0, left: 0 }}
      barCategoryGap="20%"
      accessibilityLayer={false}
    >
      <Patterns id={patterns} />
      <CartesianGrid vertical={false} stroke="var(--grid)" strokeDasharray="3 3" yAxisId="value" />
      <XAxis
        dataKey="point"
        height={AXIS_HEIGHT}
        scale="band"
        tickFormatter={tickOf}
        tickLine={false}
        axisLine={{ stroke: 'var(--line-control)' }}
        interval="equidistantPreserveStart"
        minTickGap={14}
      />
      <YAxis yAxisId="value" width={frame.left} tickFormatter={sayOf} tickLine={false} axisLine={false} tickCount={5} />
      <YAxis
        yAxisId="share"
        orientation="right"
        width={frame.right}
        domain={[0, 1]}
        tickFormatter={shareOf ?? (() => '')}
        tick={shareOf !== undefined}
        tickLine={false}
        axisLine={false}
        tickCount={3}
      />
      {active !== null && <ReferenceLine yAxisId="value" x={active} stroke="var(--ink-3)" strokeDasharray="2 3" />}
      {children}
    </ComposedChart>
  );
}
