import { useId, useState } from 'react';
import { ModelId } from '../../../renderer/components/ModelId';
import { rankingPageTexts } from '../../../texts';
import type { RankAnswer, RankedRow } from '../contract/ranking';
import { byRank, rowPrice, shareText } from '../wording/ranking-page-words';
import { doubtPhrases, livePhrase } from '../wording/ranking-words';
import { ScoreBar } from './ScoreBar';

const FEW = 12;

export function RankList({ answer }: Readonly<{ answer: RankAnswer }>) {
  const texts = rankingPageTexts().list;
  const id = useId();
  const [isStrict, beStrict] = useState(false);
  const [isWhole, showWhole] = useState(false);
  const rows = byRank(answer.proposal?.models ?? []);
  const ranked = rows.filter(({ rank }) => rank !== null);
  const rest = rows.filter(({ rank }) => rank === null);
  const lacking = new Map(answer.lacking.map(({ model, benchmarks }) => [model, benchmarks]));
  const shown = isStrict ? ranked.filter(({ model }) => !lacking.has(model)) : ranked;
  const most = Math.max(0, ...ranked.map(({ score }) => score ?? 0));
  return (
    <section className="card rk-list" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{texts.title}</h2>
        <span className="cap">{texts.counts(ranked.length, rest.length)}</span>
        <label className="tick push" title={texts.strictHint}>
          <input type="checkbox" checked={isStrict} onChange={(event) => beStrict(event.currentTarget.checked)} />
          <span>{texts.strict}</span>
        </label>
      </div>
      {isStrict && <Strict lacking={answer.lacking} />}
      {ranked.length === 0 && <p className="card-body small">{texts.none}</p>}
      {shown.length > 0 && (
        <>
          <div className="rk rk-head cap" aria-hidden="true">
            <span />
            <span>{texts.columns.model}</span>
            <span>{texts.columns.parts}</span>
            <span className="rk-num">{texts.columns.score}</span>
            <span>{texts.columns.live}</span>
            <span className="rk-num">{texts.columns.price}</span>
          </div>
          <ol>
            {(isWhole ? shown : shown.slice(0, FEW)).map((row) => (
              <Row key={row.model} row={row} most={most} />
            ))}
          </ol>
        </>
      )}
      {shown.length > FEW && (
        <button className="btn btn-sm btn-quiet rk-more" type="button" onClick={() => showWhole((was) => !was)}>
          {isWhole ? texts.fewer : texts.more(shown.length - FEW)}
        </button>
      )}
      {rest.length > 0 && <Unranked rows={rest} />}
    </section>
  );
}

function Strict({ lacking }: Readonly<{ lacking: RankAnswer['lacking'] }>) {
  const texts = rankingPageTexts().list;
  return (
    <div className="rk-strict small">
      <p>{texts.strictSays(lacking.length)}</p>
      {lacking.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <ul className="rk-scroll" tabIndex={0} aria-label={texts.strictSays(lacking.length)}>
          {lacking.map(({ model, benchmarks }) => (
            <li key={model}>{texts.lacks(model, benchmarks.join(', '))}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Row({ row, most }: Readonly<{ row: RankedRow; most: number }>) {
  const texts = rankingPageTexts().list;
  const { model, rank, score, worth, budget } = row;
  const doubts = [
    ...doubtPhrases(row),
    ...(budget && budget.multiplier < 1 ? [texts.budget] : []),
    ...(worth !== null && score !== null && shareText(worth) !== shareText(score)
      ? [texts.worth(shareText(worth))]
      : []),
  ];
  return (
    <li className="rk" data-model={model}>
      <span className="rk-n">{rank}</span>
      <ModelId model={model} />
      <span className="rk-bar">
        <ScoreBar row={row} most={most} />
        {doubts.length > 0 && <span className="cap">{doubts.join(' · ')}</span>}
      </span>
      <b className="rk-num">{score === null ? texts.noScore : shareText(score)}</b>
      <span className="cap rk-live">{livePhrase(row)}</span>
      <span className="rk-num rk-price">{rowPrice(row) ?? texts.noPrice}</span>
    </li>
  );
}

function Unranked({ rows }: Readonly<{ rows: readonly RankedRow[] }>) {
  const texts = rankingPageTexts().list;
  const [isWhole, showWhole] = useState(false);
  return (
    <details className="rk-rest">
      <summary>{texts.cannot(rows.length)}</summary>
      <ul className="rk-rows">
        {(isWhole ? rows : rows.slice(0, FEW)).map((row) => (
          <li key={row.model}>
            <ModelId model={row.model} />
            <span className="cap">{doubtPhrases(row).join(' · ')}</span>
          </li>
        ))}
      </ul>
      {rows.length > FEW && (
        <button className="btn btn-sm btn-quiet rk-more" type="button" onClick={() => showWhole((was) => !was)}>
          {isWhole ? texts.fewer : texts.more(rows.length - FEW)}
        </button>
      )}
    </details>
  );
}
