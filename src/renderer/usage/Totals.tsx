import type { UsageAnswer } from '../../contract';
import { usageTexts } from '../../texts';
import { countText, moneyText, NONE, shareText, shortText } from './format';
import { cachedShare } from './words';

/** The figures of the whole range. What is not known is said so, and is no zero. */
export function Totals({ usage }: Readonly<{ usage: UsageAnswer }>) {
  const { totals: texts } = usageTexts();
  const { attempts, failed, fallback, cost, tokens } = usage.totals;
  const { turns } = usage;
  const past = fallback && fallback.of > 0 ? fallback.past / fallback.of : null;
  const written = tokens && tokens.output + tokens.reasoning;
  const read = tokens && tokens.input + tokens.cacheRead + tokens.cacheWrite;
  const isPriced = cost.total !== null && cost.pricedShare !== null;
  const blocks = [
    [texts.cost, moneyText(cost.total), isPriced ? texts.priced(shareText(cost.pricedShare)) : texts.nothingPriced],
    [texts.attempts, countText(attempts), texts.failed(countText(failed))],
    [texts.fallback, shareText(past), fallback ? texts.past(countText(fallback.past)) : texts.notKept],
    [texts.saved, countText(turns.saved), texts.ofTurns(countText(turns.total))],
    [texts.firstTry, shareText(turns.firstTryRate), texts.firstTryOf],
    read === null || written === null
      ? [texts.tokens, NONE, texts.nothingReported]
      : [
          texts.tokens,
          shortText(read + written),
          texts.tokensOf(shortText(read), shortText(written), shareText(cachedShare(usage.totals))),
        ],
  ];
  return (
    <section className="card kpis" aria-label={texts.label}>
      {blocks.map(([name, value, note]) => (
        <div key={name}>
          <span className="cap">{name}</span>
          <b>{value}</b>
          <span className="cap">{note}</span>
        </div>
      ))}
    </section>
  );
}
