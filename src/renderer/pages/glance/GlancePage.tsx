import { useEffect, useId } from 'react';
import type { AgentRecord } from '../../../contract/agent-record';
import type { AgentRow, EventRow, SessionRow, Snapshot } from '../../../contract/snapshot';
import { glanceTexts, moreTexts } from '../../../texts';
import { recordOf } from '../../../wording/agent-record';
import { attentionOf } from '../../../wording/attention';
import { verdict } from '../../../wording/attention-words';
import { positionPhrase } from '../../../wording/standing-words';
import { type Panel, usePanel, useSnapshot, useStale } from '../../app/panel';
import { hrefOf, parseRoute, type Route } from '../../app/routes';
import { useSteadyOrder } from '../../app/steady-order';
import { AgentStanding } from '../../components/AgentItem';
import { EventLine } from '../../components/EventLine';
import { ModelStrip } from '../../components/ModelStrip';
import { More } from '../../components/More';
import { PageHead } from '../../components/PageHead';
import { SectionTitle } from '../../components/SectionTitle';
import { Toast } from '../../components/Toast';
import { NearPlans } from '../headroom/NearPlans';
import { GlanceCouncils } from '../now/GlanceCouncils';
import { Pause } from '../now/Pause';
import { QuestionBar } from '../now/QuestionBar';
import { Queue } from '../now/Queue';

const AGENTS_SHOWN = 8;
const PLANS_SHOWN = 3;

export function GlancePage() {
  const snapshot = useSnapshot();
  const { cause } = useStale();
  const items = attentionOf(snapshot);
  const heading = verdict(snapshot, items);
  const live = useSteadyOrder(snapshot.sessions, ({ session }) => session).filter((session) => session.isLive);
  const out = snapshot.models.filter(({ state }) => state !== 'ready' && state !== 'unseen');
  useWaysOut();
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <main className={cause ? 'main stale' : 'main'} id="main" tabIndex={0}>
        {/* Rows replace the second sentence. */}
        <PageHead title={heading.title} lede={live.length > 0 || items.length > 0 ? '' : heading.lede} />
        <QuestionBar questions={items.flatMap((item) => (item.kind === 'question' ? [item.question] : []))} />
        {/* Agents and councils have their own rows. */}
        <Queue items={items.filter((item) => !('row' in item) && !('council' in item))} snapshot={snapshot} />
        <GlanceCouncils snapshot={snapshot} />
        {live.length === 0 && <p className="small muted">{glanceTexts().noSession}</p>}
        {live.map((session) => (
          <LiveSession key={session.session} session={session} snapshot={snapshot} />
        ))}
        <NearPlans most={PLANS_SHOWN} />
        {out.length > 0 && (
          <section aria-labelledby="glance-models">
            <SectionTitle id="glance-models" title={glanceTexts().models} />
            <ModelStrip models={out} />
          </section>
        )}
        {snapshot.events[0] && <LastEvent event={snapshot.events[0]} />}
      </main>
      <Toast />
      <footer className="glance-foot">
        <a className="btn btn-main" href={hrefOf('now')}>
          {glanceTexts().open}
        </a>
        <Pause pause={snapshot.pause} />
      </footer>
    </>
  );
}

type SessionProps = Readonly<{ session: SessionRow; snapshot: Snapshot }>;

function LiveSession({ session, snapshot }: SessionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <SectionTitle id={id} title={session.project} hint={session.directory} />
      <ul className="card">
        {session.agents.slice(0, AGENTS_SHOWN).map((row) => (
          <LiveAgent key={row.key} row={row} record={recordOf(row, session, snapshot)} />
        ))}
        <More
          count={session.agents.length - AGENTS_SHOWN}
          say={moreTexts().agents}
          href={hrefOf('sessions', session.session)}
        />
      </ul>
    </section>
  );
}

function LiveAgent({ row, record }: Readonly<{ row: AgentRow; record: AgentRecord }>) {
  return (
    <li className="glance-agent">
      <div className="glance-agent-name">
        <b title={record.agent}>{record.agent}</b>
        <span className="cap">{positionPhrase(record)}</span>
      </div>
      <AgentStanding row={row} record={record} />
    </li>
  );
}

function LastEvent({ event }: Readonly<{ event: EventRow }>) {
  return (
    <section aria-labelledby="glance-event">
      <SectionTitle id="glance-event" title={glanceTexts().event} />
      <div className="card">
        <EventLine event={event} />
      </div>
    </section>
  );
}

/** Links open the app's window, and Escape closes the popover. */
function useWaysOut(): void {
  const panel = usePanel();
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href^="#/"]');
      if (!link) return;
      event.preventDefault();
      void leave(panel, parseRoute(link.hash));
    };
    const onKey = (event: KeyboardEvent) => {
      // Escape first closes an open dialog.
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) void leave(panel, null);
    };
    window.addEventListener('click', onClick);
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('click', onClick);
      window.removeEventListener('keydown', onKey);
    };
  }, [panel]);
}

/** A browser page has no other window: it opens the view itself. */
async function leave({ api }: Panel, to: Route | null): Promise<void> {
  const input = { view: to?.name ?? null, detail: to?.detail ?? null };
  // silent: without the window's answer the page opens the view itself
  const left = await api.ask('shell.leaveGlance', input).catch(() => null);
  if (to && !left?.ok) window.location.hash = hrefOf(to.name, to.detail ?? undefined);
}
