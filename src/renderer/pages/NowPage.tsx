import { useId } from 'react';
import type { AgentRow, ChainRow, EventRow, ModelRow, SessionRow, Snapshot } from '../../contract';
import { agentLabel, clock, counted, verdict } from '../../contract';
import { moreTexts, nowTexts, sessionTexts, shellTexts } from '../../texts';
import { AgentItem, pinOf } from '../components/AgentItem';
import { ConfigExample } from '../components/ConfigExample';
import { EventLine } from '../components/EventLine';
import { Glyph } from '../components/Glyph';
import { ModelId } from '../components/ModelId';
import { ModelStrip } from '../components/ModelStrip';
import { More } from '../components/More';
import { PageHead } from '../components/PageHead';
import { Problems } from '../components/Problems';
import { SectionTitle } from '../components/SectionTitle';
import { DemoOffer } from '../now/DemoOffer';
import { Pause } from '../now/Pause';
import { QuestionBar } from '../now/QuestionBar';
import { useSnapshot } from '../panel';
import { hrefOf } from '../routes';
import { useSteadyOrder } from '../steady-order';

const LAST_EVENTS = 5;
/** Agents on this page in all; those of the latest sessions, the urgent ones first. */
const AGENTS_SHOWN = 40;
const CHAINS_SHOWN = 20;

/** Who speaks for whom, why, and until when. */
export function NowPage() {
  const snapshot = useSnapshot();
  const said = verdict(snapshot);
  return (
    <>
      {/* Where a question follows, it says itself what it asks. */}
      <PageHead title={said.title} lede={snapshot.questions.length > 0 ? '' : said.lede}>
        <Pause pause={snapshot.pause} />
      </PageHead>
      <QuestionBar questions={snapshot.questions} />
      <Problems config={snapshot.config} />
      <div className="now">
        <div className="stack">
          {snapshot.sessions.length > 0 ? <Sessions snapshot={snapshot} /> : <NoSession snapshot={snapshot} />}
        </div>
        <Models models={snapshot.models} />
        <LastEvents events={snapshot.events.slice(0, LAST_EVENTS)} />
      </div>
    </>
  );
}

function Sessions({ snapshot: { sessions: newest, pins } }: Readonly<{ snapshot: Snapshot }>) {
  const sessions = useSteadyOrder(newest, ({ session }) => session);
  let room = AGENTS_SHOWN;
  const shown = sessions.flatMap((session) => {
    if (room <= 0) return [];
    const agents = session.agents.slice(0, room);
    room -= Math.max(1, agents.length);
    return [{ session, agents }];
  });
  return (
    <>
      {shown.map(({ session, agents }) => (
        <Session key={session.session} session={session} agents={agents} pins={pins} />
      ))}
      {shown.length < sessions.length && (
        <ul className="card">
          <More count={sessions.length - shown.length} say={moreTexts().sessions} href={hrefOf('sessions')} />
        </ul>
      )}
    </>
  );
}

type SessionProps = Readonly<{ session: SessionRow; agents: readonly AgentRow[]; pins: Snapshot['pins'] }>;

function Session({ session, agents, pins }: SessionProps) {
  const id = useId();
  const said = nowTexts().session;
  const turns = session.turns > 0 ? ` · ${counted(session.turns, 'turn')}` : '';
  return (
    <section aria-labelledby={id}>
      <SectionTitle
        id={id}
        title={session.project}
        hint={`${session.directory} · ${session.session}`}
        caption={`${session.isLive && !session.isIdle ? said.live : said.idleSince(clock(session.at))}${turns}`}
      >
        <a
          className="link small push"
          href={hrefOf('sessions', session.session)}
          aria-label={sessionTexts().detail.openNamed(session.project)}
        >
          {sessionTexts().detail.open}
        </a>
      </SectionTitle>
      <ul className="card">
        {agents.map((row) => (
          <AgentItem
            key={row.key}
            row={row}
            directory={session.directory}
            pin={pinOf(pins, session.directory, row.agent)}
          />
        ))}
        <More
          count={session.agents.length - agents.length}
          say={moreTexts().agents}
          href={hrefOf('sessions', session.session)}
        />
        {session.agents.length === 0 && <li className="mini-note muted">{said.noAgent}</li>}
      </ul>
    </section>
  );
}

