import { type ChainNote, type ChainRow, chainNotes, changesPhrase, leadNotes, shortName } from '../../contract';
import { chainTexts } from '../../texts';
import { Glyph } from '../components/Glyph';
import { useSnapshot } from '../panel';
import { changesOf, type Draft, type DraftStep } from './draft';
import { WhatIf } from './WhatIf';

type Props = Readonly<{
  chain: ChainRow;
  draft: Draft;
  /** The model that leads although the file does not name it; null when the file says it all. */
  lead: string | null;
  take: (step: DraftStep) => void;
  onApply: () => void;
}>;

/** What a draft changes, what speaks against it, and the ways on. */
export function DraftBar({ chain, draft, lead, take, onApply }: Props) {
  const snapshot = useSnapshot();
  const said = chainTexts().draft;
  const changes = changesOf(draft);
  const count = changes.moved + changes.added + changes.removed;
  // What is written for all chooses nobody's lead.
  const isLed = lead !== null && (chain.agent === '*' || !draft.models.includes(lead));
  const others = draft.models.filter((model) => model !== lead);
  const leaders = { from: chain.chain[0]?.model, to: isLed ? lead : draft.models[0] };
  const notes = [
    ...leadNotes(snapshot, { agent: chain.agent, ...leaders }),
    ...chainNotes(snapshot, chain, draft.models),
  ];
  return (
    <section className="card draft" aria-label={said.name}>
      <div className="draft-top">
        <p>
          <b>{said.changes(count)}</b> <span className="muted">{changesPhrase(changes)}</span>
        </p>
        <button
          className="btn btn-quiet"
          type="button"
          aria-keyshortcuts="Control+Z"
          onClick={() => take({ type: 'undo' })}
        >
          {said.undo}
        </button>
        <button className="btn" type="button" onClick={() => take({ type: 'discard' })}>
          {said.discard}
        </button>
        <button
          className="btn btn-main"
          type="button"
          aria-keyshortcuts="Control+S"
          disabled={notes.some(({ severity }) => severity === 'error')}
          onClick={onApply}
        >
          {said.apply}
        </button>
      </div>
      {notes.length > 0 && (
        <ul className="draft-notes">
          {notes.map((note) => (
            <Note key={note.text} note={note} take={take} />
          ))}
        </ul>
      )}
      <WhatIf agent={chain.agent} models={isLed ? [lead, ...others] : draft.models} />
    </section>
  );
}

function Note({ note, take }: Readonly<{ note: ChainNote; take: Props['take'] }>) {
  const { severity, text, model } = note;
  return (
    <li className="note">
      <Glyph name={severity === 'info' ? 'info' : 'warn'} />
      <span className={severity === 'info' ? 'muted' : undefined}>{text}</span>
      {model && (
        <button
          className="btn btn-sm btn-quiet"
          type="button"
          aria-label={chainTexts().draft.remove(shortName(model))}
          onClick={() => take({ type: 'remove', model })}
        >
          {chainTexts().draft.removeIt}
        </button>
      )}
    </li>
  );
}
