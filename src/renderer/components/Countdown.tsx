import { wordTexts } from '../../texts';
import { stopwatch } from '../../wording/stopwatch';
import { clock, elapsed, ownerPhrase, remaining } from '../../wording/wording';
import { useCoreNow, useStale } from '../app/panel';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const UNKNOWN = '—';

type Props = Readonly<{ until: number; source: 'provider' | 'estimate' | null }>;

/** Shows a dash while the data is stale. */
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

/** The underline shows the source; screen readers get text. */
export function ShortCountdown({ until, source }: Props) {
  return (
    <span className={`cd-short small ${source === 'provider' ? 'src' : 'src src-ours'}`}>
      {clock(until)} · <TimeLeft until={until} />
      {source && <span className="sr">, {ownerPhrase(source)}</span>}
    </span>
  );
}

/** "14 min". */
export function TimeLeft({ until }: Readonly<{ until: number }>) {
  const { cause } = useStale();
  const now = useCoreNow(cause ? undefined : until);
  return (
    <span role="timer" aria-live="off">
      {cause ? UNKNOWN : remaining(until - now)}
    </span>
  );
}

/** "4 min". */
export function Age({ since }: Readonly<{ since: number }>) {
  const { cause } = useStale();
  const now = useCoreNow(cause ? undefined : null);
  return <>{cause ? UNKNOWN : elapsed(now - since)}</>;
}

/** "0:34". */
export function Stopwatch({ since }: Readonly<{ since: number }>) {
  const { cause } = useStale();
  const now = useCoreNow(cause ? undefined : null, SECOND_MS);
  return (
    <span className="cd-last" role="timer" aria-live="off">
      {cause ? UNKNOWN : stopwatch(now - since)}
    </span>
  );
}
