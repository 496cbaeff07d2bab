import { type KeyboardEvent, type PointerEvent, useId, useRef } from 'react';
import type { TimelineAxis } from '../../../contract/sessions';
import { sessionTexts } from '../../../texts';
import { clock, measured } from '../../../wording/wording';
import { lengthOf, moved, placeOf, type Span, within, zoomed } from './gantt';

type Props = Readonly<{
  axis: TimelineAxis;
  whole: Span;
  window: Span;
  onChange: (window: Span) => void;
}>;

/** Shorter drags are clicks. */
const CLICK_PX = 4;
const FULL = 100;

export function Overview({ axis, whole, window, onChange }: Props) {
  const { timeline } = sessionTexts();
  const id = useId();
  const drag = useDrag(whole, window, onChange);
  const place = placeOf(window, whole) ?? { left: 0, width: FULL };
  const onKey = (event: KeyboardEvent) => {
    const next = keyed(event.key, window, whole);
    if (next === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onChange(next);
  };
  return (
    <div className="gl gl-over">
      <div className="gl-label">
        <span className="cap">{timeline.overview(measured(lengthOf(axis)))}</span>
      </div>
      <div className="gover" {...drag}>
        {axis.marks.map(({ at, troubled }) => (
          <i
            key={at}
            className={troubled > 0 ? 'is-troubled' : undefined}
            style={{ left: `${placeOf({ since: at, until: at }, whole)?.left ?? 0}%` }}
          />
        ))}
        <div
          className="gbrush"
          role="slider"
          tabIndex={0}
          aria-label={timeline.brush}
          aria-describedby={id}
          aria-valuemin={0}
          aria-valuemax={FULL}
          aria-valuenow={Math.round(place.left)}
          aria-valuetext={spanText(window)}
          style={{ left: `${place.left}%`, width: `${place.width}%` }}
          onKeyDown={onKey}
        />
      </div>
      <div className="gl-end">
        <span className="cap" aria-hidden="true">
          {timeline.drag}
        </span>
        <span className="sr" id={id}>
          {timeline.brushKeys}
        </span>
      </div>
    </div>
  );
}

/** "13:20 to 13:26, 6 min". */
function spanText(window: Span): string {
  const { timeline } = sessionTexts();
  const isShort = lengthOf(window) < 600_000;
  return timeline.brushed(clock(window.since, isShort), clock(window.until, isShort), measured(lengthOf(window)));
}

function keyed(key: string, window: Span, whole: Span): Span | null {
  const length = lengthOf(window);
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return moved(window, -1, whole);
    case 'ArrowRight':
    case 'ArrowUp':
      return moved(window, 1, whole);
    case '+':
    case '=':
      return zoomed(window, 1 / 2, whole);
    case '-':
      return zoomed(window, 2, whole);
    case 'Home':
      return within({ since: whole.since, until: whole.since + length }, whole);
    case 'End':
      return within({ since: whole.until - length, until: whole.until }, whole);
    default:
      return null;
  }
}

type Drag = Readonly<{ fromX: number; at: number; window: Span; isBrush: boolean }>;

/** Dragging outside of the window draws a new one. */
function useDrag(whole: Span, window: Span, onChange: (window: Span) => void) {
  const drag = useRef<Drag | null>(null);
  const momentAt = (event: PointerEvent<HTMLElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (event.clientX - box.left) / Math.max(1, box.width)));
    return whole.since + part * lengthOf(whole);
  };
  const isClick = (event: PointerEvent, { fromX }: Drag): boolean => Math.abs(event.clientX - fromX) < CLICK_PX;
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      const isBrush = (event.target as Element).closest('.gbrush') !== null && lengthOf(window) < lengthOf(whole);
      drag.current = { fromX: event.clientX, at: momentAt(event), window, isBrush };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const begun = drag.current;
      if (!begun || isClick(event, begun)) return;
      const at = momentAt(event);
      const by = at - begun.at;
      const drawn = { since: Math.min(at, begun.at), until: Math.max(at, begun.at) };
      const shifted = { since: begun.window.since + by, until: begun.window.until + by };
      onChange(within(begun.isBrush ? shifted : drawn, whole));
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const begun = drag.current;
      drag.current = null;
      if (!begun || begun.isBrush || !isClick(event, begun)) return;
      const half = lengthOf(begun.window) / 2;
      onChange(within({ since: begun.at - half, until: begun.at + half }, whole));
    },
    onPointerCancel() {
      drag.current = null;
    },
  };
}
