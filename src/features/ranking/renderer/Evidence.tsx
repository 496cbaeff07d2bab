import { unbooked as plainModel } from '../../../engine/names';
import { rankingPageTexts, rankingTexts } from '../../../texts';
import { measured } from '../../../wording/wording';
import type { ChainProposal } from '../contract/ranking';
import { rowPrice, shareText, valueText } from '../wording/ranking-page-words';
import { doubtPhrases } from '../wording/ranking-words';

export function Evidence({ model, proposal }: Readonly<{ model: string; proposal: ChainProposal }>) {
  const texts = rankingPageTexts().review;
  const row = proposal.models.find((one) => one.model === model);
  if (row === undefined) return null;
  const ranked = proposal.models.filter(({ rank }) => rank !== null).length;
  const { score, rank, live, record } = row;
  const first = live?.firstTokenP50Ms ?? null;
  const facts: readonly (readonly [string, string])[] = [
    [
      texts.score(rankingTexts().roles[proposal.role]),
      score === null || rank === null ? texts.unscored : texts.scoreRank(shareText(score), rank, ranked),
    ],
    ...row.parts.map((part) => [part.benchmark, marked(valueText(part), part.kind)] as const),
    [texts.here, live && live.n > 0 ? texts.hereOf(live.answered, live.n) : texts.hereNone],
    ...(first === null ? [] : [[texts.first, measured(first)] as const]),
    [texts.price, rowPrice(row) ?? texts.noPrice],
    [texts.vendor, [row.vendor, row.region].filter(Boolean).join(', ')],
    [texts.account, row.account],
    [texts.record, record === null ? texts.noRecord : plainModel(record)],
  ];
  const doubts = doubtPhrases(row);
  return (
    <>
      <h3>{texts.evidence}</h3>
      <dl className="gate-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {doubts.length > 0 && <p className="small muted">{doubts.join(' · ')}</p>}
    </>
  );
}

const marked = (text: string, kind: 'measured' | 'published' | 'estimated'): string =>
  kind === 'published' ? text : `${text} ${kind === 'estimated' ? '~' : '•'}`;
