import { CopyButton } from '../../../renderer/components/CopyButton';
import { rankingPageTexts, wordTexts } from '../../../texts';
import { shortName } from '../../../wording/wording';
import type { BenchmarkValue } from '../contract/ranking';
import { shareText, weightText } from '../wording/ranking-page-words';
import { type Cell, shareIn } from './heat';

type Props = Readonly<{ id: string; cell: Cell | null; onCorrect: (cell: Cell) => void }>;

export function ValueDetail({ id, cell, onCorrect }: Props) {
  const said = rankingPageTexts().values;
  if (cell === null)
    return (
      <div className="hm-detail small dim" id={id}>
        <p>
          {said.pick} {said.hint}
        </p>
      </div>
    );
  const { row, benchmark } = cell;
  const value = row.values.get(benchmark);
  return (
    <div className="hm-detail small" id={id}>
      <p>
        <b>
          {said.cell(shortName(row.model), benchmark, value ? wordTexts().decimal(String(value.value)) : said.missing)}
        </b>{' '}
        {value && <span className="dim">{said.unit[value.unit]}</span>}
      </p>
      {value ? <Origin value={value} /> : <p>{row.record === null ? said.unmatched : said.missingMore}</p>}
      {value && <p>{countsPhrase(cell, value)}</p>}
      <p className="hm-acts">
        {value && <Source source={value.source} />}
        <button className="btn btn-sm" type="button" onClick={() => onCorrect(cell)}>
          {value ? said.correct : said.add}
        </button>
      </p>
    </div>
  );
}

function Origin({ value }: Readonly<{ value: BenchmarkValue }>) {
  const said = rankingPageTexts().values;
  const { kind, origin, date, note } = value;
  const parts = [said.kind[kind], said.origin[origin], date === null ? said.notDated : said.dated(date), note];
  return <p>{parts.filter(Boolean).join(' · ')}</p>;
}

function countsPhrase({ row, benchmark }: Cell, value: BenchmarkValue): string {
  const said = rankingPageTexts().values;
  const part = row.ranked?.parts.find((one) => one.benchmark === benchmark);
  if (part) return said.counts(shareText(part.normalized), weightText(part.weight), shareText(part.share));
  return said.countsNot(shareText(shareIn(value) ?? 0));
}

/** A link in a browser; the app opens no address from data, and displays it for copying. */
function Source({ source }: Readonly<{ source: string }>) {
  const said = rankingPageTexts().values;
  const isAddress = source.startsWith('https://');
  return (
    <span className="hm-source">
      <span className="dim">{said.source}</span>{' '}
      {isAddress && !window.understudy ? (
        <a className="link" href={source} target="_blank" rel="noreferrer" title={source}>
          {said.openSource}
        </a>
      ) : (
        <span className="path">{source}</span>
      )}
      {isAddress && window.understudy && <CopyButton text={source} label={said.source} />}
    </span>
  );
}
