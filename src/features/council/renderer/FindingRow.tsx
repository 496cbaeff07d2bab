import { memo } from 'react';
import { useLanguage } from '../../../renderer/app/language';
import { councilPageTexts, wordTexts } from '../../../texts';
import { FindingNotes, Quote, Remarks } from './FindingParts';
import { SeverityMark } from './SeverityMark';
import type { Finding } from './use-council';

type Props = Readonly<{ finding: Finding; isOpen: boolean; onTurn: (id: string) => void }>;

export const FindingRow = memo(function FindingRow({ finding, isOpen, onTurn }: Props) {
  useLanguage();
  const { severity: weights } = councilPageTexts();
  const { id, severity, title } = finding;
  return (
    <>
      <button
        className="fnd"
        type="button"
        data-row={id}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `co-f-${id}` : undefined}
        onClick={() => onTurn(id)}
      >
        <SeverityMark severity={severity} />
        <span className="fnd-title">
          {title}
          <span className="sr">, {weights[severity]}. </span>
        </span>
        <FindingNotes finding={finding} />
      </button>
      {isOpen && <FindingDetail finding={finding} />}
    </>
  );
});

function FindingDetail({ finding }: Readonly<{ finding: Finding }>) {
  const texts = councilPageTexts().board;
  const { id, quote, line, endLine, evidence, suggestion, foundBy } = finding;
  return (
    <div className="fnd-detail" id={`co-f-${id}`}>
      <Quote text={quote} line={line} />
      <dl className="co-facts">
        <dt>{texts.evidence}</dt>
        <dd>{evidence}</dd>
        {suggestion !== null && (
          <>
            <dt>{texts.suggestion}</dt>
            <dd>{suggestion}</dd>
          </>
        )}
        <dt>{texts.found}</dt>
        <dd>
          {wordTexts().listed(foundBy)}
          {endLine !== null && endLine !== line && ` · ${texts.lines(line, endLine)}`}
        </dd>
      </dl>
      <Remarks about={finding} />
    </div>
  );
}
