import { type KeyboardEvent, type PointerEvent, useContext, useState } from 'react';
import { usageTexts } from '../../../texts';
import type { ChartPlot, Stretch } from './plot';
import { ZoomContext } from './zoom-context';

/** Drag, or use Shift and arrows, then Enter. */
export function useZoom({ zoom, wordsOf }: ChartPlot, active: number | null) {
  const show = useContext(ZoomContext);
  const [stretch, setStretch] = useState<Stretch | null>(null);
  const [isHeld, setHeld] = useState(false);
  const end = (): void => {
    setStretch(null);
    setHeld(false);
  };
  const finish = ([from, to]: Stretch): void => {
    const range = zoom?.(from, to) ?? null;
    end();
    if (range) show(range);
  };
  return {
    stretch,
    end,
    /** Touch scrolls; mouse and pen select. */
    onDown({ button, pointerType, pointerId, currentTarget }: PointerEvent, point: number | null): void {
      if (!zoom || point === null || button !== 0 || pointerType === 'touch') return;
      currentTarget.setPointerCapture(pointerId);
      setHeld(true);
      setStretch([point, point]);
    },
    onMove(point: number | null): void {
      if (isHeld && stretch && point !== null) setStretch([stretch[0], point]);
    },
    onUp(): void {
      if (!isHeld || !stretch) return;
      // A click may only show the tooltip.
      if (stretch[0] === stretch[1]) end();
      else finish(stretch);
    },
    extend(isMore: boolean, next: number): void {
      if (zoom) setStretch(isMore ? [stretch?.[0] ?? active ?? 0, next] : null);
    },
    /** @returns true if the key was handled. */
    onKey(event: KeyboardEvent): boolean {
      if (!zoom || active === null) return false;
      if (event.key === 'Escape' && stretch) {
        event.stopPropagation();
        end();
        return true;
      }
      if (event.key !== 'Enter') return false;
      event.preventDefault();
      finish(stretch ?? [active, active]);
      return true;
    },
    textOf(point: string): string {
      if (!stretch || stretch[0] === stretch[1]) return point;
      const [from, to] = [Math.min(...stretch), Math.max(...stretch)].map((at) => wordsOf(at).title);
      return `${usageTexts().card.chosen(from ?? '', to ?? '')} ${point}`;
    },
  };
}
