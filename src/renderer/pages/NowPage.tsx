import { useId } from 'react';
import type { ChainRow, EventRow, ModelRow, SessionRow, Snapshot } from '../../contract';
import { agentLabel, clock, counted, verdict } from '../../contract';
import { nowTexts, shellTexts } from '../../texts';
import { AgentItem } from '../components/AgentItem';
import { ConfigExample } from '../components/ConfigExample';
import { EventLine } from '../components/EventLine';
import { Glyph } from '../components/Glyph';
import { ModelId } from '../components/ModelId';
import { ModelStrip } from '../components/ModelStrip';
import { PageHead } from '../components/PageHead';
import { Problems } from '../components/Problems';
import { SectionTitle } from '../components/SectionTitle';
import { Pause } from '../now/Pause';
import { QuestionBar } from '../now/QuestionBar';
import { useSnapshot } from '../panel';
import { hrefOf } from '../routes';

const LAST_EVENTS = 5;

/** Who speaks for whom, why, and until when. */
export function NowPage() {
  const snapshot = useSnapshot();
  const said = verdict(snapshot);
  return (
    <>
      <PageHead title={said.title} lede={said.lede}>
        <Pause pause={snapshot.pause} />
      </PageHead>
      <QuestionBar questions={snapshot.questions} />
      <Problems config={snapshot.config} />
      <div className="now">
        <div className="stack">
          {snapshot.sessions.length > 0 ? (
            snapshot.sessions.map((session) => <Session key={session.session} session={session} pins={snapshot.pins} />)
          ) : (
            <NoSession snapshot={snapshot} />
          )}
        </div>
        <Models models={snapshot.models} />
        <LastEvents events={snapshot.events.slice(0, LAST_EVENTS)} />
      </div>
    </>
  );
}

function Session({ session, pins }: Readonly<{ session: SessionRow; pins: Snapshot['pins'] }>) {
  const pinOf = (agent: string) => pins.find((pin) => pin.directory === session.directory && pin.agent === agent);
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
      />
      <ul className="card">
        {session.agents.map((row) => (
          <AgentItem key={row.key} row={row} directory={session.directory} pin={pinOf(row.agent)} />
        ))}
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
      <section className="card card-body empty" aria-label={none.nextStep}>
        <h2>{none.title}</h2>
        <p className="muted">{none.text}</p>
      </section>
    );
  }
  if (snapshot.chains.length === 0) {
    return (
      <section className="card card-body empty" aria-label={none.nextStep}>
        <h2>{none.addUnderstudy}</h2>
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
        {snapshot.chains.map((row) => (
          <ArmedChain key={`${row.directory}:${row.agent}`} row={row} />
        ))}
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
