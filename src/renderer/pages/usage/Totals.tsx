import type { UsageAnswer, UsageFigures } from '../../../contract/usage';
import { usageTexts } from '../../../texts';
import { changeText, countText, dayText, moneyText, NONE, pointsText, shareText, shortText } from './format';
import { cachedShare } from './words';

type Turns = UsageAnswer['turns'];
type Period = Readonly<{ totals: UsageFigures; turns: Turns }>;
type Block = Readonly<{
  name: string;
  value: string;
  note: string;
  /** Null without a preceding period. */
  change: string | null;
}>;

export function Totals({ usage }: Readonly<{ usage: UsageAnswer }>) {
  const { totals: texts } = usageTexts();
  const { before, question } = usage;
  const day = (at: number): string => dayText(at, question.timeZone);
  return (
    <section className="card kpis" aria-label={texts.label}>
      {blocksOf(usage).map(({ name, value, note, change }) => (
        <div key={name}>
          <span className="cap">{name}</span>
          <b>{value}</b>
          <span className="cap">{note}</span>
          {change && <span className="cap kpi-change">{change}</span>}
        </div>
      ))}
      {before && <p className="cap kpis-before">{texts.against(day(before.sinceMs + 1), day(before.untilMs - 1))}</p>}
    </section>
  );
}

const pastShare = ({ totals: { fallback } }: Period): number | null =>
  fallback && fallback.of > 0 ? fallback.past / fallback.of : null;
const readIn = ({ totals: { tokens } }: Period): number | null =>
  tokens && tokens.input + tokens.cacheRead + tokens.cacheWrite;
const writtenIn = ({ totals: { tokens } }: Period): number | null => tokens && tokens.output + tokens.reasoning;
const tokensIn = (period: Period): number | null => {
  const [read, written] = [readIn(period), writtenIn(period)];
  return read === null || written === null ? null : read + written;
};
const costIn = ({ totals: { cost } }: Period): number | null => (cost.total === null ? null : Number(cost.total));

function blocksOf(usage: UsageAnswer): readonly Block[] {
  const { totals: texts } = usageTexts();
  const { attempts, failed, fallback, cost } = usage.totals;
  const { turns, before } = usage;
  const amount = (read: (period: Period) => number | null, say: (value: number) => string): string | null => {
    const [now, then] = [read(usage), before && read(before)];
    if (now === null || then === null) return null;
    const change = changeText(now, then);
    return change === null ? texts.noneBefore : texts.before(change, say(then));
  };
  /** Imports lack this figure. */
  const watched = (change: string | null): string | null => (before?.isWatched ? change : null);
  const share = (read: (period: Period) => number | null): string | null => {
    const [now, then] = [read(usage), before && read(before)];
    return now === null || then === null ? null : texts.before(pointsText(now, then, texts.points), shareText(then));
  };
  const isPriced = cost.total !== null && cost.pricedShare !== null;
  const [read, written] = [readIn(usage), writtenIn(usage)];
  return [
    {
      name: texts.cost,
      value: moneyText(cost.total),
      note: isPriced ? texts.priced(shareText(cost.pricedShare)) : texts.nothingPriced,
      change: amount(costIn, moneyText),
    },
    {
      name: texts.attempts,
      value: countText(attempts),
      note: texts.failed(countText(failed)),
      change: watched(amount(({ totals }) => totals.attempts, countText)),
    },
    {
      name: texts.fallback,
      value: shareText(pastShare(usage)),
      note: fallback ? texts.past(countText(fallback.past)) : texts.notKept,
      change: watched(share(pastShare)),
    },
    {
      name: texts.saved,
      value: countText(turns.saved),
      note: texts.ofTurns(countText(turns.total)),
      change: watched(amount(({ turns }) => turns.saved, countText)),
    },
    {
      name: texts.firstTry,
      value: shareText(turns.firstTryRate),
      note: texts.firstTryOf,
      change: watched(share(({ turns }) => turns.firstTryRate)),
    },
    {
      name: texts.tokens,
      value: read === null || written === null ? NONE : shortText(read + written),
      note:
        read === null || written === null
          ? texts.nothingReported
          : texts.tokensOf(shortText(read), shortText(written), shareText(cachedShare(usage.totals))),
      change: amount(tokensIn, shortText),
    },
  ];
}
