import { useEffect, useState } from 'react';
import { Icon } from './Icon';

const TOAST_MS = 10_000;

type Props = Readonly<{ subject: string; text: string; onEnd: () => void }>;

/** What just happened, for ten seconds; it stays while pointed at or focused. */
export function Toast({ subject, text, onEnd }: Props) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(onEnd, TOAST_MS);
    return () => clearTimeout(timer);
  }, [isHeld, onEnd]);
  return (
    <div
      className="toast"
      role="status"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>
        <b>{subject}</b> {text}
      </span>
      <button className="btn btn-icon btn-quiet btn-sm" type="button" aria-label="Dismiss" onClick={onEnd}>
        <Icon name="close" />
      </button>
    </div>
  );
}
