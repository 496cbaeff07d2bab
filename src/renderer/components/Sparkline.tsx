import type { ModelRow } from '../../contract';
import { useCoreNow, useStale } from '../panel';

const MINUTE_MS = 60_000;
const MINUTES = 15;
const WIDTH = 76;
const HEIGHT = 22;
/** Room for a dot at either end. */
const MARGIN = 2;
const xOf = (index: number): string => (MARGIN + ((WIDTH - 2 * MARGIN) * index) / (MINUTES - 1)).toFixed(1);

/** Calls by the minute of the last quarter of an hour, failed ones as dots on the line; the text beside it says the sum. */
export function Sparkline({ recent }: Readonly<{ recent: ModelRow['recent'] }>) {
  const { cause } = useStale();
  const now = useCoreNow(cause || recent.length === 0 ? undefined : null);
  const first = Math.floor(now / MINUTE_MS) - MINUTES + 1;
  const byMinute = new Map(recent.map((entry) => [entry.at / MINUTE_MS, entry]));
  const minutes = Array.from({ length: MINUTES }, (_, index) => byMinute.get(first + index));
  const most = Math.max(1, ...minutes.map((entry) => entry?.calls ?? 0));
  const heightOf = (calls: number) => HEIGHT - 3 - ((HEIGHT - 6) * calls) / most;
  const points = minutes.map((entry, index) => `${xOf(index)},${heightOf(entry?.calls ?? 0).toFixed(1)}`);
  return (
    <svg className="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
      <polyline points={points.join(' ')} />
      {minutes.map(
        (entry, index) =>
          entry &&
          entry.failed > 0 && <circle key={entry.at} cx={xOf(index)} cy={heightOf(entry.calls).toFixed(1)} r="2" />,
      )}
    </svg>
  );
}
