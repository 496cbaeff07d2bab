import { type ReactNode, useState } from 'react';
import { useEscapeFirst } from '../../../renderer/app/detail-page';
import { onRowKey } from '../../../renderer/app/row-keys';
import { Icon } from '../../../renderer/components/Icon';
import { councilPageTexts, wordTexts } from '../../../texts';
import { Pick } from './BoardFilters';
import { byRank, distinct } from './board';
import { IdeaDetail } from './IdeaDetail';
import { pointsPhrase } from './idea-words';
import type { Option, Report } from './use-council';

export function Ideas({ report, children }: Readonly<{ report: Report; children: ReactNode }>) {
  const texts = councilPageTexts();
  const [persona, setPersona] = useState<string | null>(null);
  const [isChallenged, setChallenged] = useState(false);
  const [open, setOpen] = useState<string | null>(null);
  useEscapeFirst(open === null ? null : () => setOpen(null));
  const options = byRank(report.brainstorm?.options ?? []);
  const ballots = report.brainstorm?.ballots.length ?? 0;
  const shown = options.filter(
    ({ proposedBy, challengedBy }) =>
      (persona === null || proposedBy.includes(persona)) && (!isChallenged || challengedBy.length > 0),
  );
  const personas = distinct(options.flatMap(({ proposedBy }) => proposedBy)).map((name) => [name, name] as const);
  return (
    <section className="card co-board" aria-labelledby="co-ideas">
      <div className="card-head">
        <h2 id="co-ideas">{texts.ideas.title}</h2>
        <span className="cap">{texts.ideas.caption}</span>
      </div>
      <div className="co-conditions">
        <Pick
          label={texts.ideas.persona}
          none={texts.board.anybody}
          value={persona}
          options={personas}
          onPick={setPersona}
        />
        <label className="tick">
          <input
            type="checkbox"
            checked={isChallenged}
            onChange={(event) => setChallenged(event.currentTarget.checked)}
          />
          <span>{texts.board.challenged}</span>
        </label>
      </div>
      {shown.length === 0 && <p className="co-none muted">{texts.ideas.none}</p>}
      <ol className="fnds" onKeyDown={onRowKey}>
        {shown.map((option) => (
          <li key={option.id} className="fnd-item">
            <IdeaRow
              option={option}
              ballots={ballots}
              isOpen={open === option.id}
              onTurn={() => setOpen(open === option.id ? null : option.id)}
            />
          </li>
        ))}
      </ol>
      {children}
    </section>
  );
}

type RowProps = Readonly<{ option: Option; ballots: number; isOpen: boolean; onTurn: () => void }>;

function IdeaRow({ option, ballots, isOpen, onTurn }: RowProps) {
  const { id, rank, title } = option;
  return (
    <>
      <button
        className="fnd"
        type="button"
        data-row={id}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `co-i-${id}` : undefined}
        onClick={onTurn}
      >
        <span className="idea-rank">{rank ?? '–'}</span>
        <span className="fnd-title">{title}</span>
        <IdeaNotes option={option} ballots={ballots} />
      </button>
      {isOpen && (
        <div className="fnd-detail" id={`co-i-${id}`}>
          <IdeaDetail option={option} />
        </div>
      )}
    </>
  );
}

export function IdeaNotes({ option, ballots }: Readonly<{ option: Option; ballots: number }>) {
  const texts = councilPageTexts().ideas;
  const { rank, proposedBy, supportedBy, challengedBy } = option;
  return (
    <span className="fnd-notes">
      <span>{texts.by(wordTexts().listed(proposedBy))}</span>
      {rank !== null && <span>{pointsPhrase(option, ballots)}</span>}
      {supportedBy.length > 0 && (
        <span>
          <Icon name="plus" />
          {texts.supported(supportedBy.length)}
        </span>
      )}
      {challengedBy.length > 0 && (
        <span className="c-degraded">
          <Icon name="ask" />
          {texts.challenged(challengedBy.length)}
        </span>
      )}
    </span>
  );
}
