import { useId, useMemo, useState } from 'react';
import { unbooked as plainModel } from '../../../engine/names';
import { useAnswer } from '../../../renderer/app/asked';
import { useCommands } from '../../../renderer/app/commands/use-commands';
import { OutLink } from '../../../renderer/components/OutLink';
import { rankingPageTexts } from '../../../texts';
import { ARTIFICIAL_ANALYSIS_CREDIT, BENCHMARK_IDS, type BenchmarkId, type RankAnswer } from '../contract/ranking';
import { ByHand } from './ByHand';
import { ExportValues } from './ExportValues';
import { HeatMap } from './HeatMap';
import { type Cell, columnsOf, type HeatRow, heatRows } from './heat';
import { Matches } from './Matches';
import { TakeValues } from './TakeValues';
import type { Ranking } from './use-ranking';

const FEW = 25;

type Props = Readonly<{
  ranking: Ranking;
  answer: RankAnswer;
  counted: readonly BenchmarkId[];
}>;

export function ValuesCard({ ranking, answer, counted }: Props) {
  const texts = rankingPageTexts().values;
  const id = useId();
  const { place, round, again, run } = ranking;
  const key = `${JSON.stringify(place)} ${round} ${JSON.stringify(run?.phases.artificial_analysis)} ${run?.estimates.length} ${answer.listed?.at}`;
  const { answer: values, problem } = useAnswer('rank.values', place, key);
  const [isAll, showAll] = useState(false);
  const [sought, seek] = useState('');
  const [isWhole, showWhole] = useState(false);
  const [open, setOpen] = useState<'import' | Cell | null>(null);
  const rows = useMemo(() => (values ? heatRows(values, answer) : []), [values, answer]);
  // The same benchmarks in the same order are the same columns.
  const order = counted.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `order` stands for what counts.
  const columns = useMemo(() => columnsOf(counted, isAll), [order, isAll]);
  const found = rows.filter(({ model }) => plainModel(model).toLowerCase().includes(sought.trim().toLowerCase()));
  const shown = isWhole ? found : found.slice(0, FEW);
  const end = () => setOpen(null);
  useCommands(() => [
    {
      id: 'rank-import',
      group: 'here',
      icon: 'plus',
      title: rankingPageTexts().take.title,
      run: () => setOpen('import'),
    },
  ]);
  return (
    <section className="card rk-values" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{texts.title}</h2>
        <span className="cap">{texts.caption}</span>
        <span className="push rk-acts">
          <input
            className="field"
            type="search"
            aria-label={texts.find}
            placeholder={texts.find}
            value={sought}
            onChange={(event) => seek(event.currentTarget.value)}
          />
          <Which isAll={isAll} counted={counted.length} onTurn={showAll} />
          <ExportValues />
          <button className="btn btn-sm" type="button" onClick={() => setOpen('import')}>
            {rankingPageTexts().take.button}
          </button>
        </span>
      </div>
      {problem !== null && (
        <p className="card-body small" role="alert">
          {texts.failed(problem)}
        </p>
      )}
      {values !== null && rows.length === 0 && <p className="card-body small">{texts.none}</p>}
      {shown.length > 0 && (
        <HeatMap rows={shown} all={rows} columns={columns} answer={answer} headingId={id} onCorrect={setOpen} />
      )}
      {found.length > FEW && !isWhole && (
        <button className="btn btn-sm btn-quiet rk-more" type="button" onClick={() => showWhole(true)}>
          {texts.more(found.length)}
        </button>
      )}
      <Legend answer={answer} rows={rows} />
      <Matches unmatched={answer.unmatched} onDone={again} />
      {open === 'import' && <TakeValues onTaken={again} onEnd={end} />}
      {open !== null && open !== 'import' && <ByHand cell={open} onDone={again} onEnd={end} />}
    </section>
  );
}

type WhichProps = Readonly<{ isAll: boolean; counted: number; onTurn: (isAll: boolean) => void }>;

function Which({ isAll, counted, onTurn }: WhichProps) {
  const texts = rankingPageTexts().values;
  if (counted === 0) return null;
  return (
    <fieldset className="seg">
      <legend className="sr">{texts.which}</legend>
      <button type="button" aria-pressed={!isAll} onClick={() => onTurn(false)}>
        {texts.weighted(counted)}
      </button>
      <button type="button" aria-pressed={isAll} onClick={() => onTurn(true)}>
        {texts.all(BENCHMARK_IDS.length)}
      </button>
    </fieldset>
  );
}

/** Terms of use require naming the sources. */
function Legend({ answer, rows }: Readonly<{ answer: RankAnswer; rows: readonly HeatRow[] }>) {
  const { marks, starter } = rankingPageTexts().values;
  const isCredited = rows.some(({ values }) =>
    [...values.values()].some(({ origin }) => origin === 'artificial_analysis'),
  );
  return (
    <div className="rk-legend">
      {Object.values(marks).map((mark) => (
        <span className="cap" key={mark}>
          {mark}
        </span>
      ))}
      {isCredited && <OutLink link="artificialAnalysis" label={ARTIFICIAL_ANALYSIS_CREDIT.text} />}
      {answer.proposal && <span className="cap push">{starter(answer.proposal.starter.date)}</span>}
    </div>
  );
}
