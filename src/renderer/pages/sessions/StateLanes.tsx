import type { CSSProperties } from 'react';
import type { TimelineAxis } from '../../../contract/sessions';
import { sessionTexts } from '../../../texts';
import { stretchesOf, timelinePhrase } from '../../../wording/model-words';
import { clock, shortName } from '../../../wording/wording';
import { toneOf } from '../../components/Glyph';
import { Icon } from '../../components/Icon';
import { ModelId } from '../../components/ModelId';
import { lengthOf, placeOf, ticksOf } from './gantt';
import { type Drawn, Grid, Piece, Resets, TICKS_MOST } from './Lane';

/** Longer windows show no seconds. */
const SECONDS_UNTIL_MS = 6 * 45_000;

const labelAt = (percent: number): CSSProperties => ({
  left: `${percent}%`,
  transform: `translateX(-${percent}%)`,
});

export function StateLanes({ axis, window }: Drawn) {
  const { timeline } = sessionTexts();
  const hasSeconds = lengthOf(window) < SECONDS_UNTIL_MS;
  return (
    <div className="gstates">
      <div className="gl gl-tight gaxis-row">
        <div className="gl-label">
          <span className="cap">{timeline.states}</span>
        </div>
        <div className="gaxis">
          {ticksOf(window, TICKS_MOST).map((at) => (
            <span key={at} style={labelAt(placeOf({ since: at, until: at }, window)?.left ?? 0)}>
              {clock(at, hasSeconds)}
            </span>
          ))}
          <ResetMarks axis={axis} window={window} />
        </div>
        <div className="gl-end">
          <span className="cap">{timeline.took}</span>
        </div>
      </div>
      <ul>
        {axis.models.map((row) => (
          <StateLane key={row.model} row={row} axis={axis} window={window} />
        ))}
      </ul>
    </div>
  );
}

type LaneProps = Drawn & Readonly<{ row: TimelineAxis['models'][number] }>;

function StateLane({ row: { model, states }, axis, window }: LaneProps) {
  const stretches = stretchesOf({ states }, axis.until);
  return (
    <li className="gl gl-tight">
      <div className="gl-label">
        <ModelId model={model} />
      </div>
      <div className="glane" role="img" aria-label={`${shortName(model)}: ${timelinePhrase(stretches)}`}>
        <Grid window={window} />
        <Resets axis={axis} window={window} />
        {stretches.map(({ state, from, to }) => (
          <Piece key={from} className={`gstate s-${toneOf(state)}`} span={{ since: from, until: to }} window={window} />
        ))}
      </div>
      <div className="gl-end" />
    </li>
  );
}

function ResetMarks({ axis, window }: Drawn) {
  const { timeline } = sessionTexts();
  return axis.resets.map(({ event, at, model, provider }) => {
    const place = placeOf({ since: at, until: at }, window);
    if (!place) return null;
    const what = model === null ? (provider ?? timeline.everything) : shortName(model);
    const label = timeline.resetAt(what, clock(at, true));
    return (
      <span
        key={event}
        className="gmark"
        role="img"
        aria-label={label}
        title={label}
        style={{ left: `${place.left}%` }}
      >
        <Icon name="reset" />
      </span>
    );
  });
}
