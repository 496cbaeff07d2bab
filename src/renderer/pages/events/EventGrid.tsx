// biome-ignore-all lint/a11y/useSemanticElements: a table of the browser’s own cannot leave rows out.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows have the focus, not their cells.
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import type { EventRow } from '../../../contract/snapshot';
import { eventLogTexts } from '../../../texts';
import { usePanelState } from '../../app/panel';
import { EventSentence } from '../../components/EventLine';
import { Glyph } from '../../components/Glyph';
import type { EventList } from './event-list';
import { eventTime } from './words';

/** Height before measuring. */
const ROW_PX = 36;
const OVERSCAN = 10;

type Props = Readonly<{
  list: EventList;
  total: number;
  openId: number | null;
  onOpen: (id: number) => void;
  onClose: () => void;
}>;

/** Draws only visible events; the focused row keeps the focus while scrolling. */
export function EventGrid({ list, total, openId, onOpen, onClose }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const { virtualizer, active, goTo, setActive } = useRows(list, total, scroller);
  const today = usePanelState((state) => state.snapshot?.at ?? 0);
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
    const step = stepOf(event.key, Math.max(1, endIndex - startIndex - 1), { active, total });
    const shown = list.at(active);
    if (step !== null) goTo(step);
    else if (event.key === 'Enter' && shown) onOpen(shown.id);
    else if (event.key === 'Escape' && openId !== null) onClose();
    else return;
    event.preventDefault();
  };
  const { columns, list: label } = eventLogTexts();
  const grid = { 'aria-label': label, 'aria-rowcount': total, 'aria-colcount': Object.keys(columns).length };
  return (
    <div className="log card" role="grid" {...grid} ref={scroller} onKeyDown={onKey}>
      <span className="log-ruler" aria-hidden="true" />
      <div className="log-space" role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          <EventRowView
            key={index}
            event={list.at(index)}
            place={index}
            isActive={index === active}
            isOpen={openId !== null && list.at(index)?.id === openId}
            today={today}
            style={{ transform: `translateY(${start}px)` }}
            onPick={(id) => {
              setActive(index);
              onOpen(id);
            }}
          />
        ))}
      </div>
    </div>
  );
}

function useRows(list: EventList, total: number, scroller: RefObject<HTMLElement | null>) {
  const { chunks, failure } = useStore(list.store);
  const [active, setActive] = useState(0);
  const rowPx = useRowPx(scroller);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const drawn = [...defaultRangeExtractor(range), Math.min(active, range.count - 1)];
      return [...new Set(drawn)].sort((a, b) => a - b);
    },
    [active],
  );
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    rangeExtractor,
  });
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  const isFailed = failure !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a failed question, or a chunk given up, is asked for again.
  useEffect(() => {
    list.need(Math.max(0, startIndex - OVERSCAN), endIndex + OVERSCAN);
  }, [list, startIndex, endIndex, chunks, isFailed]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights are of rows as they are now.
  useEffect(() => virtualizer.measure(), [rowPx]);
  const goTo = (place: number) => {
    const next = Math.max(0, Math.min(total - 1, place));
    setActive(next);
    virtualizer.scrollToIndex(next);
    // The row may be drawn only now.
    requestAnimationFrame(() => rowAt(scroller.current, next)?.focus({ preventScroll: true }));
  };
  return { virtualizer, active, setActive, goTo };
}

const rowAt = (scroller: HTMLElement | null, place: number): HTMLElement | null =>
  scroller?.querySelector<HTMLElement>(`[aria-rowindex="${place + 1}"]`) ?? null;

function stepOf(
  key: string,
  page: number,
  { active, total }: Readonly<{ active: number; total: number }>,
): number | null {
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return active + 1;
    case 'ArrowUp':
    case 'k':
      return active - 1;
    case 'PageDown':
      return active + page;
    case 'PageUp':
      return active - page;
    case 'Home':
      return 0;
    case 'End':
      return total - 1;
    default:
      return null;
  }
}

/** Depends on the style sheet and the user's font size. */
function useRowPx(scroller: RefObject<HTMLElement | null>): number {
  const [rowPx, setRowPx] = useState(ROW_PX);
  useEffect(() => {
    const ruler = scroller.current?.querySelector<HTMLElement>('.log-ruler');
    if (!ruler) return;
    const measure = () => setRowPx((last) => ruler.offsetHeight || last);
    const observer = new ResizeObserver(measure);
    observer.observe(ruler);
    measure();
    return () => observer.disconnect();
  }, [scroller]);
  return rowPx;
}

type RowProps = Readonly<{
  event: EventRow | undefined;
  place: number;
  isActive: boolean;
  isOpen: boolean;
  today: number;
  style: CSSProperties;
  onPick: (id: number) => void;
}>;

function EventRowView({ event, place, isActive, isOpen, today, style, onPick }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid hears the keys of its rows.
    <div
      className="log-row"
      role="row"
      aria-rowindex={place + 1}
      aria-selected={isOpen}
      tabIndex={isActive ? 0 : -1}
      data-event={event?.id}
      style={style}
      onClick={() => event && onPick(event.id)}
    >
      {event ? <Cells event={event} today={today} /> : <Bones />}
    </div>
  );
}

function Cells({ event, today }: Readonly<{ event: EventRow; today: number }>) {
  return (
    <>
      <span role="gridcell">
        <time dateTime={new Date(event.at).toISOString()}>{eventTime(event.at, today)}</time>
      </span>
      <span role="gridcell">
        <Glyph name={event.state} />
      </span>
      <span role="gridcell" className="log-what">
        <EventSentence event={event} />
      </span>
      <span role="gridcell" className="log-code">
        <code>{event.code}</code>
      </span>
    </>
  );
}

const Bones = () => (
  <span role="gridcell" className="log-bone">
    <span className="bone bone-wide" />
    <span className="sr">{eventLogTexts().asking}</span>
  </span>
);
