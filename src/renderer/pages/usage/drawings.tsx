import type { ReactNode } from 'react';
import { Bar, CartesianGrid, ComposedChart, Line, ReferenceLine, Symbols, XAxis, YAxis } from 'recharts';
import type { Look } from '../../app/looks';
import { fillOf, Patterns } from '../../components/Patterns';
import { AXIS_HEIGHT, CHART_TOP, type Frame } from './frame';
import { MARKS, type Mark } from './marks';

/** `values` by point; null without data. */
export type DrawnSeries = Readonly<{ name: string; look: Look; values: readonly (number | null)[] }>;

export type Drawing = Readonly<{
  width: number;
  height: number;
  frame: Frame;
  active: number | null;
  /** Prefix of pattern ids. */
  patterns: string;
  series: readonly DrawnSeries[];
  marks: readonly Mark[];
  /** Null `ticks` let the chart fit labels to the width. */
  tickOf: (at: number) => string;
  ticks: readonly number[] | null;
  sayOf: (value: number) => string;
  tickCount?: number;
}>;

export function StackedBars(drawing: Drawing) {
  const { series, patterns } = drawing;
  return (
    <Axes {...drawing}>
      {series.map(({ name, look }, at) => (
        <Bar
          key={name}
          dataKey={`s${at}`}
          name={name}
          stackId="all"
          fill={fillOf(patterns, look)}
          stroke={look.colour}
          strokeWidth={0.75}
          maxBarSize={BAR_MAX}
          isAnimationActive={false}
        />
      ))}
    </Axes>
  );
}
const BAR_MAX = 28;

/** Missing values leave a gap. */
export function Lines(drawing: Drawing) {
  return (
    <Axes {...drawing}>
      {drawing.series.map(({ name, look }, at) => (
        <Line
          key={name}
          dataKey={`s${at}`}
          name={name}
          type="linear"
          stroke={look.colour}
          strokeWidth={2}
          strokeDasharray={look.dash}
          isAnimationActive={false}
          activeDot={false}
          dot={({ cx, cy, value, index }) =>
            typeof cx === 'number' && typeof cy === 'number' && typeof value === 'number' ? (
              <Symbols key={index} cx={cx} cy={cy} type={look.mark} size={MARK_AREA} fill={look.colour} stroke="none" />
            ) : (
              <g key={index} />
            )
          }
        />
      ))}
    </Axes>
  );
}
const MARK_AREA = 28;

function Axes(props: Drawing & Readonly<{ children: ReactNode }>) {
  const {
    width,
    height,
    frame,
    active,
    patterns,
    series,
    marks,
    tickOf,
    ticks,
    sayOf,
    tickCount = 5,
    children,
  } = props;
  const count = series[0]?.values.length ?? 0;
  const data = Array.from({ length: count }, (_, point) => ({
    point,
    ...Object.fromEntries(series.map(({ values }, at) => [`s${at}`, values[point] ?? null])),
  }));
  return (
    <ComposedChart
      width={width}
      height={height}
      data={data}
      margin={{ top: CHART_TOP, right: frame.right, bottom: 0, left: 0 }}
      barCategoryGap="20%"
      accessibilityLayer={false}
    >
      <Patterns id={patterns} looks={series.map(({ look }) => look)} />
      <CartesianGrid vertical={false} stroke="var(--grid)" strokeDasharray="3 3" />
      <XAxis
        dataKey="point"
        height={AXIS_HEIGHT}
        scale="band"
        tickFormatter={tickOf}
        {...(ticks ? { ticks: [...ticks] } : {})}
        tickLine={false}
        axisLine={{ stroke: 'var(--line-control)' }}
        interval="equidistantPreserveStart"
        minTickGap={14}
      />
      <YAxis width={frame.left} tickFormatter={sayOf} tickLine={false} axisLine={false} tickCount={tickCount} />
      {children}
      {marks.map(({ at, kinds }) => (
        <ReferenceLine
          key={at}
          className="mark-line"
          x={at}
          stroke="var(--ink-3)"
          strokeDasharray="3 3"
          label={({ viewBox }) => <MarkGlyphs x={Number(viewBox?.x ?? 0)} kinds={kinds} />}
        />
      ))}
      {active !== null && <ReferenceLine x={active} stroke="var(--ink-3)" strokeDasharray="2 3" />}
    </ComposedChart>
  );
}

function MarkGlyphs({ x, kinds }: Readonly<{ x: number; kinds: Mark['kinds'] }>) {
  return (
    <g>
      {kinds.map((kind, nth) => (
        <path
          key={kind}
          className={`mark mark-${kind}`}
          d={MARKS[kind]}
          transform={`translate(${x + (nth - (kinds.length - 1) / 2) * GLYPH} ${CHART_TOP / 2 - 1})`}
          fill="none"
          stroke="var(--ink-2)"
          strokeWidth={1.5}
        />
      ))}
    </g>
  );
}
const GLYPH = 12;
