import { useId } from 'react';
import { councilPageTexts } from '../../../texts';
import { byRank } from './board';
import { IdeaDetail } from './IdeaDetail';
import { IdeaNotes } from './Ideas';
import { Fold, ReportNotes, Synthesis } from './ReportParts';
import type { Option, Report } from './use-council';

export function StormReport({ report }: Readonly<{ report: Report }>) {
  const texts = councilPageTexts().storm;
  const storm = report.brainstorm;
  if (storm === null) return null;
  const options = byRank(storm.options);
  const isRanked = options.some(({ rank }) => rank !== null);
  const titles = new Map(options.map(({ id, title }) => [id, title]));
  const named = (id: string): string => titles.get(id) ?? id;
  return (
    <section className="card" aria-labelledby="co-report">
      <div className="card-head">
        <h2 id="co-report">{isRanked ? texts.options : texts.unranked}</h2>
        {isRanked && <span className="cap">{texts.caption(options.length)}</span>}
      </div>
      <ReportNotes report={report} />
      <Framing report={report} />
      {options.length === 0 && <p className="co-none muted">{texts.none}</p>}
      <ol>
        {options.map((option) => (
          <OptionItem key={option.id} option={option} ballots={storm.ballots.length} most={options[0]?.points ?? 0} />
        ))}
      </ol>
      <Lines title={texts.next} lines={storm.nextSteps} isOrdered />
      {storm.dissent.length > 0 && (
        <Lines
          title={texts.dissent}
          lines={storm.dissent.map(({ by, about, why }) =>
            [about === null ? by : texts.dissentOf(by, named(about)), why].join(': '),
          )}
        />
      )}
      {storm.ballots.length > 0 && (
        <Fold title={texts.ballots} more={texts.ballotsHint}>
          <dl className="co-ballots">
            {storm.ballots.map(({ by, ranking }) => (
              <div key={by}>
                <dt>{by}</dt>
                <dd>
                  <ol className="co-flow">
                    {ranking.map((id) => (
                      <li key={id}>{named(id)}</li>
                    ))}
                  </ol>
                </dd>
              </div>
            ))}
          </dl>
        </Fold>
      )}
      <Synthesis report={report} />
    </section>
  );
}

function Framing({ report: { brainstorm } }: Readonly<{ report: Report }>) {
  const texts = councilPageTexts().storm;
  if (brainstorm === null) return null;
  const { question, criteria, constraints, gaps } = brainstorm;
  return (
    <>
      {question !== null && (
        <div className="co-asked">
          <p className="cap">{texts.question}</p>
          <p className="co-text">{question}</p>
        </div>
      )}
      <Lines title={texts.criteria} lines={criteria} />
      <Lines title={texts.constraints} lines={constraints} />
      <Lines title={texts.gaps} lines={gaps} />
    </>
  );
}

type LinesProps = Readonly<{ title: string; lines: readonly string[]; isOrdered?: boolean }>;

function Lines({ title, lines, isOrdered = false }: LinesProps) {
  const id = useId();
  if (lines.length === 0) return null;
  const List = isOrdered ? 'ol' : 'ul';
  return (
    <div className="co-lines">
      <h3 className="cap" id={id}>
        {title}
      </h3>
      <List aria-labelledby={id}>
        {lines.map((line) => (
          <li key={line} className="co-lines-line">
            {line}
          </li>
        ))}
      </List>
    </div>
  );
}

type OptionProps = Readonly<{ option: Option; ballots: number; most: number }>;

function OptionItem({ option, ballots, most }: OptionProps) {
  const { rank, title, points } = option;
  return (
    <li className="rep-f rep-idea">
      <span className="rep-n">{rank ?? '–'}</span>
      <h3>{title}</h3>
      <IdeaNotes option={option} ballots={ballots} />
      {most > 0 && (
        <span className="co-points" aria-hidden="true">
          <i className="co-points-won" style={{ width: `${Math.round((100 * points) / most)}%` }} />
        </span>
      )}
      <div className="rep-more">
        <IdeaDetail option={option} />
      </div>
    </li>
  );
}
