import type { ModelRow } from '../../contract';
import { agentLabel, counted, failurePhrase } from '../../contract';
import { Countdown } from './Countdown';
import { toneOf } from './Glyph';
import { Icon } from './Icon';
import { ModelId } from './ModelId';
import { StateBadge } from './StateBadge';

const RING_RADIUS = 19;
const RING_LENGTH = 2 * Math.PI * RING_RADIUS;
const DISC_MIN = 1.5;
const DISC_SPAN = 13.5;

type Props = Readonly<{
  row: ModelRow;
  /** Calls of the busiest model: the largest disc. */
  mostCalls: number;
  refusal: string | null;
  onReset: (model: string) => void;
}>;

/** All that is known of one model's health, and the one thing to do about it. */
export function ModelTile({ row, mostCalls, refusal, onReset }: Props) {
  const canReset = row.state !== 'ready' && row.state !== 'unseen';
  return (
    <li className="tile">
      <div className="tile-top">
        <StateBadge state={row.state} row={row} />
        {row.until !== null && <Countdown until={row.until} source={row.source} />}
      </div>
      <ModelId model={row.model} isStrong />
      <div className="tile-body">
        <Dial row={row} mostCalls={mostCalls} />
        <div className="tile-figs">
          <Figures row={row} />
        </div>
        {canReset && (
          <button
            className="btn btn-sm"
            type="button"
            onClick={() => onReset(row.model)}
            aria-label={`Reset ${row.name}; the next request will try it`}
          >
            <Icon name="reset" />
            Reset
          </button>
        )}
      </div>
      {refusal && (
        <p className="small c-open" role="alert">
          Not reset: {refusal}
        </p>
      )}
      {row.lastFailure && (
        <p className="tile-line">
          {failurePhrase(row.lastFailure)}
          <span className="tile-message" title={row.lastFailure.message}>
            {row.lastFailure.message}
          </span>
        </p>
      )}
      <p className="tile-foot cap">
        <span>
          {row.agents.length > 0 ? `In the chain of ${row.agents.map(agentLabel).join(', ')}` : 'In no chain'}
        </span>
        {row.code && <code>{row.code}</code>}
      </p>
    </li>
  );
}

function Figures({ row }: Readonly<{ row: ModelRow }>) {
  if (row.calls === 0) return <span>no calls yet</span>;
  return (
    <>
      <span>
        <b>{Math.round((100 * row.failed) / row.calls)} %</b> <span className="dim">failed</span>
      </span>
      <span className="dim">
        {counted(row.calls, 'call')} · {row.failed} failed
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
