import type { ReactNode } from 'react';
import { councilPageTexts } from '../../texts';
import type { Report } from './use-council';

/** What has to be known about how a report came to be. */
export function ReportNotes({ report }: Readonly<{ report: Report }>) {
  const said = councilPageTexts().report;
  const { isHeadlineByRule, isDefaultParty, outcome, input } = report;
  const notes = [
    ...(outcome === 'stopped' ? [said.stopped] : []),
    ...(isHeadlineByRule ? [said.ruled] : []),
    ...(isDefaultParty ? [said.defaultParty] : []),
  ];
  return (
    <>
      {notes.length > 0 && <p className="co-none small muted">{notes.join(' ')}</p>}
      {input.problem !== null && (
        <div className="co-asked">
          <p className="cap">{said.asked}</p>
          <p className="co-text">{input.problem}</p>
        </div>
      )}
    </>
  );
}

type FoldProps = Readonly<{ title: string; more: string; children: ReactNode }>;

/** What opens in its place. */
export function Fold({ title, more, children }: FoldProps) {
  return (
    <details className="co-apart">
      <summary className="co-fold">
        {title}
        <span className="push small dim">{more}</span>
      </summary>
      {children}
    </details>
  );
}
