import type { EventRow } from '../../contract';
import { clock, eventSentence, shortName } from '../../contract';
import { Glyph } from './Glyph';

/** One thing that happened, on one line: time, glyph, sentence with its subject in bold, reason code. */
export function EventLine({ event }: Readonly<{ event: EventRow }>) {
  return (
    <>
      <time dateTime={new Date(event.at).toISOString()}>{clock(event.at, true)}</time>
      <Glyph name={event.state} />
      <EventSentence event={event} />
      <code>{event.code}</code>
    </>
  );
}

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
