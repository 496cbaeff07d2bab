import type { ReactNode } from 'react';
import { councilPageTexts } from '../../../texts';
import type { Report } from './use-council';

export function ReportNotes({ report }: Readonly<{ report: Report }>) {
  const texts = councilPageTexts().report;
  const { isHeadlineByRule, isDefaultParty, isLessGrounded, outcome, input } = report;
  const notes = [
    ...(outcome === 'stopped' ? [texts.stopped] : []),
    ...(isHeadlineByRule ? [texts.ruled] : []),
    ...(isDefaultParty ? [texts.defaultParty] : []),
    ...(isLessGrounded ? [texts.lessGrounded] : []),
  ];
  return (
    <>
      {notes.length > 0 && <p className="co-none small muted">{notes.join(' ')}</p>}
      {input.problem !== null && (
        <div className="co-asked">
          <p className="cap">{texts.asked}</p>
          <p className="co-text">{input.problem}</p>
        </div>
      )}
    </>
  );
}

export function Synthesis({ report: { synthesis } }: Readonly<{ report: Report }>) {
  const texts = councilPageTexts().report;
  return (
    synthesis && (
      <Fold title={texts.synthesis} more={texts.synthesisBy(synthesis.by)}>
        <p className="co-text co-none">{synthesis.text}</p>
      </Fold>
    )
  );
}

type FoldProps = Readonly<{ title: string; more: string; children: ReactNode }>;

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
