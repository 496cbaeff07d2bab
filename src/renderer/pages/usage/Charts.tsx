import type { ReactNode } from 'react';
import type { UsageAnswer, UsagePart, UsagePoint } from '../../../contract/usage';
import { usageTexts } from '../../../texts';
import { measured } from '../../../wording/wording';
import { type Look, lookOfModel, lookOfPart, OTHERS } from '../../app/looks';
import { rangeBetween } from '../../components/time/range';
import { ChartCard } from './ChartCard';
import { type Drawing, type DrawnSeries, Lines, StackedBars } from './drawings';
import { axisPoints, axisText, countText, moneyText, NONE, nameText, pointText, shareText, shortText } from './format';
import { CHART_HEIGHT, CHART_TOP, edgesOf, type Frame, middleOf, pointAt, STRIP_HEIGHT } from './frame';
import type { LegendItem } from './Legend';
import { CostMeaning, TimesMeaning, TokensMeaning } from './Meanings';
import { areSomeLeft, type Mark, marksOf } from './marks';
import type { ChartPlot } from './plot';
import { findings, stepText, summaryOf } from './words';

type Props = Readonly<{ usage: UsageAnswer }>;

const FRAME: Frame = { left: 52, right: 8 };

type Points = Readonly<{
  usage: UsageAnswer;
  part: UsagePart;
  title: string;
  finding: string;
  unit: string;
  series: readonly DrawnSeries[];
  tickOf: (value: number) => string;
  sayOf: (value: number) => string;
  isStacked: boolean;
  isStrip?: boolean;
  children?: ReactNode;
}>;

function PointsChart({ usage, part, title, finding, unit, series, sayOf, isStacked, ...props }: Points) {
  const { tickOf, isStrip = false, children } = props;
  const { columns } = usageTexts();
  const marks = marksOf(usage);
  const say = ({ values }: DrawnSeries, at: number): string => {
    const value = values[at] ?? null;
    return value === null ? NONE : sayOf(value);
  };
  const textOf = (at: number): string => pointText(usage.points[at]?.at ?? 0, usage);
  const count = usage.points.length;
  const plot: ChartPlot = {
    count,
    wordsOf: (at) => ({
      title: textOf(at),
      rows: [
        ...series.map((each) => [each.name, say(each, at)] as const),
        ...(['switches', 'resets'] as const).flatMap((kind) => {
          const happened = usage.points[at]?.[kind] ?? 0;
          return happened > 0 ? [[columns[kind], countText(happened)] as const] : [];
        }),
      ],
    }),
    pick: (x, _, width) => pointAt(x, count, width, FRAME),
    placeOf: (at, width) => ({ x: middleOf(at, count, width, FRAME), y: CHART_TOP }),
    zoom: zoomOf(usage),
    edgesOf: (points, width) => edgesOf(points, count, width, FRAME),
    draw: (width, active, patterns) => {
      const drawing: Drawing = {
        width,
        frame: FRAME,
        active,
        patterns,
        series,
        marks,
        sayOf: tickOf,
        height: isStrip ? STRIP_HEIGHT : CHART_HEIGHT,
        ...(isStrip ? { tickCount: 3 } : {}),
        tickOf: (at) => axisText(usage.points[at]?.at ?? 0, usage),
        ticks: axisPoints(usage),
      };
      return isStacked ? <StackedBars {...drawing} /> : <Lines {...drawing} />;
    },
  };
  const items = series.map(({ name, look }): LegendItem => ({ name, look, isLine: !isStacked }));
  return (
    <ChartCard
      usage={usage}
      part={part}
      title={title}
      finding={finding}
      plot={plot}
      unit={unit}
      isWide={isStrip}
      summary={`${finding} ${summaryOf(usage, title, series, sayOf)}`}
      legend={[...(isStrip ? [] : items), ...marksLegend(usage, marks)]}
    >
      {children}
    </ChartCard>
  );
}

/** Null where zooming shows no more. */
function zoomOf({ points, question, step }: UsageAnswer): NonNullable<ChartPlot['zoom']> | null {
  if (question.range.kind === 'session') return null;
  return (from, to) => {
    const [first, last] = [points[Math.min(from, to)], points[Math.max(from, to)]];
    const isAll = first === points[0] && last === points.at(-1);
    if (!first || !last || isAll || (step === 'hour' && from === to)) return null;
    return rangeBetween(first.at, last.until);
  };
}

function marksLegend(usage: UsageAnswer, marks: readonly Mark[]): LegendItem[] {
  const { legend } = usageTexts();
  const has = (kind: Mark['kinds'][number]): boolean => marks.some(({ kinds }) => kinds.includes(kind));
  return [
    ...(has('switches')
      ? [{ name: areSomeLeft(usage) ? legend.mostSwitches : legend.switches, mark: 'switches' } as const]
      : []),
    ...(has('resets') ? [{ name: legend.resets, mark: 'resets' } as const] : []),
  ];
}

const valuesOf = ({ points }: UsageAnswer, read: (figures: NonNullable<UsagePoint['figures']>) => number | null) =>
  points.map(({ figures }) => figures && read(figures));

