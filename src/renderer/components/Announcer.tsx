import { useEffect, useRef, useState } from 'react';
import type { EventRow } from '../../contract/snapshot';
import type { CouncilRunRow } from '../../features/council/contract/council-run';
import { runNews } from '../../features/council/wording/council-run-words';
import { eventSentence } from '../../wording/event-words';
import { usePanelState } from '../app/panel';
import { runLater } from '../app/visible';

/** Minimum time between announcements for screen readers. */
const PAUSE_MS = 5_000;
const NOBODY: readonly CouncilRunRow[] = [];

export function Announcer() {
  return (
    <>
      <Transitions />
      <Councils />
    </>
  );
}

function Transitions() {
  const newest = usePanelState((state) => state.snapshot?.events.find(isTransition) ?? null);
  const hasSnapshot = usePanelState((state) => state.snapshot !== null);
  return <Voice id={hasSnapshot ? String(newest?.id ?? -1) : null} say={() => newest && eventSentence(newest)} />;
}

function Councils() {
  const councils = usePanelState((state) => state.snapshot?.councils ?? NOBODY);
  const hasSnapshot = usePanelState((state) => state.snapshot !== null);
  const news = useRef<Readonly<{ told: readonly string[]; row: CouncilRunRow | null; count: number }>>(NO_NEWS);
  const { told: announced, row, count } = news.current;
  // The newest run comes first.
  const fresh = councils.find((each) => runNews(each) !== null && !announced.includes(newsKey(each)));
  news.current = { told: councils.map(newsKey), row: fresh ?? row, count: fresh ? count + 1 : count };
  const { current } = news;
  return <Voice id={hasSnapshot ? String(current.count) : null} say={() => current.row && runNews(current.row)} />;
}

const NO_NEWS = { told: [], row: null, count: 0 };

const newsKey = ({ run, state, question }: CouncilRunRow): string => `${run} ${question?.id ?? state}`;

type VoiceProps = Readonly<{
  /** Id of the newest announcement; null before data arrives. */
  id: string | null;
  say: () => string | null;
}>;

/** Announces the newest sentence after each pause. */
function Voice({ id, say }: VoiceProps) {
  const [sentence, setSaid] = useState('');
  const lastId = useRef<string | null>(null);
  const saidAtMs = useRef(Number.NEGATIVE_INFINITY);
  const latest = useRef(say);
  latest.current = say;
  useEffect(() => {
    if (id === null) return;
    const isOld = lastId.current === null || lastId.current === id;
    const isSomething = latest.current() !== null;
    if (isOld || !isSomething) {
      lastId.current = id;
      return;
    }
    const speak = () => {
      lastId.current = id;
      saidAtMs.current = performance.now();
      setSaid(latest.current() ?? '');
    };
    return runLater(speak, saidAtMs.current + PAUSE_MS - performance.now());
  }, [id]);
  return (
    <p className="sr" aria-live="polite">
      {sentence}
    </p>
  );
}

function isTransition(event: EventRow): boolean {
  return !event.code.startsWith('turn.');
}
