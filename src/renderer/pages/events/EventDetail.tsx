import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import type { QueryOutput } from '../../../contract/contract';
import type { ChainRow, EventRow, SessionRow } from '../../../contract/snapshot';
import { eventLogTexts } from '../../../texts';
import { chainKey } from '../../../wording/chain-words';
import { eventSentence } from '../../../wording/event-words';
import { measured, shortName } from '../../../wording/wording';
import { useAnswer } from '../../app/asked';
import { useSnapshot } from '../../app/panel';
import { hrefOf } from '../../app/routes';
import { CopyButton } from '../../components/CopyButton';
import { Explanation } from '../../components/Explanation';
import { Icon } from '../../components/Icon';
import { ModelId } from '../../components/ModelId';
import { ScrollTable } from '../../components/ScrollTable';
import { Unanswered } from '../../components/Waiting';
import { eventsHref } from './address';
import { actorLabel, eventTime, outcomeLabel } from './words';

type Explained = NonNullable<QueryOutput<'decision.explain'>>;
type Props = Readonly<{ id: number; takesFocus: boolean; onClose: () => void }>;

export function EventDetail({ id, takesFocus, onClose }: Props) {
  const texts = eventLogTexts().detail;
  const { answer: explained, problem, isAsking, again } = useAnswer('decision.explain', { event: id }, String(id));
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takesFocus) pane.current?.focus();
  }, [takesFocus]);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
  };
  return (
    <section
      className="card detail log-detail"
      tabIndex={-1}
      ref={pane}
      aria-label={texts.region}
      onKeyDown={onKey}
      data-pane
    >
      <button className="btn btn-sm btn-quiet detail-close" type="button" onClick={onClose}>
        <Icon name="close" />
        {texts.close}
      </button>
      {problem !== null && <Unanswered problem={problem} onAgain={again} />}
      {problem === null && explained === null && (isAsking ? <Asking /> : <Gone id={id} />)}
      {explained && <Known explained={explained} />}
    </section>
  );
}

const Asking = () => <p className="muted card-body">{eventLogTexts().detail.asking}</p>;

function Gone({ id }: Readonly<{ id: number }>) {
  const { goneTitle, gone } = eventLogTexts().detail;
  return (
    <div className="card-body empty">
      <h2>{goneTitle(String(id))}</h2>
      <p className="muted">{gone}</p>
    </div>
  );
}

function Known({ explained }: Readonly<{ explained: Explained }>) {
  const { event, rule, asked: calledModels } = explained;
  const { at } = useSnapshot();
  const texts = eventLogTexts().detail;
  return (
    <>
      <header className="detail-head">
        <p className="cap">
          <time dateTime={new Date(event.at).toISOString()}>{eventTime(event.at, at)}</time> · <code>{event.code}</code>
        </p>
        <h2>{eventSentence(event)}</h2>
        {event.actor !== undefined && <p className="muted">{texts.by(actorLabel(event.actor))}</p>}
        <div className="actions">
          <CopyButton text={JSON.stringify(event, null, 2)} label={texts.copy} />
        </div>
      </header>
      <div className="block">
        <Explanation event={event} rule={rule} />
      </div>
      {calledModels.length > 0 && <Asked asked={calledModels} />}
      <Links event={event} />
      <Unknown explained={explained} />
    </>
  );
}

function Asked({ asked: calledModels }: Pick<Explained, 'asked'>) {
  const id = useId();
  const { at } = useSnapshot();
  const { asked: title, askedColumns: columns } = eventLogTexts().detail;
  return (
    <section className="block" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <ScrollTable name={{ headingId: id }} columns={Object.values(columns)}>
        <tbody>
          {calledModels.map((row) => (
            <tr key={`${row.at}:${row.model}`}>
              <td>{eventTime(row.at, at)}</td>
              <td>
                <ModelId model={row.model} />
              </td>
              <td>
                {outcomeLabel(row.outcome)} {row.status !== null && <code className="dim">{row.status}</code>}
              </td>
              <td>{row.durationMs !== null && measured(row.durationMs)}</td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
}

function chainOf(event: EventRow, sessions: readonly SessionRow[], chains: readonly ChainRow[]): ChainRow | undefined {
  const directory = sessions.find(({ session }) => session === event.session)?.directory;
  const its = chains.filter(({ agent }) => agent === event.agent);
  return its.find((chain) => chain.directory === directory) ?? (its.length === 1 ? its[0] : undefined);
}

function Links({ event }: Readonly<{ event: EventRow }>) {
  const id = useId();
  const { sessions, chains } = useSnapshot();
  const texts = eventLogTexts().detail;
  const { session, agent, model, to } = event;
  const chain = chainOf(event, sessions, chains);
  const modelLink = (name: string) => ({ href: hrefOf('models', name), text: texts.openModel });
  const links = [
    session && {
      label: texts.session,
      name: session,
      open: { href: hrefOf('sessions', session), text: texts.openSession },
      filter: { session },
    },
    agent && {
      label: texts.agent,
      name: agent,
      open: chain && { href: hrefOf('chains', chainKey(chain)), text: texts.openChain },
      filter: { agent },
    },
    model && { label: texts.model, name: shortName(model), open: modelLink(model), filter: { model } },
    to && { label: texts.took, name: shortName(to), open: modelLink(to), filter: { model: to } },
  ].filter((link) => link !== null && link !== '');
  if (links.length === 0) return null;
  return (
    <section className="block" aria-labelledby={id}>
      <h3 id={id}>{texts.links}</h3>
      <dl className="kv">
        {links.map(({ label, name, open, filter }) => (
          <div key={label}>
            <dt>
              {label}: {name}
            </dt>
            <dd className="log-links">
              {open && (
                <a className="link" href={open.href}>
                  {open.text}
                </a>
              )}
              <a className="link" href={eventsHref(filter)}>
                {texts.itsEvents}
              </a>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Codes of decisions among models. */
const DECIDED = /^(switch|redirect|home|hold|exhausted|pass)\./;

function Unknown({
  explained: { event, rule, asked: calledModels, isFromHistory },
}: Readonly<{ explained: Explained }>) {
  const id = useId();
  const texts = eventLogTexts().detail;
  const lines = [
    event.kind !== null && event.agent !== null && rule === null && texts.unknownRule,
    isFromHistory && rule !== null && texts.ruleToday,
    DECIDED.test(event.code) && event.trace.length === 0 && texts.unknownTrace,
    DECIDED.test(event.code) && calledModels.length === 0 && texts.unknownAsked,
  ].filter((line) => line !== false);
  if (lines.length === 0) return null;
  return (
    <section className="block" aria-labelledby={id}>
      <h3 id={id}>{texts.unknown}</h3>
      <ul className="small muted">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}
