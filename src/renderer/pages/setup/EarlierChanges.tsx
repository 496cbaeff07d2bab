import { useState } from 'react';
import type { QueryOutput } from '../../../contract/contract';
import { setupTexts, spokenLanguage } from '../../../texts';
import type { Answered } from '../../app/asked';
import { usePanel } from '../../app/panel';
import { Dialog } from '../../components/Dialog';
import { Fold } from './Fold';
import { takeBack } from './writes';

type Receipt = QueryOutput<'setup.receipts'>[number];
type Props = Readonly<{ receipts: Answered<'setup.receipts'>; onWritten: () => void }>;

/** Undo is available if it loses nothing newer. */
export function EarlierChanges({ receipts, onWritten }: Props) {
  const panel = usePanel();
  const texts = setupTexts();
  const [chosen, choose] = useState<Receipt | null>(null);
  const rows = receipts.answer ?? [];
  return (
    <Fold id="changes" title={texts.changes.title} caption={rows.length > 0 ? texts.changes.caption : ''}>
      {receipts.problem !== null && <p className="card-body">{texts.failed(receipts.problem)}</p>}
      {receipts.answer?.length === 0 && <p className="card-body muted">{texts.changes.none}</p>}
      {rows.length > 0 && <Table rows={rows} onChoose={choose} />}
      {chosen && (
        <Dialog
          title={texts.changes.restoreTitle}
          action={texts.changes.restoreAction}
          consequences={[texts.changes.restoreMore]}
          onAct={() => void takeBack(panel, [chosen.receipt], onWritten)}
          onEnd={() => choose(null)}
        >
          <p className="small path">{chosen.path}</p>
        </Dialog>
      )}
    </Fold>
  );
}

type TableProps = Readonly<{ rows: readonly Receipt[]; onChoose: (row: Receipt) => void }>;

function Table({ rows, onChoose }: TableProps) {
  const texts = setupTexts().changes;
  const when = new Intl.DateTimeFormat(spokenLanguage(), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <table className="tbl changes">
      <thead className="sr">
        <tr>
          <th scope="col">{texts.when}</th>
          <th scope="col">{texts.what}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.receipt}>
            <td className="nowrap">{when.format(row.at)}</td>
            <td>
              {texts.by(row.deed, row.actor)}
              <span className="path">{row.path}</span>
            </td>
            <td className="num">
              {row.isLatest ? (
                <button className="btn btn-sm" type="button" onClick={() => onChoose(row)}>
                  {texts.restore}
                </button>
              ) : (
                <span className="muted" title={texts.newerMore}>
                  {texts.newer}
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
