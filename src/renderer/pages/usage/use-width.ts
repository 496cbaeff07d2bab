import { type RefCallback, useCallback, useState } from 'react';

/** The width of an element as it changes, in px; 0 before it is known. */
export function useWidth(): readonly [measure: RefCallback<HTMLElement>, width: number] {
  const [width, setWidth] = useState(0);
  const measure = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      // What is hidden has no width, and keeps the one it had.
      if (entry && entry.contentRect.width > 0) setWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [measure, width];
}
