import { useEffect, useRef, useState } from 'react';
import type { EventRow } from '../../contract';
import { eventSentence } from '../../contract';
import { usePanelState } from '../panel';

/** A screen reader is told at most this often. */
const PAUSE_MS = 5_000;

/** Says each new transition politely; what happened during the pause is told as its newest sentence. */
export function Announcer() {
  const newest = usePanelState((state) => state.snapshot?.events.find(isTransition) ?? null);
  const hasSnapshot = usePanelState((state) => state.snapshot !== null);
  const [said, setSaid] = useState('');
  const heard = useRef<number | null>(null);
  const saidAtMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (!hasSnapshot) return;
    const id = newest?.id ?? -1;
    const isOld = heard.current === null || heard.current === id;
    if (isOld || !newest) {
      heard.current = id;
      return;
    }
    const say = () => {
      heard.current = id;
      saidAtMs.current = performance.now();
      setSaid(eventSentence(newest));
    };
    const timer = setTimeout(say, Math.max(0, saidAtMs.current + PAUSE_MS - performance.now()));
    return () => clearTimeout(timer);
  }, [newest, hasSnapshot]);
  return (
    <p className="sr" aria-live="polite">
      {said}
    </p>
  );
}

/** A finished turn is no news; what changed a model or a speaker is. */
function isTransition(event: EventRow): boolean {
  return !event.code.startsWith('turn.');
}
