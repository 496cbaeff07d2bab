import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { EventFilter } from '../../contract';
import { eventLogTexts, spokenLanguage } from '../../texts';
import { useAsked } from '../asked';
import { PageHead } from '../components/PageHead';
import { Unanswered } from '../components/Waiting';
import { eventsHref, filterOf } from '../events/address';
import { EventDetail } from '../events/EventDetail';
import { EventFilters } from '../events/EventFilters';
import { EventGrid } from '../events/EventGrid';
import { createEventList, type EventList } from '../events/event-list';
import { TakeEvents } from '../events/TakeEvents';
import { eventsPhrase, figure } from '../events/words';
import { usePanel, usePanelState } from '../panel';
import { useRouteQuery } from '../routes';

/** What happened, newest first, as far back as it is kept; `openId` is the event the address names. */
export function EventsPage({ openId }: Readonly<{ openId: string | null }>) {
  const query = useRouteQuery();
  const filter = useMemo(() => filterOf(query), [query]);
  const list = useEventList(filter);
  const { total, kept } = useStore(list.store);
  const newest = usePanelState((state) => state.snapshot?.events[0]?.id ?? 0);
  const counts = useAsked('events.counts', { filter }, `${query} ${total}`);
  const hasEvents = newest > 0 || (total ?? 0) > 0;
  const open = openId !== null && /^\d{1,15}$/.test(openId) ? Number(openId) : null;
  return (
    <>
      <PageHead {...headOf({ hasEvents, total, kept })} />
      {hasEvents && <Filters filter={filter} counts={counts} openId={open} />}
      <Log list={list} filter={filter} openId={open} />
    </>
  );
}

type Known = Readonly<{
  hasEvents: boolean;
  total: number | null;
  kept: ReturnType<EventList['store']['getState']>['kept'];
}>;

function headOf({ hasEvents, total, kept }: Known): Readonly<{ title: string; lede: string }> {
  const texts = eventLogTexts();
  if (!hasEvents) return { title: texts.emptyTitle, lede: texts.emptyLede };
  if (!kept.isDurable) return { title: texts.title, lede: texts.memoryOnly };
  if (total === null || kept.sinceMs === null) return { title: texts.title, lede: texts.asking };
  const since = new Intl.DateTimeFormat(spokenLanguage(), { dateStyle: 'medium', timeStyle: 'short' }).format(
    kept.sinceMs,
  );
  return { title: texts.title, lede: texts.lede(eventsPhrase(total), since) };
}

/** A list of the events that fit, begun anew with each filter, which hears of newer ones. */
function useEventList(filter: EventFilter): EventList {
  const { api } = usePanel();
  const newest = usePanelState((state) => state.snapshot?.events[0]?.id ?? 0);
  const list = useMemo(() => createEventList(api, filter), [api, filter]);
  useEffect(() => void list.begin(), [list]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new event is a reason to look.
  useEffect(() => void list.look(), [list, newest]);
  return list;
}

function Filters({
  filter,
  counts,
  openId,
}: Readonly<{ filter: EventFilter; counts: Parameters<typeof EventFilters>[0]['counts']; openId: number | null }>) {
  const goTo = useCallback(
    (next: EventFilter) => window.location.replace(eventsHref(next, openId ?? undefined)),
    [openId],
  );
  const change = useCallback((part: Partial<EventFilter>) => goTo({ ...filter, ...part }), [filter, goTo]);
  return <EventFilters filter={filter} counts={counts} onChange={change} onClear={() => goTo({})} />;
}

type LogProps = Readonly<{ list: EventList; filter: EventFilter; openId: number | null }>;

function Log({ list, filter, openId }: LogProps) {
  const { total, newest, newer, failure } = useStore(list.store);
  const [takesFocus, setTakesFocus] = useState(false);
  const pane = useRef<HTMLDivElement>(null);
  const texts = eventLogTexts();
  const show = (id: number) => {
    setTakesFocus(true);
    window.location.hash = eventsHref(filter, id);
  };
  const activeRow = () => pane.current?.querySelector<HTMLElement>('[role=row][tabindex="0"]');
  const showNewer = async () => {
    await list.begin();
    // The button is gone; whoever pressed it goes on with what it showed.
    requestAnimationFrame(() => activeRow()?.focus());
  };
  const close = () => {
    activeRow()?.focus();
    window.location.hash = eventsHref(filter);
  };
  return (
    <div className={openId === null ? 'log-page' : 'log-page log-page-open'} ref={pane}>
      <div className="log-side">
        {failure !== null && <Unanswered problem={failure} onAgain={() => void list.begin()} />}
        {total !== null && total > 0 && (
          <div className="log-bar">
            {newer > 0 && (
              <button className="btn btn-sm btn-main" type="button" onClick={() => void showNewer()}>
                {texts.newer(figure(newer))}
              </button>
            )}
            <TakeEvents filter={filter} total={total} />
          </div>
        )}
        {total === 0 && failure === null && Object.keys(filter).length > 0 && (
          <div className="card card-body empty">
            <h2>{texts.noneFits}</h2>
            <p className="muted">{texts.noneFitsHint}</p>
          </div>
        )}
        {total !== null && total > 0 && (
          <EventGrid key={newest} list={list} total={total} openId={openId} onOpen={show} onClose={close} />
        )}
      </div>
      {openId !== null && <EventDetail key={openId} id={openId} takesFocus={takesFocus} onClose={close} />}
    </div>
  );
}
