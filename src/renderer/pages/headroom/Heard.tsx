import { agePhrase } from '../../../wording/headroom-words';
import { useCoreNow, useStale } from '../../app/panel';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** "heard 4 s ago": how old what is known is. Nothing while the panel cannot know what its core has heard since. */
export function Heard({ seenAt }: Readonly<{ seenAt: number }>) {
  const { cause } = useStale();
  const isKnown = cause !== 'link';
  // By the second in its first minute, by the minute from then on.
  useCoreNow(isKnown ? seenAt + MINUTE_MS : undefined, SECOND_MS);
  const now = useCoreNow(isKnown ? null : undefined);
  return isKnown ? agePhrase({ seenAt }, now) : null;
}