function looksOf(
  names: readonly (string | null)[],
  splitBy: UsageAnswer['costBy'],
  usage: UsageAnswer,
): readonly Look[] {
  const slots = new Map(usage.models.map(({ model, slot }) => [model, slot]));
  return names.map((name, at) => {
    if (name === null) return OTHERS;
    return splitBy === 'model' ? lookOfModel(slots.get(name) ?? null) : lookOfPart(at);
  });
}

/** Totals if parts are not stored. */
function partSeries(
  usage: UsageAnswer,
  {
    parts,
    splitBy,
    read,
    all,
  }: Readonly<{
    parts: UsageAnswer['series'];
    splitBy: UsageAnswer['costBy'];
    read: (point: UsagePoint, at: number) => number | null;
    all: (figures: NonNullable<UsagePoint['figures']>) => number | null;
  }>,
): DrawnSeries[] {
  if (parts.length === 0) return [{ name: usageTexts().names.all, look: lookOfPart(0), values: valuesOf(usage, all) }];
  const looks = looksOf(
    parts.map(({ name }) => name),
    splitBy,
    usage,
  );
  return parts.map(({ name }, at) => ({
    name: nameText(name, splitBy),
    look: looks[at] ?? OTHERS,
    values: usage.points.map((point) => point.figures && read(point, at)),
  }));
}

export function AttemptsChart({ usage }: Props) {
  const { charts, split, units } = usageTexts();
  const { splitBy } = usage.question;
  return (
    <PointsChart
      usage={usage}
      part="attempts"
      title={charts.attempts(split[splitBy])}
      finding={findings.attempts(usage)}
      unit={`${units.attempts} ${stepText(usage)}`}
      series={partSeries(usage, {
        parts: usage.series,
        splitBy,
        read: ({ parts }, at) => parts[at] ?? null,
        all: ({ attempts }) => attempts,
      })}
      tickOf={shortText}
      sayOf={countText}
      isStacked
    />
  );
}

export function FallbackStrip({ usage }: Props) {
  const { charts, units, columns } = usageTexts();
  if (!usage.isSplitKept) return null;
  const values = valuesOf(usage, ({ fallback }) => (fallback && fallback.of > 0 ? fallback.past / fallback.of : null));
  return (
    <PointsChart
      usage={usage}
      part="fallback"
      title={charts.fallback}
      finding={findings.fallback(usage)}
      unit={units.share}
      series={[{ name: columns.fallbackShare, look: lookOfPart(1), values }]}
      tickOf={shareText}
      sayOf={shareText}
      isStacked
      isStrip
    />
  );
}

const KINDS = ['cacheRead', 'input', 'cacheWrite', 'output', 'reasoning'] as const;

export function TokensChart({ usage }: Props) {
  const { charts, units, columns } = usageTexts();
  return (
    <PointsChart
      usage={usage}
      part="tokens"
      title={charts.tokens}
      finding={findings.tokens(usage)}
      unit={`${units.tokens} ${stepText(usage)}`}
      series={KINDS.map((kind, at) => ({
        name: columns[kind],
        look: lookOfPart(at),
        values: valuesOf(usage, ({ tokens }) => tokens?.[kind] ?? null),
      }))}
      tickOf={shortText}
      sayOf={countText}
      isStacked
    >
      <TokensMeaning />
    </PointsChart>
  );
}

export function CostChart({ usage }: Props) {
  const { charts, split, units } = usageTexts();
  const dollars = (cost: string | null): number | null => (cost === null ? null : Number(cost));
  return (
    <PointsChart
      usage={usage}
      part="cost"
      title={charts.cost(split[usage.costBy])}
      finding={findings.cost(usage)}
      unit={`${units.dollars} ${stepText(usage)}`}
      series={partSeries(usage, {
        parts: usage.costs,
        splitBy: usage.costBy,
        read: ({ costs }, at) => dollars(costs[at] ?? null),
        all: ({ cost }) => dollars(cost.total),
      })}
      tickOf={moneyText}
      sayOf={moneyText}
      isStacked
    >
      <CostMeaning />
    </PointsChart>
  );
}

export function TimesChart({ usage }: Props) {
  const { charts, units, columns } = usageTexts();
  const lines = [
    ['answerP50', 3, 'answer', 'p50Ms'],
    ['answerP95', 2, 'answer', 'p95Ms'],
    ['firstTokenP50', 0, 'firstToken', 'p50Ms'],
    ['firstTokenP95', 1, 'firstToken', 'p95Ms'],
  ] as const;
  const series = lines.map(([name, part, of, which]): DrawnSeries => {
    return { name: columns[name], look: lookOfPart(part), values: valuesOf(usage, (all) => all[of]?.[which] ?? null) };
  });
  return (
    <PointsChart
      usage={usage}
      part="times"
      title={charts.times}
      finding={findings.times(usage)}
      unit={units.seconds}
      series={series}
      tickOf={measured}
      sayOf={measured}
      isStacked={false}
    >
      <TimesMeaning />
    </PointsChart>
  );
}
