import { type ChangeEvent, type FormEvent, useId, useState } from 'react';
import type { QueryOutput } from '../../../contract/contract';
import { reasonOf } from '../../../renderer/app/asked';
import { usePanel } from '../../../renderer/app/panel';
import { useModal } from '../../../renderer/components/use-modal';
import { rankingPageTexts } from '../../../texts';

type Outcome = QueryOutput<'rank.import'>;

export function TakeValues({ onTaken, onEnd }: Readonly<{ onTaken: () => void; onEnd: () => void }>) {
  const { api } = usePanel();
  const texts = rankingPageTexts().take;
  const dialog = useModal('textarea');
  const id = useId();
  const [text, setText] = useState('');
  const [source, setSource] = useState('');
  const [date, setDate] = useState('');
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const read = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    if (!file) return;
    setText(await file.text());
    setSource((before) => before || file.name);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const question = { text, source: source.trim(), date: date || null };
    const answer: Outcome = await api
      .ask('rank.import', question)
      .catch((error: unknown) => ({ ok: false, reason: reasonOf(error) }));
    setOutcome(answer);
    if (answer.ok && answer.taken > 0) onTaken();
  };
  return (
    <dialog className="dialog rk-dialog" ref={dialog} aria-labelledby={id} onClose={onEnd}>
      <form onSubmit={(event) => void submit(event)}>
        <h2 id={id}>{texts.title}</h2>
        <label className="rk-field">
          <span className="small">{texts.text}</span>
          <textarea
            className="field"
            rows={7}
            required
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <label className="rk-field">
          <span className="small">{texts.file}</span>
          <input type="file" accept=".json,.csv,.txt" onChange={(event) => void read(event)} />
        </label>
        <label className="rk-field">
          <span className="small">{texts.source}</span>
          <input
            className="field"
            required
            maxLength={500}
            value={source}
            onChange={(event) => setSource(event.currentTarget.value)}
          />
        </label>
        <label className="rk-field">
          <span className="small">{texts.date}</span>
          <input className="field" type="date" value={date} onChange={(event) => setDate(event.currentTarget.value)} />
        </label>
        <div role="status">{outcome && <Told outcome={outcome} />}</div>
        <div className="dialog-actions">
          <button className="btn" type="button" onClick={onEnd}>
            {texts.close}
          </button>
          <button className="btn btn-main" type="submit">
            {texts.action}
          </button>
        </div>
      </form>
    </dialog>
  );
}

function Told({ outcome }: Readonly<{ outcome: Outcome }>) {
  const texts = rankingPageTexts().take;
  if (!outcome.ok) return <p>{texts.failed(outcome.reason)}</p>;
  const { taken, problems } = outcome;
  return (
    <>
      <p>{texts.taken(taken)}</p>
      {problems.length > 0 && (
        <>
          <p>{texts.problems(problems.length)}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
          <ul className="rk-scroll small" tabIndex={0} aria-label={texts.problems(problems.length)}>
            {problems.map(({ line, message }) => (
              <li key={`${line} ${message}`}>{line === null ? message : texts.line(line, message)}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