/** Before the first turn: the step that comes next. */
function NoSession({ snapshot }: Readonly<{ snapshot: Snapshot }>) {
  const { none, armed } = nowTexts();
  if (snapshot.connection.status !== 'connected') {
    return (
      <>
        <section className="card card-body empty" aria-label={none.nextStep}>
          <h2>{none.title}</h2>
          <p className="muted">{none.text}</p>
          <a className="btn btn-main" href={hrefOf('setup')}>
            {none.connect}
          </a>
        </section>
        {!snapshot.app.isDemo && <DemoOffer />}
      </>
    );
  }
  if (snapshot.chains.length === 0) {
    return (
      <section className="card card-body empty" aria-label={none.nextStep}>
        <h2>{none.addUnderstudy}</h2>
        <a className="btn btn-main" href={hrefOf('setup')}>
          {none.propose}
        </a>
        <ConfigExample />
      </section>
    );
  }
  return (
    <section aria-labelledby="armed">
      <SectionTitle id="armed" title={armed.title} caption={armed.caption}>
        <a className="link small push" href={hrefOf('chains')}>
          {armed.all}
        </a>
      </SectionTitle>
      <ul className="card">
        {snapshot.chains.slice(0, CHAINS_SHOWN).map((row) => (
          <ArmedChain key={`${row.directory}:${row.agent}`} row={row} />
        ))}
        <More count={snapshot.chains.length - CHAINS_SHOWN} say={moreTexts().chains} href={hrefOf('chains')} />
      </ul>
    </section>
  );
}

function ArmedChain({ row }: Readonly<{ row: ChainRow }>) {
  const lead = row.chain[0];
  if (!lead) return null;
  const isAlone = row.chain.length === 1;
  return (
    <li className="mini">
      <b title={agentLabel(row.agent)}>{agentLabel(row.agent)}</b>
      <ModelId model={lead.model} />
      <span className={isAlone ? 'small mini-state c-degraded' : 'small mini-state dim'}>
        <Glyph name={isAlone ? 'warn' : lead.state} />
        {isAlone ? nowTexts().armed.alone : nowTexts().armed.place(row.chain.length)}
      </span>
    </li>
  );
}

function Models({ models }: Readonly<{ models: readonly ModelRow[] }>) {
  const said = nowTexts().models;
  const ready = models.filter((row) => row.state === 'ready').length;
  return (
    <section className="now-models" aria-labelledby="models">
      <SectionTitle
        id="models"
        title={shellTexts().views.models}
        caption={models.length > 0 ? said.caption(ready, models.length) : ''}
      >
        <a className="link small push" href={hrefOf('models')}>
          {said.all}
        </a>
      </SectionTitle>
      {models.length > 0 ? <ModelStrip models={models} /> : <p className="card card-body muted">{said.none}</p>}
    </section>
  );
}

function LastEvents({ events }: Readonly<{ events: readonly EventRow[] }>) {
  const said = nowTexts().events;
  return (
    <section aria-labelledby="last-events">
      <SectionTitle id="last-events" title={said.title}>
        <a className="link small push" href={hrefOf('events')}>
          {said.all}
        </a>
      </SectionTitle>
      {events.length > 0 ? (
        <ol className="card">
          {events.map((event) => (
            <li key={event.id}>
              <a className="ev" href={hrefOf('events', event.id)}>
                <EventLine event={event} />
              </a>
            </li>
          ))}
        </ol>
      ) : (
        <p className="card card-body muted">{said.none}</p>
      )}
    </section>
  );
}
