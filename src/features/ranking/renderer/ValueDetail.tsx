import { CopyButton } from '../../../renderer/components/CopyButton';
import { rankingPageTexts, wordTexts } from '../../../texts';
import { shortName } from '../../../wording/wording';
import type { BenchmarkValue } from '../contract/ranking';
import { shareText, weightText } from '../wording/ranking-page-words';
import { type Cell, shareIn } from './heat';

type Props = Readonly<{ id: string; cell: Cell | null; onCorrect: (cell: Cell) => void }>;

export function ValueDetail({ id, cell, onCorrect }: Props) {
  const texts = rankingPageTexts().values;
  if (cell === null)
    return (
      <div className="hm-detail small dim" id={id}>
        <p>
          {texts.pick} {texts.hint}
        </p>
      </div>
    );
  const { row, benchmark } = cell;
  const value = row.values.get(benchmark);
  return (
    <div className="hm-detail small" id={id}>
      <p>
        <b>
          {texts.cell(
            shortName(row.model),
            benchmark,
            value ? wordTexts().decimal(String(value.value)) : texts.missing,
          )}
        </b>{' '}
        {value && <span className="dim">{texts.unit[value.unit]}</span>}
      </p>
      {value ? <Origin value={value} /> : <p>{row.record === null ? texts.unmatched : texts.missingMore}</p>}
      {value && <p>{countsPhrase(cell, value)}</p>}
      <p className="hm-acts">
        {value && <Source source={value.source} />}
        <button className="btn btn-sm" type="button" onClick={() => onCorrect(cell)}>
          {value ? texts.correct : texts.add}
        </button>
      </p>
    </div>
  );
}

function Origin({ value }: Readonly<{ value: BenchmarkValue }>) {
  const texts = rankingPageTexts().values;
  const { kind, origin, date, note } = value;
  const parts = [texts.kind[kind], texts.origin[origin], date === null ? texts.notDated : texts.dated(date), note];
  return <p>{parts.filter(Boolean).join(' · ')}</p>;
}

function countsPhrase({ row, benchmark }: Cell, value: BenchmarkValue): string {
  const texts = rankingPageTexts().values;
  const part = row.ranked?.parts.find((one) => one.benchmark === benchmark);
  if (part) return texts.counts(shareText(part.normalized), weightText(part.weight), shareText(part.share));
  return texts.countsNot(shareText(shareIn(value) ?? 0));
}

/** A link in a browser; the app opens no address from data, and displays it for copying. */
function Source({ source }: Readonly<{ source: string }>) {
  const texts = rankingPageTexts().values;
  const isAddress = source.startsWith('https://');
  return (
    <span className="hm-source">
      <span className="dim">{texts.source}</span>{' '}
      {isAddress && !window.understudy ? (
        <a className="link" href={source} target="_blank" rel="noreferrer" title={source}>
          {texts.openSource}
        </a>
      ) : (
        <span className="path">{source}</span>
      )}
      {isAddress && window.understudy && <CopyButton text={source} label={texts.source} />}
    </span>
  );
}
