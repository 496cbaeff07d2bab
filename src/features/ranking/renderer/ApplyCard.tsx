import { useId, useState } from 'react';
import type { QueryInput, QueryOutput } from '../../../contract/contract';
import { useAnswer } from '../../../renderer/app/asked';
import { usePanel } from '../../../renderer/app/panel';
import { notifyResult } from '../../../renderer/app/told';
import { Diff } from '../../../renderer/components/Diff';
import { rankingPageTexts, shellTexts } from '../../../texts';
import { agentLabel } from '../../../wording/wording';
import type { RankAnswer } from '../contract/ranking';
import type { Ranking } from './use-ranking';

type Written = Extract<QueryOutput<'rank.apply'>, { ok: true }>['files'];
/** `before`: the chain before the write. */
type Outcome = Readonly<{ files: Written; isUndone: boolean; run: string; before: string }>;
type Props = Readonly<{ ranking: Ranking; answer: RankAnswer; setsDepth: boolean }>;

export function ApplyCard({ ranking, answer, setsDepth }: Props) {
  const texts = rankingPageTexts().apply;
  const id = useId();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { run, isOfRun, isBusy } = ranking;
  if (run === null || !isOfRun) return null;
  const open = answer.reviews.filter(({ choice }) => choice === null).length;
  const isApplied = run.phases.post_check.state === 'done';
  const done = outcome?.run === run.id ? outcome : null;
  // Another process may write or undo too.
  const present = JSON.stringify(answer.proposal?.present ?? []);
  const isInForce = present === JSON.stringify(run.written?.chain) || (done !== null && present === done.before);
  const note = (isUndone: boolean) => (files: Written) => setOutcome({ files, isUndone, run: run.id, before: present });
  return (
    <section className="card rk-apply" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{texts.title}</h2>
        {open > 0 && !isApplied && <span className="cap push">{texts.toDecide(open)}</span>}
      </div>
      {isApplied ? (
        <Receipt
          ranking={ranking}
          isUndone={done?.isUndone ?? false}
          isInForce={isInForce}
          files={done?.files ?? run.written?.files ?? []}
          onUndone={note(true)}
        />
      ) : (
        <>
          {open > 0 && <p className="card-body small">{rankingPageTexts().review.rule}</p>}
          {open === 0 && !isBusy && (
            <Change ranking={ranking} setsDepth={setsDepth} onWritten={note(false)} onUndone={note(true)} />
          )}
          {open === 0 && isBusy && <p className="card-body small">{texts.working}</p>}
        </>
      )}
    </section>
  );
}

type ChangeProps = Readonly<{
  ranking: Ranking;
  setsDepth: boolean;
  onWritten: (files: Written) => void;
  onUndone: (files: Written) => void;
}>;

function Change({ ranking, setsDepth, onWritten, onUndone }: ChangeProps) {
  const panel = usePanel();
  const texts = rankingPageTexts().apply;
  const { place, run, round, again, act } = ranking;
  const [isWriting, setWriting] = useState(false);
  const question: QueryInput<'rank.preview'> = { ...place, scope: null, create: true, setsDepth };
  const key = `${JSON.stringify(question)} ${run?.settled} ${round}`;
  const { answer, problem } = useAnswer('rank.preview', question, key);
  const preview = answer?.ok ? answer : null;
  const refusal = problem ?? (answer?.ok === false ? answer.reason : null);
  const undo = useUndo(ranking, onUndone);
  const apply = async () => {
    if (preview === null || isWriting) return;
    setWriting(true);
    const input = { ...question, settled: preview.settled, seen: preview.files.map(({ seen }) => seen) };
    const done = await notifyResult(panel, panel.api.ask('rank.apply', input), {
      text: texts.done(agentLabel(place.agent)),
      undo: ({ files }) => (files.some(({ receipt }) => receipt !== null) ? () => void undo(files) : null),
    });
    setWriting(false);
    if (done) {
      onWritten(done.files);
      await act({ type: 'go', key: null });
    }
    again();
  };
  if (refusal !== null)
    return (
      <p className="card-body small" role="alert">
        {refusal}
      </p>
    );
  if (preview === null) return <p className="card-body small">{texts.working}</p>;
  const isSame = preview.files.every(({ diff }) => diff === '');
  return (
    <div className="card-body rk-change">
      {preview.files.map(({ path, diff }) => (
        <div key={path}>
          <p className="small path">{texts.writes(path)}</p>
          {diff === '' ? <p className="small">{texts.same}</p> : <Diff text={diff} of={path} />}
        </div>
      ))}
      <p className="small muted">{texts.consequence}</p>
      <button
        className="btn btn-main"
        type="button"
        disabled={isSame}
        aria-disabled={isWriting}
        onClick={() => void apply()}
      >
        {texts.button}
      </button>
    </div>
  );
}

function useUndo({ again }: Ranking, onUndone: (files: Written) => void) {
  const panel = usePanel();
  return async (files: Written): Promise<void> => {
    for (const { receipt } of files.toReversed()) {
      if (receipt === null) continue;
      const request = panel.api.ask('setup.undo', { receipt });
      if (!(await notifyResult(panel, request, { text: shellTexts().notice.undone }))) return again();
    }
    onUndone(files);
    again();
  };
}

type ReceiptProps = Readonly<{
  ranking: Ranking;
  files: Written;
  isUndone: boolean;
  isInForce: boolean;
  onUndone: (files: Written) => void;
}>;

function Receipt({ ranking, files, isUndone, isInForce, onUndone }: ReceiptProps) {
  const texts = rankingPageTexts().apply;
  const undo = useUndo(ranking, onUndone);
  const isHeld = isInForce && !isUndone;
  return (
    <div className="card-body rk-change" role="status">
      <p>{isUndone ? texts.undoneAll : isInForce ? `${texts.applied} ${texts.checked}` : texts.since}</p>
      {isHeld &&
        files.map(({ path }) => (
          <p className="small path" key={path}>
            {path}
          </p>
        ))}
      {isHeld && files.some(({ receipt }) => receipt !== null) && (
        <button className="btn" type="button" onClick={() => void undo(files)}>
          {texts.undo}
        </button>
      )}
    </div>
  );
}
