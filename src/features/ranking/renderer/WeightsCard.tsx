import { useId } from 'react';
import { usePanel } from '../../../renderer/app/panel';
import { notifyResult } from '../../../renderer/app/told';
import { rankingPageTexts, rankingTexts } from '../../../texts';
import {
  BENCHMARK_IDS,
  BENCHMARKS,
  type BenchmarkId,
  formulaTextOf,
  type RankAnswer,
  type Weights,
  withWeight,
} from '../contract/ranking';
import { weightText } from '../wording/ranking-page-words';
import { FormulaField } from './FormulaField';
import type { looksOf } from './looks';
import { Fill } from './ScoreBar';
import { WeightsFile } from './WeightsFile';

/** Null weights if it was entered as text. */
export type FormulaDraft = Readonly<{ text: string; weights: Weights | null }>;

type Props = Readonly<{
  answer: RankAnswer;
  draft: FormulaDraft | null;
  /** True until the first answer. */
  isPublished: boolean;
  looks: ReturnType<typeof looksOf>;
  onDraft: (draft: FormulaDraft | null) => void;
  onKept: () => void;
}>;

export function WeightsCard({ answer, draft, isPublished, looks, onDraft, onKept }: Props) {
  const texts = rankingPageTexts().weights;
  const id = useId();
  const weights = draft?.weights ?? answer.formula?.weights ?? null;
  const sum = Object.values(weights ?? {}).reduce((before, weight) => before + (weight ?? 0), 0);
  const move = (benchmark: BenchmarkId, weight: number) => {
    if (weights === null) return;
    const next = withWeight(weights, benchmark, weight);
    onDraft({ text: formulaTextOf(next), weights: next });
  };
  return (
    <section className="card rk-weights" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{texts.title}</h2>
        <span className="cap">{draft ? texts.draft : isPublished ? texts.asPublished : texts.kept}</span>
        {weights !== null && <span className="cap push">{texts.sum(weightText(Math.round(sum * 1e4) / 1e4))}</span>}
      </div>
      {weights === null ? (
        answer.problem === null && <p className="card-body small">{texts.notSum}</p>
      ) : (
        <Sliders weights={weights} looks={looks} onMove={move} />
      )}
      <FormulaField
        text={draft?.text ?? answer.formula?.text ?? ''}
        problem={draft ? answer.problem : null}
        onChange={(text) => onDraft({ text, weights: null })}
      >
        <WeightsFile onTaken={onKept} />
      </FormulaField>
      <Acts answer={answer} draft={draft} isPublished={isPublished} onDraft={onDraft} onKept={onKept} />
    </section>
  );
}

type SlidersProps = Readonly<{
  weights: Weights;
  looks: Props['looks'];
  onMove: (benchmark: BenchmarkId, weight: number) => void;
}>;

function Sliders({ weights, looks, onMove }: SlidersProps) {
  const texts = rankingPageTexts().weights;
  const counted = [...looks.keys()].filter((benchmark) => weights[benchmark] !== undefined);
  const others = BENCHMARK_IDS.filter((benchmark) => weights[benchmark] !== undefined && !looks.has(benchmark));
  const left = BENCHMARK_IDS.filter((benchmark) => weights[benchmark] === undefined);
  return (
    <>
      <ul className="wts">
        {[...counted, ...others].map((benchmark) => (
          <li className="wt" key={benchmark}>
            <span className="wt-fill">
              <Fill look={looks.get(benchmark)} />
            </span>
            <span className="wt-name" title={BENCHMARKS[benchmark].name}>
              {benchmark}
            </span>
            <b>{texts.percent(weightText(weights[benchmark] ?? 0))}</b>
            <input
              type="range"
              min="0"
              max="100"
              step="1"
              aria-label={texts.slider(benchmark)}
              aria-valuetext={texts.percent(weightText(weights[benchmark] ?? 0))}
              value={Math.round(100 * (weights[benchmark] ?? 0))}
              onChange={(event) => onMove(benchmark, Number(event.currentTarget.value) / 100)}
            />
          </li>
        ))}
      </ul>
      {left.length > 0 && (
        <div className="wt-add">
          <select
            className="field"
            aria-label={texts.add}
            value=""
            onChange={(event) => onMove(event.currentTarget.value as BenchmarkId, 0.05)}
          >
            <option value="">{texts.add}</option>
            {left.map((benchmark) => (
              <option key={benchmark} value={benchmark}>
                {benchmark}
              </option>
            ))}
          </select>
        </div>
      )}
    </>
  );
}

function Acts({ answer, draft, isPublished, onDraft, onKept }: Omit<Props, 'looks'>) {
  const panel = usePanel();
  const texts = rankingPageTexts().weights;
  const { role } = answer;
  const keep = async (text: string | null) => {
    if (role === null) return;
    const request = panel.api.ask('rank.change', { changes: [{ type: 'formula', role, text }] });
    const done = text === null ? texts.backDone : texts.keptDone;
    if (await notifyResult(panel, request, { text: done(rankingTexts().roles[role]) })) onKept();
  };
  if (draft === null && isPublished) return null;
  return (
    <div className="card-foot">
      {draft && (
        <>
          <button
            className="btn btn-sm btn-main"
            type="button"
            disabled={answer.problem !== null || draft.text.trim() === '' || !answer.keeping.ok}
            onClick={() => void keep(draft.text)}
          >
            {texts.keep}
          </button>
          <button className="btn btn-sm btn-quiet" type="button" onClick={() => onDraft(null)}>
            {isPublished ? texts.published : texts.discard}
          </button>
        </>
      )}
      {!draft && (
        <button className="btn btn-sm btn-quiet" type="button" onClick={() => void keep(null)}>
          {texts.published}
        </button>
      )}
    </div>
  );
}
