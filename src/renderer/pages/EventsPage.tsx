import { useEffect, useRef, useState } from 'react';
import type { EventRow } from '../../contract';
import { counted } from '../../contract';
import { useAsked } from '../asked';
import { CopyButton } from '../components/CopyButton';
import { EventLine } from '../components/EventLine';
import { Explanation } from '../components/Explanation';
import { Icon } from '../components/Icon';
import { PageHead } from '../components/PageHead';
import { useSnapshot } from '../panel';
import { onRowKey } from '../row-keys';

/** What happened, newest first; each line opens into why. `openId` is the event the address names. */
export function EventsPage({ openId }: Readonly<{ openId: string | null }>) {
  const { events } = useSnapshot();
  const isListed = events.some(({ id }) => String(id) === openId);
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
      {openId !== null && !isListed && <OlderEvent key={openId} id={openId} />}
      {events.length > 0 && (
        <ol className="card" onKeyDown={onRowKey}>
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

/** An event that is no longer among the last ones, where the core still remembers it. */
function OlderEvent({ id }: Readonly<{ id: string }>) {
  const event = /^\d{1,15}$/.test(id) ? Number(id) : -1;
  const explained = useAsked('decision.explain', { event }, id);
  if (!explained) return null;
  return (
    <section className="card" aria-label="The event you opened">
      <EventItem event={explained.event} isNamed />
    </section>
  );
}

function EventItem({ event, isNamed }: Readonly<{ event: EventRow; isNamed: boolean }>) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(isNamed);
  useEffect(() => {
    if (!isNamed) return;
    setOpen(true);
    details.current?.scrollIntoView({ block: 'nearest' });
  }, [isNamed]);
  return (
    <details className="event" ref={details} open={isOpen} onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
      <summary className="ev" data-row={event.id}>
        <EventLine event={event} />
        <Icon name="chevron" className="i event-chevron" />
      </summary>
      {isOpen && <EventBody event={event} />}
    </details>
  );
}

function EventBody({ event }: Readonly<{ event: EventRow }>) {
  const explained = useAsked('decision.explain', { event: event.id }, String(event.id));
  return (
    <div className="event-body">
      <Explanation event={event} rule={explained?.rule ?? null} />
      <CopyButton text={JSON.stringify(event, null, 2)} label="Copy as JSON" />
    </div>
  );
}
