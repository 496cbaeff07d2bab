import { useEffect, useRef } from 'react';
import type { EventRow } from '../../contract';
import { clock, counted, kindPhrase, TRACE_LABELS } from '../../contract';
import { CopyButton } from '../components/CopyButton';
import { EventLine } from '../components/EventLine';
import { Icon } from '../components/Icon';
import { ModelId } from '../components/ModelId';
import { PageHead } from '../components/PageHead';
import { StateBadge } from '../components/StateBadge';
import { useSnapshot } from '../panel';

/** What happened, newest first; each line opens into why. `openId` is the event the address names. */
export function EventsPage({ openId }: Readonly<{ openId: string | null }>) {
  const { events } = useSnapshot();
  return (
    <>
      <PageHead
        title={events.length > 0 ? 'Events' : 'Nothing has happened yet.'}
        lede={
          events.length > 0
            ? `The last ${counted(events.length, 'event')}, newest first. Open one to see which models were considered, and why.`
            : 'The first turn of a session writes the first line.'
        }
      />
      {events.length > 0 && (
        <ol className="card">
          {events.map((event) => (
            <li key={event.id}>
              <EventItem event={event} isNamed={String(event.id) === openId} />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function EventItem({ event, isNamed }: Readonly<{ event: EventRow; isNamed: boolean }>) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!isNamed || !details.current) return;
    details.current.open = true;
    details.current.scrollIntoView({ block: 'nearest' });
  }, [isNamed]);
  return (
    <details className="event" ref={details}>
      <summary className="ev">
        <EventLine event={event} />
        <Icon name="chevron" className="i event-chevron" />
      </summary>
      <div className="event-body">
        <Facts event={event} />
        {event.trace.length > 0 && <Trace event={event} />}
        <CopyButton text={JSON.stringify(event, null, 2)} label="Copy as JSON" />
      </div>
    </details>
  );
}

function Facts({ event }: Readonly<{ event: EventRow }>) {
  const facts: readonly (readonly [string, string | null])[] = [
    ['Failure', event.kind && kindPhrase(event.kind, event.status)],
    ['Said', event.detail],
    ['Until', event.until === null ? null : clock(event.until, true)],
    ['Took', event.durationMs === null ? null : `${Math.round(event.durationMs)} ms`],
    ['Agent', event.agent],
    ['Session', event.session],
  ];
  return (
    <dl className="facts">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Trace({ event }: Readonly<{ event: EventRow }>) {
  return (
    <div className="scroll">
      <table className="tbl">
        <caption className="sr">Models considered</caption>
        <thead>
          <tr>
            <th scope="col">Order</th>
            <th scope="col">Model</th>
            <th scope="col">Verdict</th>
            <th scope="col">State then</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {event.trace.map((row) => (
            <tr key={`${row.position}:${row.model}`} className={row.verdict === 'chosen' ? 'is-chosen' : undefined}>
              <td>{row.position + 1}</td>
              <td>
                <ModelId model={row.model} />
              </td>
              <td>{TRACE_LABELS[row.verdict]}</td>
              <td>
                <StateBadge state={row.state} />
              </td>
              <td>
                <code>{row.code}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
