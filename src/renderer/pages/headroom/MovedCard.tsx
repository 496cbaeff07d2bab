import { useId } from 'react';
import type { EventRow } from '../../../contract/snapshot';
import { headroomPageTexts } from '../../../texts';
import { hrefOf } from '../../app/routes';
import { EventList } from '../../components/EventLine';

const SHOWN = 6;

export function MovedCard({ events }: Readonly<{ events: readonly EventRow[] }>) {
  const id = useId();
  const texts = headroomPageTexts().moved;
  const moved = events.filter(({ near }) => near !== undefined && near.there === undefined).slice(0, SHOWN);
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{texts.title}</h2>
        <span className="cap">{texts.caption}</span>
        <a className="link small push" href={hrefOf('events')}>
          {texts.all}
        </a>
      </div>
      {moved.length === 0 ? <p className="card-body muted">{texts.none}</p> : <EventList events={moved} />}
    </section>
  );
}
