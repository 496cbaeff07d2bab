import type { ModelHistory, ModelRow } from '../../../contract/snapshot';
import { stretchesOf, timelinePhrase, totalsOf } from '../../../wording/model-words';
import { clock, elapsed, stateWord } from '../../../wording/wording';
import { useCoreNow, useStale } from '../../app/panel';
import { Glyph, toneOf } from '../../components/Glyph';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WIDTH = 384;
const FLOOR = 52;
/** Legible without colour. */
const HEIGHTS: Readonly<Record<ModelRow['state'], number>> = {
  ready: 4,
  unseen: 2,
  held: 16,
  degraded: 18,
  resting: 18,
  probing: 30,
  cooling: 32,
  open: 46,
  blocked: 46,
};
const LEAST_WIDTH = 2;

export function StateTimeline({ history }: Readonly<{ history: ModelHistory }>) {
  const { cause } = useStale();
  const now = useCoreNow(cause ? undefined : null);
  const stretches = stretchesOf(history, now);
  const xOf = (at: number) => Math.max(0, (WIDTH * (at - now + DAY_MS)) / DAY_MS);
  return (
    <>
      <svg
        className="timeline"
        viewBox={`0 0 ${WIDTH} ${FLOOR + 16}`}
        role="img"
        aria-label={timelinePhrase(stretches)}
      >
        {stretches.map(({ state, from, to }) => (
          <rect
            key={from}
            className={`c-${toneOf(state)}`}
            x={xOf(from).toFixed(1)}
            y={FLOOR - HEIGHTS[state]}
            width={Math.max(LEAST_WIDTH, xOf(to) - xOf(from)).toFixed(1)}
            height={HEIGHTS[state]}
          />
        ))}
        <path className="axis" d={`M0 ${FLOOR + 0.5}H${WIDTH}`} />
        {[24, 16, 8, 0].map((hours) => (
          <text key={hours} x={WIDTH - (WIDTH * hours) / 24} y={FLOOR + 13} textAnchor={anchorOf(hours)}>
            {clock(now - hours * HOUR_MS)}
          </text>
        ))}
      </svg>
      <ul className="legend">
        {totalsOf(stretches).map(({ state, ms }) => (
          <li key={state}>
            <Glyph name={state} />
            {stateWord(state)} {elapsed(ms)}
          </li>
        ))}
      </ul>
    </>
  );
}

const anchorOf = (hours: number) => (hours === 24 ? 'start' : hours === 0 ? 'end' : 'middle');
