import { unbooked as plainModel } from '../../../engine/names';
import { rankingPageTexts, rankingTexts } from '../../../texts';
import { measured } from '../../../wording/wording';
import type { ChainProposal } from '../contract/ranking';
import { rowPrice, shareText, valueText } from '../wording/ranking-page-words';
import { doubtPhrases } from '../wording/ranking-words';

export function Evidence({ model, proposal }: Readonly<{ model: string; proposal: ChainProposal }>) {
  const said = rankingPageTexts().review;
  const row = proposal.models.find((one) => one.model === model);
  if (row === undefined) return null;
  const ranked = proposal.models.filter(({ rank }) => rank !== null).length;
  const { score, rank, live, record } = row;
  const first = live?.firstTokenP50Ms ?? null;
  const facts: readonly (readonly [string, string])[] = [
    [
      said.score(rankingTexts().roles[proposal.role]),
      score === null || rank === null ? said.unscored : said.scoreRank(shareText(score), rank, ranked),
    ],
    ...row.parts.map((part) => [part.benchmark, marked(valueText(part), part.kind)] as const),
    [said.here, live && live.n > 0 ? said.hereOf(live.answered, live.n) : said.hereNone],
    ...(first === null ? [] : [[said.first, measured(first)] as const]),
    [said.price, rowPrice(row) ?? said.noPrice],
    [said.vendor, [row.vendor, row.region].filter(Boolean).join(', ')],
    [said.account, row.account],
    [said.record, record === null ? said.noRecord : plainModel(record)],
  ];
  const doubts = doubtPhrases(row);
  return (
    <>
      <h3>{said.evidence}</h3>
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
