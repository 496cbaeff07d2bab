import { type RefCallback, useCallback, useState } from 'react';

/** In px; 0 before measuring. */
export function useWidth(): readonly [measure: RefCallback<HTMLElement>, width: number] {
  const [width, setWidth] = useState(0);
  const measure = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      // Hidden elements keep their last width.
      if (entry && entry.contentRect.width > 0) setWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [measure, width];
}
