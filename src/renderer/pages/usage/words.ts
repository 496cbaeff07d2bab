import type { UsageAnswer, UsageFigures, UsagePoint } from '../../../contract/usage';
import { usageTexts } from '../../../texts';
import { measured, shortName } from '../../../wording/wording';
import { countText, hourText, moneyText, nameText, pointText, shareText, weekdayText } from './format';

export function mostOf<T>(all: readonly T[], figureOf: (one: T) => number): T | undefined {
  return all.reduce<T | undefined>(
    (best, one) => (figureOf(one) > (best === undefined ? 0 : figureOf(best)) ? one : best),
    undefined,
  );
}

const pastOf = ({ figures }: UsagePoint): number => figures?.fallback?.past ?? 0;
const placedOf = ({ figures }: UsagePoint): number => figures?.fallback?.of ?? 0;
const attemptsOf = ({ figures }: UsagePoint): number => figures?.attempts ?? 0;

export const findings = {
  fallback(usage: UsageAnswer): string {
    const texts = usageTexts().findings;
    const peak = mostOf(usage.points, pastOf);
    if (peak) return texts.peak(pointText(peak.at, usage), countText(pastOf(peak)), countText(placedOf(peak)));
    return usage.totals.fallback && usage.totals.fallback.of > 0 ? texts.noFallback : texts.noAttempts;
  },
  attempts(usage: UsageAnswer): string {
    const texts = usageTexts().findings;
    const busiest = mostOf(usage.points, attemptsOf);
    return busiest ? texts.busiest(pointText(busiest.at, usage), countText(attemptsOf(busiest))) : texts.noAttempts;
  },
  tokens({ totals }: UsageAnswer): string {
    const texts = usageTexts().findings;
    const cached = cachedShare(totals);
    return cached === null ? texts.noTokens : texts.cached(shareText(cached));
  },
  cost({ costs, points, totals, costBy }: UsageAnswer): string {
    const texts = usageTexts().findings;
    if (totals.cost.total === null) return texts.noCost;
    const total = Number(totals.cost.total);
    const sums = costs.map(({ name }, at) => ({
      name,
      sum: points.reduce((all, point) => all + Number(point.costs[at] ?? 0), 0),
    }));
    const dearest = mostOf(sums, ({ sum }) => sum);
    if (!dearest || total === 0) return moneyText(total);
    return texts.cost(nameText(dearest.name, costBy), shareText(dearest.sum / total), moneyText(total));
  },
  times({ totals: { answer } }: UsageAnswer): string {
    const texts = usageTexts().findings;
    if (answer === null || answer.p50Ms === null || answer.p95Ms === null) return texts.noTimes;
    return texts.times(measured(answer.p50Ms), measured(answer.p95Ms));
  },
  standIns({ standIns }: UsageAnswer): string {
    const texts = usageTexts().findings;
    const [most] = standIns;
    return most ? texts.standIn(shortName(most.to), shortName(most.from), countText(most.count)) : texts.noStandIn;
  },
  hours({ hours }: UsageAnswer): string {
    const texts = usageTexts().findings;
    const all = hours.flatMap((counts, day) => counts.map((count, hour) => ({ day, hour, count: count ?? 0 })));
    const most = mostOf(all, ({ count }) => count);
    return most
      ? texts.hour(`${weekdayText(most.day, 'long')} ${hourText(most.hour)}`, countText(most.count))
      : texts.noAttempts;
  },
} as const;

/** Null without reports. */
export function cachedShare({ tokens }: UsageFigures): number | null {
  if (!tokens) return null;
  const read = tokens.input + tokens.cacheRead;
  return read === 0 ? null : tokens.cacheRead / read;
}

/** "per day". */
export function stepText({ step }: UsageAnswer): string {
  const { units } = usageTexts();
  return {
    hour: units.perHour,
    sixHours: units.perSixHours,
    day: units.perDay,
    week: units.perWeek,
    month: units.perMonth,
  }[step];
}

type Values = Readonly<{ name: string; values: readonly (number | null)[] }>;

/** For screen readers. */
export function summaryOf(
  usage: UsageAnswer,
  title: string,
  series: readonly Values[],
  sayOf: (value: number) => string,
): string {
  const { summary } = usageTexts();
  const [first, last] = [usage.points[0], usage.points.at(-1)];
  const ends = [first, last].map((point) => (point ? pointText(point.at, usage) : ''));
  const ranges = series.map(({ name, values }) => {
    const present = values.filter((value) => value !== null);
    return present.length === 0
      ? summary.nothing(name)
      : summary.values(name, sayOf(Math.min(...present)), sayOf(Math.max(...present)));
  });
  return [summary.range(title, countText(usage.points.length), ends[0] ?? '', ends[1] ?? ''), ...ranges].join(' ');
}
