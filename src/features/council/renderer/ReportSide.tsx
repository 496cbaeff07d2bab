import type { ReactNode } from 'react';
import { figure } from '../../../renderer/pages/sessions/words';
import { councilPageTexts } from '../../../texts';
import { moneyPhrase } from '../../../wording/usage-words';
import { shortName } from '../../../wording/wording';
import type { CouncilView } from '../contract/council';
import type { CouncilRunRow } from '../contract/council-run';
import { memberName, stageLabel } from '../wording/council-page-words';
import { councilSpeaker } from '../wording/council-words';
import { boardOf, SEVERITIES } from './board';
import { initialsOf } from './map-places';
import { SeverityMark } from './SeverityMark';
import type { Report } from './use-council';

type Props = Readonly<{ view: CouncilView; row: CouncilRunRow }>;

export function ReportSide({ view, row }: Props) {
  const { report } = view;
  return (
    <div className="stack co-side">
      {report.activity === 'code_review' && <Figures report={report} />}
      <WhoTookPart view={view} />
      <Stages report={report} />
      <Cost row={row} report={report} />
    </div>
  );
}

function Figures({ report }: Readonly<{ report: Report }>) {
  const { report: texts, severity: weights } = councilPageTexts();
  const board = boardOf(report);
  const isChecked = ({ check }: (typeof board)[number]): boolean => check === 'verified' || check === 'moved';
  const count = (is: (finding: (typeof board)[number]) => boolean): number => board.filter(is).length;
  return (
    <section className="card" aria-labelledby="co-figures">
      <div className="card-head">
        <h2 id="co-figures">{texts.figures}</h2>
      </div>
      <dl className="kv card-body">
        {SEVERITIES.map((severity) => (
          <Figure key={severity} value={count((finding) => finding.severity === severity)}>
            <span className="co-weight">
              <SeverityMark severity={severity} />
              {weights[severity]}
            </span>
          </Figure>
        ))}
      </dl>
      <dl className="kv card-body co-under">
        <Figure value={texts.of(count(isChecked), board.length + report.unproved.length)}>{texts.verified}</Figure>
        <Figure value={count(({ support }) => support > 0)}>{texts.confirmed}</Figure>
        <Figure value={count(({ challengedBy }) => challengedBy.length > 0)}>{texts.challenged}</Figure>
      </dl>
    </section>
  );
}

function Figure({ value, children }: Readonly<{ value: string | number; children: ReactNode }>) {
  return (
    <div>
      <dt>{children}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function WhoTookPart({ view: { report, members } }: Readonly<{ view: CouncilView }>) {
  const texts = councilPageTexts().report;
  const { heard: answered, notHeard, fallbacks, secrets = [] } = report;
  const letters = initialsOf(answered.map(memberName));
  const isOut = (id: string): boolean => members.some((member) => member.id === id && member.state === 'out');
  return (
    <section className="card" aria-labelledby="co-heard">
      <div className="card-head">
        <h2 id="co-heard">{texts.party}</h2>
      </div>
      {answered.length === 0 && <p className="co-none muted">{texts.heardNone}</p>}
      <ul className="party">
        {answered.map((member, index) => (
          <li key={member.id} className="party-row">
            <span
              className={`ini ini-${member.id === 'oracle' ? 'oracle' : isOut(member.id) ? 'out' : 'waits'}`}
              aria-hidden="true"
            >
              {letters[index]}
            </span>
            <span className="party-line" title={member.model ?? undefined}>
              <b className="party-name">{memberName(member)}</b>{' '}
              <span className="dim party-model">
                {member.model === null ? councilSpeaker(member.speaker) : shortName(member.model)}
              </span>
            </span>
            {member.id !== 'oracle' && <span className="party-count">{member.findings}</span>}
          </li>
        ))}
      </ul>
      <Sentences
        title={texts.missing}
        lines={notHeard.map(({ who, why, kind, isPartly }) =>
          (isPartly ? texts.missedPartly : texts.missed)(kind === 'speaker' ? councilSpeaker(who) : who, why),
        )}
      />
      <Sentences
        title={texts.fallbacks}
        lines={fallbacks.map(({ speaker, from, to, hasAnswered }) =>
          (hasAnswered ? texts.tookOver : texts.tookOverUnheard)(
            shortName(to),
            shortName(from),
            councilSpeaker(speaker),
          ),
        )}
      />
      <Sentences title={texts.secrets} lines={secrets} />
    </section>
  );
}

function Sentences({ title, lines }: Readonly<{ title: string; lines: readonly string[] }>) {
  if (lines.length === 0) return null;
  return (
    <div className="co-under card-body small">
      <h3 className="cap">{title}</h3>
      <ul className="muted">
        {lines.map((line) => (
          <li key={line} className="co-under-line">
            {line}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Stages({ report: { stages } }: Readonly<{ report: Report }>) {
  const texts = councilPageTexts().report;
  if (stages.length === 0) return null;
  return (
    <section className="card" aria-labelledby="co-stages">
      <div className="card-head">
        <h2 id="co-stages">{texts.stages}</h2>
      </div>
      <dl className="kv card-body">
        {stages.map(({ id, isCompleted }) => (
          <Figure key={id} value={isCompleted ? texts.completed : texts.notCompleted}>
            {stageLabel(id)}
          </Figure>
        ))}
      </dl>
    </section>
  );
}

function Cost({ row, report }: Readonly<{ row: CouncilRunRow; report: Report }>) {
  const texts = councilPageTexts();
  const { cost, retries } = report;
  return (
    <section className="card" aria-labelledby="co-cost">
      <div className="card-head">
        <h2 id="co-cost">{texts.report.cost}</h2>
      </div>
      <dl className="kv card-body">
        <Figure value={moneyPhrase(cost.spent)}>{texts.report.spent}</Figure>
        <Figure value={cost.cap === null ? texts.plan.noCap : moneyPhrase(cost.cap)}>{texts.report.cap}</Figure>
        <Figure value={texts.report.tokensOf(figure(cost.tokens.input), figure(cost.tokens.output))}>
          {texts.report.tokens}
        </Figure>
        <Figure value={texts.report.of(retries, row.retries.of)}>{texts.report.retries}</Figure>
        {cost.unpricedTurns > 0 && <Figure value={cost.unpricedTurns}>{texts.report.unpriced}</Figure>}
      </dl>
    </section>
  );
}
