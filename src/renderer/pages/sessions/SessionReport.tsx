import { useId } from 'react';
import type { QueryOutput } from '../../../contract/contract';
import type { AgentFigures, ScorecardDocument } from '../../../contract/scorecard';
import type { SessionEntry, TimelineAxis, TimelineTurn } from '../../../contract/sessions';
import { sessionTexts } from '../../../texts';
import { useSnapshot } from '../../app/panel';
import { AgentsNow } from './AgentsNow';
import { GanttLegend } from './GanttLegend';
import { GanttRow, isExplained, whyId } from './GanttRow';
import { GanttTable } from './GanttTable';
import { partsOf, type Span, wholeOf } from './gantt';
import { Blocks } from './ScorecardView';
import { StateLanes } from './StateLanes';
import { decisionsIn, type Explained, WhyText } from './TurnWhy';
import { ledeOf, moment, plainName } from './words';

export type Whole = Readonly<{
  entry: SessionEntry;
  axis: TimelineAxis | null;
  troubled: QueryOutput<'sessions.timeline'>['troubled'];
  turns: readonly TimelineTurn[];
  decisions: ReadonlyMap<number, Explained>;
  document: ScorecardDocument;
  agents: readonly AgentFigures[];
}>;

/** Recipients may not be allowed to see OpenCode's title. */
export function SessionReport({ whole }: Readonly<{ whole: Whole }>) {
  const snapshot = useSnapshot();
  const { app, at } = snapshot;
  const { entry, axis, document, agents } = whole;
  const { card, export: texts } = sessionTexts();
  const id = useId();
  return (
    <>
      <header className="head">
        <div className="head-text">
          <h1>{plainName(entry, at)}</h1>
          <p className="lede">{ledeOf(entry, at)}</p>
        </div>
      </header>
      <AgentsNow session={entry.session} snapshot={snapshot} />
      {axis && <WholeTimeline whole={whole} axis={axis} />}
      <section className="card score" aria-labelledby={id}>
        <div className="card-head">
          <h2 id={id}>{card.title}</h2>
        </div>
        <Blocks document={document} agents={agents} axis={axis} isWhole />
      </section>
      <footer className="small muted">
        {texts.made(moment(at, 0), app.version)} {texts.clean}
      </footer>
    </>
  );
}

function WholeTimeline({ whole, axis }: Readonly<{ whole: Whole; axis: TimelineAxis }>) {
  const { timeline } = sessionTexts();
  const { turns, troubled } = whole;
  const id = useId();
  return (
    <section className="card gantt" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{timeline.title}</h2>
        <span className="cap">{timeline.caption(troubled)}</span>
      </div>
      {partsOf(turns, wholeOf(axis)).map((window) => (
        <Part key={window.since} whole={whole} axis={axis} window={window} />
      ))}
      <GanttLegend turns={turns} axis={axis} window={wholeOf(axis)} />
      <GanttTable turns={turns} axis={axis} />
    </section>
  );
}

type PartProps = Readonly<{ whole: Whole; axis: TimelineAxis; window: Span }>;

function Part({ whole: { turns, decisions }, axis, window }: PartProps) {
  const shown = turns.filter(({ at }) => at >= window.since && at < window.until);
  return (
    <>
      <StateLanes axis={axis} window={window} />
      <ol>
        {shown.map((turn) => (
          <li key={turn.number} className="grow">
            <GanttRow turn={turn} axis={axis} window={window} isOpen={isExplained(turn)} onToggle={null}>
              <WhyText
                id={whyId(turn)}
                turn={turn}
                axis={axis}
                explained={decisionsIn(turn).flatMap((event) => decisions.get(event) ?? [])}
              />
            </GanttRow>
          </li>
        ))}
      </ol>
    </>
  );
}
