import { useState } from 'react';
import { Icon } from '../../../renderer/components/Icon';
import { councilPageTexts } from '../../../texts';
import type { CouncilView } from '../contract/council';
import type { CouncilRunRow } from '../contract/council-run';
import { linePhrase } from '../wording/council-page-words';
import { FindingNotes, Quote, Remarks } from './FindingParts';
import { Fold, ReportNotes, Synthesis } from './ReportParts';
import { ReportSide } from './ReportSide';
import { SeverityMark } from './SeverityMark';
import { StormReport } from './StormReport';
import type { Finding, Report } from './use-council';

const SHOWN = 10;

type Props = Readonly<{ view: CouncilView; row: CouncilRunRow }>;

export function ReportView({ view, row }: Props) {
  const { report } = view;
  return (
    <div className="rep">
      {report.brainstorm === null ? <Findings report={report} /> : <StormReport report={report} />}
      <ReportSide view={view} row={row} />
    </div>
  );
}

function Findings({ report }: Readonly<{ report: Report }>) {
  const texts = councilPageTexts().report;
  const [isWhole, showWhole] = useState(false);
  const { findings, unproved, praise, isHeadlineByRule } = report;
  const shown = isWhole || findings.length <= SHOWN + 1 ? findings : findings.slice(0, SHOWN);
  const left = findings.length - shown.length;
  const praised = praise.findings.length + praise.words.length;
  return (
    <section className="card" aria-labelledby="co-report">
      <div className="card-head">
        <h2 id="co-report">{isHeadlineByRule ? texts.byRule : texts.order}</h2>
        <span className="cap">{texts.caption(findings.length)}</span>
      </div>
      <ReportNotes report={report} />
      {findings.length === 0 && <p className="co-none muted">{texts.none}</p>}
      <ol>
        {shown.map((finding, index) => (
          <ReportFinding key={finding.id} finding={finding} number={index + 1} />
        ))}
      </ol>
      {left > 0 && (
        <button className="co-fold" type="button" onClick={() => showWhole(true)}>
          <Icon name="chevron" />
          {texts.rest(left)}
        </button>
      )}
      {praised > 0 && (
        <Fold title={texts.praise} more={String(praised)}>
          <ul>
            {praise.findings.map((finding) => (
              <PraiseItem key={finding.id} finding={finding} />
            ))}
            {praise.words.map((words) => (
              <li key={words} className="rep-f">
                <SeverityMark severity="praise" />
                <p>{words}</p>
              </li>
            ))}
          </ul>
        </Fold>
      )}
      {unproved.length > 0 && (
        <Fold title={texts.unproved} more={texts.never(unproved.length)}>
          <ol>
            {unproved.map((finding, index) => (
              <ReportFinding key={finding.id} finding={finding} number={index + 1} />
            ))}
          </ol>
        </Fold>
      )}
      <Synthesis report={report} />
    </section>
  );
}

type FindingProps = Readonly<{ finding: Finding; number: number }>;

function ReportFinding({ finding, number }: FindingProps) {
  const { severity: weights } = councilPageTexts();
  const { severity, title, evidence, suggestion, quote, line } = finding;
  return (
    <li className="rep-f">
      <span className="rep-n">{number}</span>
      <h3>{title}</h3>
      <span className={`sev c-${severity}`}>
        <SeverityMark severity={severity} />
        {weights[severity]}
      </span>
      <p>
        {evidence} {suggestion}
      </p>
      <Quote text={quote} line={line} />
      <FindingNotes finding={finding} isNamed />
      <Remarks about={finding} />
    </li>
  );
}

function PraiseItem({ finding }: Readonly<{ finding: Finding }>) {
  const { title, evidence } = finding;
  return (
    <li className="rep-f">
      <SeverityMark severity="praise" />
      <h3>{title}</h3>
      <p>{evidence}</p>
      <span className="fnd-notes">
        <code>{linePhrase(finding)}</code>
        <span>{finding.foundBy[0]}</span>
      </span>
    </li>
  );
}
