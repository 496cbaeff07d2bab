import { useState } from 'react';
import type { ChainRow, Snapshot } from '../../../contract/snapshot';
import { chainTexts, editorTexts } from '../../../texts';
import { type ChainNote, leadChangeSentence, leadNotes } from '../../../wording/chain-words';
import { shortName } from '../../../wording/wording';
import { keyLabel } from '../../app/commands/keys';
import { Diff } from '../../components/Diff';
import { Glyph } from '../../components/Glyph';
import type { Draft, DraftStep } from './draft';
import { ListDiff } from './ListDiff';
import { listDiff } from './list-diff';
import type { Apply } from './use-apply';
import { WhatIf } from './WhatIf';

type Props = Readonly<{
  chain: ChainRow;
  draft: Draft;
  /** The primary; null if the file names it. */
  lead: string | null;
  snapshot: Snapshot;
  cautions: readonly ChainNote[];
  applying: Apply;
  take: (step: DraftStep) => void;
}>;

export function DraftBar({ chain, draft, lead, snapshot, cautions, applying, take }: Props) {
  const texts = chainTexts().draft;
  const [isRaw, showRaw] = useState(false);
  const { now } = draft;
  const changes = listDiff(draft);
  const isLed = isLedBy(chain, now.models, lead);
  const others = now.models.filter((model) => model !== lead);
  const { preview, problem, apply } = applying;
  const leader = isLed && lead !== null ? lead : now.models[0];
  const notes = [...leadersIn(applying, snapshot, chain, leader), ...cautions];
  const isRefused = cautions.some(({ severity }) => severity === 'error');
  return (
    <section className="draft" aria-label={texts.name}>
      <div className="card draft-changes">
        <ListDiff changes={changes} draft={draft} />
        <p className="draft-where small muted" role="status">
          {problem ??
            (preview
              ? `${editorTexts().diff.writes(preview.path)} ${chainTexts().apply.consequence}`
              : chainTexts().apply.working)}
        </p>
        {isRaw && preview && preview.diff !== '' && <Diff text={preview.diff} />}
        {notes.length > 0 && (
          <ul className="draft-notes">
            {notes.map((note) => (
              <Note key={`${note.model} ${note.text}`} note={note} take={take} />
            ))}
          </ul>
        )}
        <WhatIf agent={chain.agent} models={isLed && lead !== null ? [lead, ...others] : now.models} />
      </div>
      <div className="card draft-top">
        <p>
          <b>{texts.changes(changes.length)}</b>{' '}
          {leader !== undefined && leader === chain.chain[0]?.model && (
            <span className="muted">{editorTexts().diff.sameLead}</span>
          )}
        </p>
        <button className="btn btn-quiet" type="button" aria-expanded={isRaw} onClick={() => showRaw((was) => !was)}>
          {editorTexts().diff.raw}
        </button>
        <button
          className="btn btn-quiet"
          type="button"
          aria-keyshortcuts="Control+Z"
          disabled={draft.past.length === 0}
          onClick={() => take({ type: 'undo' })}
        >
          {texts.undo} <Key keys="Mod+z" />
        </button>
        <button className="btn" type="button" onClick={() => take({ type: 'discard' })}>
          {texts.discard}
        </button>
        <button
          className="btn btn-main"
          type="button"
          aria-keyshortcuts="Control+S"
          disabled={isRefused || problem !== null}
          onClick={apply}
        >
          {texts.apply} <Key keys="Mod+s" />
        </button>
      </div>
    </section>
  );
}

/** Screen readers get the key from the button. */
const Key = ({ keys }: Readonly<{ keys: string }>) => (
  <span className="key" aria-hidden="true">
    {keyLabel(keys)}
  </span>
);

/** A default chain sets no primary. */
const isLedBy = ({ agent }: ChainRow, models: readonly string[], lead: string | null): boolean =>
  lead !== null && (agent === '*' || !models.includes(lead));

/** From the preview, else estimated here. */
function leadersIn(
  { preview }: Apply,
  snapshot: Snapshot,
  chain: ChainRow,
  to: string | undefined,
): readonly ChainNote[] {
  if (preview === null || preview.leads.length === 0)
    return leadNotes(snapshot, { agent: chain.agent, from: chain.chain[0]?.model, to });
  return preview.leads.map((lead) => ({ severity: 'warning', model: null, text: leadChangeSentence(lead) }));
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
