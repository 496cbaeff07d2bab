import { agePhrase } from '../../../wording/headroom-words';
import { useCoreNow, useStale } from '../../app/panel';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** "heard 4 s ago"; hidden without a link to the core. */
export function Heard({ seenAt }: Readonly<{ seenAt: number }>) {
  const { cause } = useStale();
  const isKnown = cause !== 'link';
  useCoreNow(isKnown ? seenAt + MINUTE_MS : undefined, SECOND_MS);
  const now = useCoreNow(isKnown ? null : undefined);
  return isKnown ? agePhrase({ seenAt }, now) : null;
}
