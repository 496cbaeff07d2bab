import { wordTexts } from '../../texts';
import { stopwatch } from '../../wording/stopwatch';
import { clock, elapsed, ownerPhrase, remaining } from '../../wording/wording';
import { useCoreNow, useStale } from '../app/panel';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const UNKNOWN = '—';

type Props = Readonly<{ until: number; source: 'provider' | 'estimate' | null }>;

/** Clock time, time left, and whose clock it is. A dash while the panel cannot know. */
export function Countdown({ until, source }: Props) {
  const { cause } = useStale();
  const leftMs = until - useCoreNow(cause ? undefined : until);
  const isLastMinute = !cause && leftMs < MINUTE_MS;
  return (
    <span className="cd">
      {!isLastMinute && (
        <b>
          <time dateTime={new Date(until).toISOString()}>{clock(until)}</time>
        </b>
      )}
      <span className={isLastMinute ? 'cd-last' : 'muted'} role="timer" aria-live="off">
        {cause ? UNKNOWN : isLastMinute ? remaining(leftMs) : wordTexts().timeLeft(remaining(leftMs))}
      </span>
      {source && <span className={source === 'provider' ? 'src' : 'src src-ours'}>{ownerPhrase(source)}</span>}
    </span>
  );
}

/** Clock time and time left on one short line; the underline, and words for whoever cannot see it, say whose clock it is. */
export function ShortCountdown({ until, source }: Props) {
  return (
    <span className={`cd-short small ${source === 'provider' ? 'src' : 'src src-ours'}`}>
      {clock(until)} · <TimeLeft until={until} />
      {source && <span className="sr">, {ownerPhrase(source)}</span>}
    </span>
  );
}

/** Only the time left, for narrow lists: "14 min". */
export function TimeLeft({ until }: Readonly<{ until: number }>) {
  const { cause } = useStale();
  const now = useCoreNow(cause ? undefined : until);
  return (
    <span role="timer" aria-live="off">
      {cause ? UNKNOWN : remaining(until - now)}
    </span>
  );
}

/** How long something has lasted: "4 min". */
export function Age({ since }: Readonly<{ since: number }>) {
  const { cause } = useStale();
  const now = useCoreNow(cause ? undefined : null);
  return <>{cause ? UNKNOWN : elapsed(now - since)}</>;
}

/** The seconds since a time: "0:34". */
export function Stopwatch({ since }: Readonly<{ since: number }>) {
  const { cause } = useStale();
  const now = useCoreNow(cause ? undefined : null, SECOND_MS);
  return (
    <span className="cd-last" role="timer" aria-live="off">
      {cause ? UNKNOWN : stopwatch(now - since)}
    </span>
  );
}
