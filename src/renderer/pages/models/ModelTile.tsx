import { memo } from 'react';
import type { ModelRow } from '../../../contract/snapshot';
import type { ModelUse } from '../../../contract/usage';
import { modelTexts, spokenLanguage } from '../../../texts';
import { pricePhrase } from '../../../wording/model-words';
import { measured, percent } from '../../../wording/wording';
import { useLanguage } from '../../app/language';
import { hrefOf } from '../../app/routes';
import { ShortCountdown } from '../../components/Countdown';
import { toneOf } from '../../components/Glyph';
import { ModelId } from '../../components/ModelId';
import { StateBadge } from '../../components/StateBadge';
import { BreakerWords } from './BreakerWords';
import { OutcomeBar } from './OutcomeBar';

const RING_RADIUS = 19;
const RING_LENGTH = 2 * Math.PI * RING_RADIUS;
const DISC_MIN = 1.5;
const DISC_SPAN = 13.5;

type Props = Readonly<{
  row: ModelRow;
  /** Undefined without calls; null before a response. */
  use: ModelUse | undefined | null;
  mostCalls: number;
  isOpen: boolean;
  /** For screen readers: not all tiles are drawn. */
  place: number;
  count: number;
}>;

export const ModelTile = memo(function ModelTile({ row, use, mostCalls, isOpen, place, count }: Props) {
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
          <Dial state={row.state} use={use} mostCalls={mostCalls} />
          <span className="tile-figs">
            <Figures use={use} />
          </span>
          {use && <OutcomeBar outcomes={use.outcomes} />}
        </span>
        <span className="tile-foot">
          <span>{timesOf(use)}</span>
          <span>{pricePhrase(row.abilities)}</span>
        </span>
        <span className="tile-foot">
          <span>
            <BreakerWords row={row} />
          </span>
        </span>
      </a>
    </li>
  );
});

function timesOf(use: Props['use']): string {
  if (!use || use.p50Ms === null || use.p95Ms === null) return '';
  return modelTexts().outcomes.times(measured(use.p50Ms), measured(use.p95Ms));
}

function Figures({ use }: Pick<Props, 'use'>) {
  const texts = modelTexts().tile;
  if (use === null) return null;
  if (!use || use.totalCalls === 0) return <span>{texts.noCalls}</span>;
  const { totalCalls, failures } = use;
  return (
    <>
      <span>
        <b>{percent(failures / totalCalls)}</b> <span className="dim">{texts.failed}</span>
      </span>
      <span className="dim">
        {totalCalls === 1 ? texts.oneCall : texts.calls(totalCalls.toLocaleString(spokenLanguage()))}
      </span>
    </>
  );
}

type DialProps = Readonly<{ state: ModelRow['state']; use: Props['use']; mostCalls: number }>;

/** Disc area: share of calls; ring: share of failures. */
function Dial({ state, use, mostCalls }: DialProps) {
  const { totalCalls = 0, failures = 0 } = use ?? {};
  const failedLength = totalCalls === 0 ? 0 : (RING_LENGTH * failures) / totalCalls;
  const discRadius = DISC_MIN + DISC_SPAN * Math.sqrt(totalCalls / Math.max(1, mostCalls));
  return (
    <svg className={`dial c-${toneOf(state)}`} viewBox="0 0 44 44" aria-hidden="true" focusable="false">
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
