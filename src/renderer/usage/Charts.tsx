import type { ReactNode } from 'react';
import type { UsageAnswer, UsagePart, UsagePoint } from '../../contract';
import { measured } from '../../contract';
import { usageTexts } from '../../texts';
import { ChartCard, type ChartPlot } from './ChartCard';
import { type Drawing, type DrawnSeries, Lines, StackedBars } from './drawings';
import { countText, moneyText, NONE, nameText, pointText, shareText, shortText } from './format';
import { CHART_TOP, type Frame, middleOf, pointAt } from './frame';
import { CostMeaning, TimesMeaning, TokensMeaning } from './Meanings';
import { LINE_OVER } from './series';
import { findings, stepText, summaryOf } from './words';

type Props = Readonly<{ usage: UsageAnswer }>;

const FRAME: Frame = { left: 52, right: 8 };
const SHARE_FRAME: Frame = { left: 52, right: 44 };

type Points = Readonly<{
  usage: UsageAnswer;
  part: UsagePart;
  title: string;
  finding: string;
  unit: string;
  series: readonly DrawnSeries[];
  /** A value as it stands at the axis, and as it is said. */
  tickOf: (value: number) => string;
  sayOf: (value: number) => string;
  isStacked: boolean;
  children?: ReactNode;
}>;

/** A chart of values over time. */
function PointsChart({ usage, part, title, finding, unit, series, tickOf, sayOf, isStacked, children }: Points) {
  const { units } = usageTexts();
  const hasShare = series.some(({ isShare }) => isShare);
  const frame = hasShare ? SHARE_FRAME : FRAME;
  const say = ({ isShare, values }: DrawnSeries, at: number): string => {
    const value = values[at] ?? null;
    return value === null ? NONE : isShare ? shareText(value) : sayOf(value);
  };
  const textOf = (at: number): string => pointText(usage.points[at]?.at ?? 0, usage);
  const count = usage.points.length;
  const plot: ChartPlot = {
    count,
    wordsOf: (at) => ({ title: textOf(at), rows: series.map((each) => [each.name, say(each, at)]) }),
    pick: (x, _, width) => pointAt(x, count, width, frame),
    placeOf: (at, width) => ({ x: middleOf(at, count, width, frame), y: CHART_TOP }),
    draw: (width, active, patterns) => {
      const drawing: Drawing = {
        ...{ width, frame, active, patterns, series, sayOf: tickOf },
        tickOf: textOf,
        ...(hasShare ? { shareOf: shareText } : {}),
      };
      return isStacked ? <StackedBars {...drawing} /> : <Lines {...drawing} />;
    },
  };
  const summarized = series.filter(({ isShare }) => !isShare);
  return (
    <ChartCard
      {...{ usage, part, title, finding, plot, children }}
      unit={unit}
      {...(hasShare ? { unitRight: units.share } : {})}
      summary={`${finding} ${summaryOf(usage, title, summarized, sayOf)}`}
      legend={series.map(({ name, place, isShare }) => ({ name, place, isLine: !isStacked || isShare === true }))}
    />
  );
}

const valuesOf = ({ points }: UsageAnswer, read: (figures: NonNullable<UsagePoint['figures']>) => number | null) =>
  points.map(({ figures }) => figures && read(figures));

/** What each part of the split has, point by point; what all have together where the split is not kept. */
function partSeries(usage: UsageAnswer, read: (part: PartOf) => number | null): DrawnSeries[] {
  const { series, points, question } = usage;
  if (series.length === 0) {
    const values = valuesOf(usage, ({ attempts, cost }) => read({ attempts, cost: cost.total }));
    return [{ name: usageTexts().names.all, place: 0, values }];
  }
  return series.map(({ name }, place) => ({
    name: nameText(name, question.splitBy),
    place,
    values: points.map(({ figures, parts }) => {
      const part = parts[place];
      return figures && part ? read(part) : null;
    }),
  }));
}
type PartOf = UsagePoint['parts'][number];

/** How often models were asked, and how much of it went past the primary. */
export function AttemptsChart({ usage }: Props) {
  const { charts, split, units, columns } = usageTexts();
  const shares: DrawnSeries = {
    name: columns.fallbackShare,
    place: LINE_OVER,
    isShare: true,
    values: valuesOf(usage, ({ fallback }) => (fallback && fallback.of > 0 ? fallback.past / fallback.of : null)),
  };
  const parts = partSeries(usage, ({ attempts }) => attempts);
  return (
    <PointsChart
      usage={usage}
      part="attempts"
      title={charts.attempts(split[usage.question.splitBy])}
      finding={findings.attempts(usage)}
      unit={`${units.attempts} ${stepText(usage)}`}
      series={usage.isSplitKept ? [...parts, shares] : parts}
      tickOf={shortText}
      sayOf={countText}
      isStacked
    />
  );
}

const KINDS = ['cacheRead', 'input', 'cacheWrite', 'output', 'reasoning'] as const;

/** What models read and wrote. */
export function TokensChart({ usage }: Props) {
  const { charts, units, columns } = usageTexts();
  return (
    <PointsChart
      usage={usage}
      part="tokens"
      title={charts.tokens}
      finding={findings.tokens(usage)}
      unit={`${units.tokens} ${stepText(usage)}`}
      series={KINDS.map((kind, place) => ({
        name: columns[kind],
        place,
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

/** What it cost, as far as there was a price. */
export function CostChart({ usage }: Props) {
  const { charts, split, units } = usageTexts();
  return (
    <PointsChart
      usage={usage}
      part="cost"
      title={charts.cost(split[usage.question.splitBy])}
      finding={findings.cost(usage)}
      unit={`${units.dollars} ${stepText(usage)}`}
      series={partSeries(usage, ({ cost }) => (cost === null ? null : Number(cost)))}
      tickOf={moneyText}
      sayOf={moneyText}
      isStacked={false}
    >
      <CostMeaning />
    </PointsChart>
  );
}

/** How long answers took, and how long their first word. */
export function TimesChart({ usage }: Props) {
  const { charts, units, columns } = usageTexts();
  const series: DrawnSeries[] = [
    { name: columns.answerP50, place: 1, values: valuesOf(usage, ({ answer }) => answer?.p50Ms ?? null) },
    { name: columns.answerP95, place: 3, values: valuesOf(usage, ({ answer }) => answer?.p95Ms ?? null) },
    { name: columns.firstTokenP50, place: 0, values: valuesOf(usage, ({ firstToken }) => firstToken?.p50Ms ?? null) },
    { name: columns.firstTokenP95, place: 4, values: valuesOf(usage, ({ firstToken }) => firstToken?.p95Ms ?? null) },
  ];
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
