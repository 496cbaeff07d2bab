import { useState } from 'react';
import type { QueryOutput } from '../../../contract/contract';
import type { SessionEntry } from '../../../contract/sessions';
import type { Snapshot } from '../../../contract/snapshot';
import { sessionTexts } from '../../../texts';
import { useAnswer, useAsked } from '../../app/asked';
import { useCommands } from '../../app/commands/use-commands';
import { useEscapeTo, useFocusOnMain } from '../../app/detail-page';
import { useCalm } from '../../app/pages-of';
import { useSnapshot } from '../../app/panel';
import { hrefOf } from '../../app/routes';
import { PageHead } from '../../components/PageHead';
import { Bones, Unanswered, useLate } from '../../components/Waiting';
import { AgentsNow } from './AgentsNow';
import { ExportDialog } from './ExportDialog';
import { Gantt } from './Gantt';
import { ScorecardView } from './ScorecardView';
import { ledeOf, plainName, sessionName } from './words';

/** Minimum time between queries. */
const NEWS_MS = 1_000;

type TimelineAnswer = QueryOutput<'sessions.timeline'>;

export function SessionDetail({ session }: Readonly<{ session: string }>) {
  const snapshot = useSnapshot();
  const news = useCalm(newsOf(snapshot, session), NEWS_MS);
  const timeline = useAnswer('sessions.timeline', { session, limit: 1 }, `${session} ${news}`);
  const scorecard = useAnswer('scorecard.get', { session }, `${session} ${news}`);
  const agents = useAsked('scorecard.agents', { session }, `${session} ${news}`);
  const [isExporting, setExporting] = useState(false);
  useCommands(() => [
    { id: 'export', group: 'here', title: sessionTexts().card.export, run: () => setExporting(true) },
  ]);
  useFocusOnMain();
  useEscapeTo(hrefOf('sessions'));
  const { answer, problem } = timeline;
  const entry = answer?.entry ?? null;
  return (
    <>
      <Head
        entry={entry}
        isUnknown={answer !== null && entry === null}
        isReading={answer === null && problem === null}
      />
      {problem !== null && <Unanswered problem={problem} onAgain={timeline.again} />}
      <AgentsNow session={session} snapshot={snapshot} />
      {(entry !== null || problem !== null) && (
        <div className="session">
          {answer && entry && <Timeline session={session} answer={answer} news={news} />}
          <ScorecardView
            document={scorecard.answer}
            agents={agents ?? null}
            axis={answer?.axis ?? null}
            problem={scorecard.problem}
            onAgain={scorecard.again}
            onExport={() => setExporting(true)}
          />
        </div>
      )}
      {answer === null && problem === null && <Late />}
      {isExporting && (
        <ExportDialog
          session={session}
          about={entry ? plainName(entry, snapshot.at) : session}
          onEnd={() => setExporting(false)}
        />
      )}
    </>
  );
}

function Late() {
  return useLate() ? <Bones /> : null;
}

type HeadProps = Readonly<{ entry: SessionEntry | null; isUnknown: boolean; isReading: boolean }>;

function Head({ entry, isUnknown, isReading }: HeadProps) {
  const { at } = useSnapshot();
  const { detail, list } = sessionTexts();
  const title = isUnknown ? detail.unknown : entry ? sessionName(entry, at) : list.title;
  const lede = entry ? ledeOf(entry, at) : isUnknown ? detail.unknownHint : isReading ? list.reading : '';
  return (
    <PageHead title={title} lede={lede}>
      <a className="btn btn-quiet" href={hrefOf('sessions')}>
        {detail.all}
      </a>
    </PageHead>
  );
}

function Timeline({ session, answer, news }: Readonly<{ session: string; answer: TimelineAnswer; news: string }>) {
  const { entry, axis, total, troubled } = answer;
  const { timeline } = sessionTexts();
  if (axis) {
    const isLive = entry?.isLive ?? false;
    return <Gantt session={session} axis={axis} total={total} troubled={troubled} isLive={isLive} news={news} />;
  }
  return (
    <section className="card" aria-label={timeline.title}>
      <p className="card-body muted">{timeline.none}</p>
    </section>
  );
}

function newsOf({ sessions }: Snapshot, session: string): string {
  const row = sessions.find((each) => each.session === session);
  return row
    ? JSON.stringify([row.at, row.isIdle, row.isLive, row.title, row.turns, row.usage?.total, row.agents])
    : '';
}
