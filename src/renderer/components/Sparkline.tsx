import type { ModelRow } from '../../contract';
import { useCoreNow, useStale } from '../panel';

/** What one point of the line stands for, in ms. */
const SLICE_MS = 10_000;
const SLICES = 12;
const WIDTH = 76;
const HEIGHT = 22;
/** Room for a dot at either end. */
const MARGIN = 2;
const xOf = (index: number): string => (MARGIN + ((WIDTH - 2 * MARGIN) * index) / (SLICES - 1)).toFixed(1);

/** Calls of the last two minutes by 10 s, failed ones as dots on the line; the text beside it says the sum. */
export function Sparkline({ recent }: Readonly<{ recent: ModelRow['recent'] }>) {
  const { cause } = useStale();
  const last = recent.at(-1);
  // Without calls it is a flat line, which need not move.
  const now = useCoreNow(cause || !last ? undefined : last.at + SLICES * SLICE_MS + 1, SLICE_MS);
  const first = Math.floor(now / SLICE_MS) - SLICES + 1;
  const bySlice = new Map(recent.map((entry) => [entry.at / SLICE_MS, entry]));
  const slices = Array.from({ length: SLICES }, (_, index) => bySlice.get(first + index));
  const most = Math.max(1, ...slices.map((entry) => entry?.calls ?? 0));
  const heightOf = (calls: number) => HEIGHT - 3 - ((HEIGHT - 6) * calls) / most;
  const points = slices.map((entry, index) => `${xOf(index)},${heightOf(entry?.calls ?? 0).toFixed(1)}`);
  return (
    <svg className="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
      <polyline points={points.join(' ')} />
      {slices.map(
        (entry, index) =>
          entry &&
          entry.failed > 0 && <circle key={entry.at} cx={xOf(index)} cy={heightOf(entry.calls).toFixed(1)} r="2" />,
      )}
    </svg>
  );
}
