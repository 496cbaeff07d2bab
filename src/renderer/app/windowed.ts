import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type RefObject, useLayoutEffect, useState } from 'react';

/** Shorter lists are drawn whole, so that find, copy and print work. */
const WHOLE_ITEMS = 50;
/** Arrow keys need the neighbouring rows. */
const OVERSCAN_ROWS = 3;

/** In px; without `columnPx`, one item per row. */
type Sizes = Readonly<{ rowPx: number; gapPx: number; columnPx?: number }>;

/** `to` is exclusive; `style` reserves space for the others. */
export type Windowed = Readonly<{
  from: number;
  to: number;
  style: CSSProperties | undefined;
  show(index: number): void;
}>;

export function useWindowed(list: RefObject<HTMLElement | null>, count: number, sizes: Sizes): Windowed {
  const { rowPx, gapPx, columnPx } = sizes;
  const isWhole = count <= WHOLE_ITEMS;
  const { top, columns } = usePlace(list, { isWhole, gapPx, columnPx });
  const rows = Math.ceil(count / columns);
  const virtualizer = useWindowVirtualizer({
    count: isWhole ? 0 : rows,
    estimateSize: () => rowPx + gapPx,
    overscan: OVERSCAN_ROWS,
    scrollMargin: top,
  });
  if (isWhole) return { from: 0, to: count, style: undefined, show: () => {} };
  const show = (index: number) => virtualizer.scrollToIndex(Math.floor(index / columns), { align: 'center' });
  const drawn = virtualizer.getVirtualItems();
  const [first, last] = [drawn[0]?.index ?? 0, drawn.at(-1)?.index ?? -1];
  const style = {
    gridAutoRows: `${rowPx}px`,
    paddingTop: first * (rowPx + gapPx),
    paddingBottom: Math.max(0, rows - 1 - last) * (rowPx + gapPx),
  };
  return { from: first * columns, to: Math.min(count, (last + 1) * columns), style, show };
}

/** In px. */
function usePlace(
  list: RefObject<HTMLElement | null>,
  { isWhole, gapPx, columnPx }: Readonly<{ isWhole: boolean; gapPx: number; columnPx: number | undefined }>,
): Readonly<{ top: number; columns: number }> {
  const [place, setPlace] = useState({ top: 0, columns: 1 });
  useLayoutEffect(() => {
    const element = list.current;
    if (isWhole || !element) return;
    const measure = () => {
      const { top, width } = element.getBoundingClientRect();
      const next = {
        top: Math.round(top + window.scrollY),
        columns: columnPx === undefined ? 1 : Math.max(1, Math.floor((width + gapPx) / (columnPx + gapPx))),
      };
      setPlace((last) => (last.top === next.top && last.columns === next.columns ? last : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    // Content above moves the list but resizes only the page.
    for (const seen of [element, document.body]) observer.observe(seen);
    return () => observer.disconnect();
  }, [list, isWhole, gapPx, columnPx]);
  return place;
}
