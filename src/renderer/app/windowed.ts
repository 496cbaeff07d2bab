import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type RefObject, useLayoutEffect, useState } from 'react';

/** Up to so many items a list is drawn as a whole: finding, copying and printing it then work as on any page. */
const WHOLE_ITEMS = 50;
/** Rows drawn above and below what is seen, so that arrow keys always find the next one. */
const OVERSCAN_ROWS = 3;

/** Sizes of the items in px; without `columnPx` each has a row of its own. */
type Sizes = Readonly<{ rowPx: number; gapPx: number; columnPx?: number }>;

/** The part of a long list that is drawn: items `from` to before `to`, with room for the others kept by `style`. */
export type Windowed = Readonly<{
  from: number;
  to: number;
  style: CSSProperties | undefined;
  /** Brings an item of a list that is not drawn as a whole on the screen. */
  show(index: number): void;
}>;

/** What of a list of `count` items is near the part of the page that is seen. */
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

/** Where a list begins on the page, in px, and how many items stand beside each other in it. */
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
    // What is above it moves it without changing its size; the page grows with that.
    for (const seen of [element, document.body]) observer.observe(seen);
    return () => observer.disconnect();
  }, [list, isWhole, gapPx, columnPx]);
  return place;
}
