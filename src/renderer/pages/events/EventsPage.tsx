import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { EventFilter } from '../../../contract/events';
import { eventLogTexts, spokenLanguage } from '../../../texts';
import { useAsked } from '../../app/asked';
import { useCoreNow, usePanel, usePanelState } from '../../app/panel';
import { useRouteQuery } from '../../app/routes';
import type { TimeRange } from '../../app/shared-time';
import { useSharedTime } from '../../app/use-time';
import { PageHead } from '../../components/PageHead';
import { boundsOf, dayOf, presetOf, rangeBetween } from '../../components/time/range';
import { TimePicker } from '../../components/time/TimePicker';
import { Unanswered } from '../../components/Waiting';
import { eventsHref, filterOf } from './address';
import { EventDetail } from './EventDetail';
import { EventFilters } from './EventFilters';
import { EventGrid } from './EventGrid';
import { createEventList, type EventList } from './event-list';
import { TakeEvents } from './TakeEvents';
import { eventsPhrase, figure } from './words';

export function EventsPage({ openId }: Readonly<{ openId: string | null }>) {
  const query = useRouteQuery();
  const [time, chooseTime] = useSharedTime();
  const filter = useTimedFilter(query, time);
  const list = useEventList(filter);
  const { total, kept: retention } = useStore(list.store);
  const newest = usePanelState((state) => state.snapshot?.events[0]?.id ?? 0);
  const counts = useAsked('events.counts', { filter }, `${query} ${total}`);
  const hasEvents = newest > 0 || (total ?? 0) > 0;
  const open = openId !== null && /^\d{1,15}$/.test(openId) ? Number(openId) : null;
  return (
    <>
      <PageHead {...headOf({ hasEvents, total, kept: retention })} isHistory />
      {hasEvents && <Time filter={filter} openId={open} onChoose={chooseTime} />}
      {hasEvents && <Filters filter={filter} counts={counts} openId={open} onTime={chooseTime} />}
      <Log list={list} filter={filter} openId={open} />
    </>
  );
}

/** The address's filters; without a time, the shared range. */
function useTimedFilter(query: string, time: TimeRange | null): EventFilter {
  const now = useCoreNow(undefined);
  const day = dayOf(now);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the day stands for the time: a range begins with one.
  return useMemo(() => {
    const filter = filterOf(query);
    if (!time || filter.sinceMs !== undefined || filter.untilMs !== undefined) return filter;
    return { ...filter, ...timesOf(time, now) };
  }, [query, time, day]);
}

function timesOf(range: TimeRange, now: number): Pick<EventFilter, 'sinceMs' | 'untilMs'> {
  const { sinceMs, untilMs } = boundsOf(range, now);
  return { ...(sinceMs === null ? {} : { sinceMs }), ...(untilMs === null ? {} : { untilMs }) };
}

type TimeProps = Readonly<{ filter: EventFilter; openId: number | null; onChoose: (range: TimeRange | null) => void }>;

function Time({ filter, openId, onChoose }: TimeProps) {
  const now = useCoreNow(null);
  const { sinceMs: _since, untilMs: _until, ...others } = filter;
  return (
    <TimePicker
      range={rangeIn(filter, now)}
      now={now}
      hrefOf={(range) => eventsHref({ ...others, ...timesOf(range, now) }, openId ?? undefined)}
      onChoose={onChoose}
    />
  );
}

function rangeIn(filter: EventFilter, now: number): TimeRange | null {
  const [sinceMs, untilMs] = [filter.sinceMs ?? null, filter.untilMs ?? null];
  const preset = presetOf({ sinceMs, untilMs }, now);
  if (preset || sinceMs === null || untilMs === null || sinceMs >= untilMs) return preset;
  return rangeBetween(sinceMs, untilMs);
}

type Extent = Readonly<{
  hasEvents: boolean;
  total: number | null;
  kept: ReturnType<EventList['store']['getState']>['kept'];
}>;

function headOf({ hasEvents, total, kept: retention }: Extent): Readonly<{ title: string; lede: string }> {
  const texts = eventLogTexts();
  if (!hasEvents) return { title: texts.emptyTitle, lede: texts.emptyLede };
  if (!retention.isDurable) return { title: texts.title, lede: texts.memoryOnly };
  if (total === null || retention.sinceMs === null) return { title: texts.title, lede: texts.asking };
  const since = new Intl.DateTimeFormat(spokenLanguage(), { dateStyle: 'medium', timeStyle: 'short' }).format(
    retention.sinceMs,
  );
  return { title: texts.title, lede: texts.lede(eventsPhrase(total), since) };
}

function useEventList(filter: EventFilter): EventList {
  const { api } = usePanel();
  const newest = usePanelState((state) => state.snapshot?.events[0]?.id ?? 0);
  const list = useMemo(() => createEventList(api, filter), [api, filter]);
  useEffect(() => void list.begin(), [list]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new event is a reason to look.
  useEffect(() => void list.look(), [list, newest]);
  return list;
}

type FiltersProps = Readonly<{
  filter: EventFilter;
  counts: Parameters<typeof EventFilters>[0]['counts'];
  openId: number | null;
  onTime: (range: TimeRange | null) => void;
}>;

function Filters({ filter, counts, openId, onTime }: FiltersProps) {
  const goTo = useCallback(
    (next: EventFilter) => window.location.replace(eventsHref(next, openId ?? undefined)),
    [openId],
  );
  const change = useCallback(
    (part: Partial<EventFilter>) => {
      // Otherwise another view's range would replace the new one.
      if ('sinceMs' in part || 'untilMs' in part) onTime(null);
      goTo({ ...filter, ...part });
    },
    [filter, goTo, onTime],
  );
  const clear = () => {
    onTime(null);
    goTo({});
  };
  return <EventFilters filter={filter} counts={counts} onChange={change} onClear={clear} />;
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
    // The button has disappeared: focus its rows.
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
