import { defaultRangeExtractor, type Range, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/** Rows beyond the visible ones, for Tab and the wheel. */
const OVERSCAN = 8;
/** Rows before the end at which the next page loads. */
const AHEAD = 10;
const PAGE_ROWS = 8;

type Options = Readonly<{
  count: number;
  keyOf: (index: number) => string | number;
  estimatePx: number;
  onNearEnd: () => void;
}>;

type RowProps = Readonly<{ ref: (element: Element | null) => void; style: CSSProperties; 'data-index': number }>;

/** Only visible rows, and the focused one, are drawn. */
export type VirtualRows<Holder extends HTMLElement> = Readonly<{
  container: RefObject<Holder | null>;
  style: CSSProperties;
  rows: readonly Readonly<{ index: number; props: RowProps }>[];
  focusRow: (index: number) => void;
  /** For the list's `onKeyDown`: arrows, j and k, Home and End, page keys. */
  onKey: (event: KeyboardEvent<HTMLElement>) => void;
}>;

export function useVirtualRows<Holder extends HTMLElement>({
  count,
  keyOf,
  estimatePx,
  onNearEnd,
}: Options): VirtualRows<Holder> {
  const container = useRef<Holder>(null);
  const wanted = useRef<number | null>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    const top = container.current?.getBoundingClientRect().top ?? 0;
    setScrollMargin(Math.round(top + window.scrollY));
  });
  const virtualizer = useWindowVirtualizer({
    count,
    scrollMargin,
    overscan: OVERSCAN,
    getItemKey: keyOf,
    estimateSize: () => estimatePx,
    rangeExtractor: (range) => withFocused(range, focusedIndex(container.current)),
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (count > 0 && last >= count - AHEAD) onNearEnd();
  }, [count, last, onNearEnd]);
  useEffect(() => {
    if (wanted.current === null) return;
    const row = rowAt(container.current, wanted.current);
    if (!row) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  });
  const focusRow = (index: number): void => {
    if (index < 0 || index >= count) return;
    virtualizer.scrollToIndex(index);
    const row = rowAt(container.current, index);
    if (row) row.focus({ preventScroll: true });
    else wanted.current = index;
  };
  const onKey = (event: KeyboardEvent<HTMLElement>): void => {
    const at = focusedIndex(container.current);
    if (at === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = targetOf(event.key, at, count);
    if (to === null) return;
    event.preventDefault();
    focusRow(Math.min(count - 1, Math.max(0, to)));
  };
  const propsOf = ({ index, start }: VirtualItem): RowProps => ({
    ref: virtualizer.measureElement,
    style: { position: 'absolute', top: 0, left: 0, right: 0, transform: `translateY(${start - scrollMargin}px)` },
    'data-index': index,
  });
  return {
    container,
    style: { position: 'relative', height: virtualizer.getTotalSize() },
    rows: items.map((item) => ({ index: item.index, props: propsOf(item) })),
    focusRow,
    onKey,
  };
}

function targetOf(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return at + 1;
    case 'ArrowUp':
    case 'k':
      return at - 1;
    case 'PageDown':
      return at + PAGE_ROWS;
    case 'PageUp':
      return at - PAGE_ROWS;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

function rowAt(container: HTMLElement | null, index: number): HTMLElement | null {
  return container?.querySelector<HTMLElement>(`[data-index="${index}"] [data-row]`) ?? null;
}

function focusedIndex(container: HTMLElement | null): number | null {
  const row = document.activeElement?.closest('[data-index]');
  return row && container?.contains(row) ? Number(row.getAttribute('data-index')) : null;
}

function withFocused(range: Range, focused: number | null): number[] {
  const shown = defaultRangeExtractor(range);
  if (focused === null || focused >= range.count || shown.includes(focused)) return shown;
  return [...shown, focused].sort((a, b) => a - b);
}
