import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { shellTexts } from '../../texts';
import type { Notice } from '../app/notices';
import { usePanel } from '../app/panel';
import { Icon } from './Icon';

const TOAST_MS = 10_000;
/** Margins below and above. */
const MARGINS_PX = 2 * 20;

/** Stays ten seconds, longer under pointer or focus; errors stay until dismissed. */
export function Toast() {
  const { notices } = usePanel();
  const notice = useStore(notices.store, (state) => state.notice);
  return notice && <ShownNotice key={notice.id} notice={notice} onEnd={notices.dismiss} />;
}

function ShownNotice({ notice, onEnd }: Readonly<{ notice: Notice; onEnd: () => void }>) {
  const [isKept, setKept] = useState(false);
  const { text, isRefusal, undo } = notice;
  const box = useRef<HTMLDivElement>(null);
  useRoomFor(box);
  useEffect(() => {
    if (isKept || isRefusal) return;
    const timer = setTimeout(onEnd, TOAST_MS);
    return () => clearTimeout(timer);
  }, [isKept, isRefusal, onEnd]);
  return (
    <div
      ref={box}
      className="toast"
      role="status"
      onPointerEnter={() => setKept(true)}
      onPointerLeave={() => setKept(false)}
      onFocus={() => setKept(true)}
      onBlur={() => setKept(false)}
    >
      <span role={isRefusal ? 'alert' : undefined}>{text}</span>
      {undo && (
        <button className="btn btn-sm" type="button" onClick={undo}>
          {shellTexts().notice.undo}
        </button>
      )}
      <button
        className="btn btn-icon btn-quiet btn-sm"
        type="button"
        aria-label={shellTexts().notice.dismiss}
        onClick={onEnd}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

/** The page can scroll its end out from under the toast. */
function useRoomFor(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    const { style } = document.documentElement;
    const measure = () => style.setProperty('--toast-room', `${current.offsetHeight + MARGINS_PX}px`);
    const watch = new ResizeObserver(measure);
    watch.observe(current);
    measure();
    return () => {
      watch.disconnect();
      style.removeProperty('--toast-room');
    };
  }, [box]);
}
