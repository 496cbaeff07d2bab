import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { shellTexts } from '../../texts';
import type { Notice } from '../notices';
import { usePanel } from '../panel';
import { Icon } from './Icon';

const TOAST_MS = 10_000;

/** What just happened, for ten seconds, with a way back; it stays while pointed at or focused, and a refusal until dismissed. */
export function Toast() {
  const { notices } = usePanel();
  const notice = useStore(notices.store, (state) => state.notice);
  return notice && <ShownNotice key={notice.id} notice={notice} onEnd={notices.dismiss} />;
}

function ShownNotice({ notice, onEnd }: Readonly<{ notice: Notice; onEnd: () => void }>) {
  const [isKept, setKept] = useState(false);
  const { subject, text, isRefusal, undo } = notice;
  useEffect(() => {
    if (isKept || isRefusal) return;
    const timer = setTimeout(onEnd, TOAST_MS);
    return () => clearTimeout(timer);
  }, [isKept, isRefusal, onEnd]);
  const takeBack = () => {
    onEnd();
    undo?.();
  };
  return (
    <div
      className="toast"
      role="status"
      onPointerEnter={() => setKept(true)}
      onPointerLeave={() => setKept(false)}
      onFocus={() => setKept(true)}
      onBlur={() => setKept(false)}
    >
      <span role={isRefusal ? 'alert' : undefined}>
        <b>{subject}</b> {text}
      </span>
      {undo && (
        <button className="btn btn-sm" type="button" onClick={takeBack}>
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
