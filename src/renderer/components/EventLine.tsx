import type { EventRow } from '../../contract/snapshot';
import { eventSentence } from '../../wording/event-words';
import { clock, shortName } from '../../wording/wording';
import { hrefOf } from '../app/routes';
import { Glyph } from './Glyph';

export const EventLine = ({ event }: Readonly<{ event: EventRow }>) => (
  <a className="ev" href={hrefOf('events', event.id)}>
    <time dateTime={new Date(event.at).toISOString()}>{clock(event.at, true)}</time>
    <Glyph name={event.state} />
    <EventSentence event={event} />
    <code>{event.code}</code>
  </a>
);

export const EventList = ({ events, className }: Readonly<{ events: readonly EventRow[]; className?: string }>) => (
  <ol className={className}>
    {events.map((event) => (
      <li key={event.id}>
        <EventLine event={event} />
      </li>
    ))}
  </ol>
);

export function EventSentence({ event }: Readonly<{ event: EventRow }>) {
  const sentence = eventSentence(event);
  const subject = [event.agent, event.model && shortName(event.model)].find((name) => name && sentence.includes(name));
  if (!subject) return <span className="ev-text">{sentence}</span>;
  const at = sentence.indexOf(subject);
  return (
    <span className="ev-text">
      {sentence.slice(0, at)}
      <b>{subject}</b>
      {sentence.slice(at + subject.length)}
    </span>
  );
}
