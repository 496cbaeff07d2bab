import { memo } from 'react';
import type { ModelRow } from '../../contract';
import { counted, recentPhrase } from '../../contract';
import { modelTexts } from '../../texts';
import { useLanguage } from '../language';
import { hrefOf } from '../routes';
import { ShortCountdown } from './Countdown';
import { toneOf } from './Glyph';
import { ModelId } from './ModelId';
import { Sparkline } from './Sparkline';
import { StateBadge } from './StateBadge';

const RING_RADIUS = 19;
const RING_LENGTH = 2 * Math.PI * RING_RADIUS;
const DISC_MIN = 1.5;
const DISC_SPAN = 13.5;

type Props = Readonly<{
  row: ModelRow;
  /** Calls of the busiest model: the largest disc. */
  mostCalls: number;
  isOpen: boolean;
  /** Its place among all tiles, from 1, and how many there are: not all of them need to be on the page. */
  place: number;
  count: number;
}>;

/** One model's health at a glance; opens into all that is known of it. */
export const ModelTile = memo(function ModelTile({ row, mostCalls, isOpen, place, count }: Props) {
  useLanguage();
  return (
    <li aria-posinset={place} aria-setsize={count}>
      <a className="tile" data-row={row.model} href={hrefOf('models', row.model)} aria-current={isOpen || undefined}>
        <span className="tile-top">
          <StateBadge state={row.state} row={row} />
          {row.until !== null && <ShortCountdown until={row.until} source={row.source} />}
        </span>
        <ModelId model={row.model} isStrong />
        <span className="tile-body">
          <Dial row={row} mostCalls={mostCalls} />
          <span className="tile-figs">
            <Figures row={row} />
          </span>
          <Sparkline recent={row.recent} />
        </span>
      </a>
    </li>
  );
});

function Figures({ row }: Readonly<{ row: ModelRow }>) {
  const said = modelTexts().tile;
  if (row.calls === 0) return <span>{said.noCalls}</span>;
  return (
    <>
      <span>
        <b>{Math.round((100 * row.failed) / row.calls)} %</b> <span className="dim">{said.failed}</span>
      </span>
      <span className="dim">
        {counted(row.calls, 'call')}
        <span className="sr">, {recentPhrase(row.recent)}</span>
      </span>
    </>
  );
}

/** Disc area is the share of calls, ring the share that failed; the text beside it says both. */
function Dial({ row, mostCalls }: Readonly<{ row: ModelRow; mostCalls: number }>) {
  const failedLength = row.calls === 0 ? 0 : (RING_LENGTH * row.failed) / row.calls;
  const discRadius = DISC_MIN + DISC_SPAN * Math.sqrt(row.calls / Math.max(1, mostCalls));
  return (
    <svg className={`dial c-${toneOf(row.state)}`} viewBox="0 0 44 44" aria-hidden="true" focusable="false">
      <circle className="track" cx="22" cy="22" r={RING_RADIUS} fill="none" strokeWidth="4" />
      {failedLength > 0 && (
        <circle
          cx="22"
          cy="22"
          r={RING_RADIUS}
          fill="none"
          stroke="currentColor"
          strokeWidth="4"
          strokeDasharray={`${failedLength.toFixed(1)} ${RING_LENGTH.toFixed(1)}`}
          transform="rotate(-90 22 22)"
        />
      )}
      <circle className="disc" cx="22" cy="22" r={discRadius.toFixed(1)} />
    </svg>
  );
}
