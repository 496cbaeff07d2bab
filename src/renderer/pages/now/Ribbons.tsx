import type { CSSProperties } from 'react';
import type { ModelRow, Snapshot } from '../../../contract/snapshot';
import { nowTexts } from '../../../texts';
import { type Stretch, stretchesOf, timelinePhrase } from '../../../wording/model-words';
import { clock, knownFrom, stateLabel, stateWord } from '../../../wording/wording';
import { useAsked } from '../../app/asked';
import { useCoreNow, useStale } from '../../app/panel';
import { hrefOf } from '../../app/routes';
import { useSteadyOrder } from '../../app/steady-order';
import { ShortCountdown } from '../../components/Countdown';
import { Glyph, toneOf } from '../../components/Glyph';
import { ModelId } from '../../components/ModelId';
import { partWidth } from '../../components/part-width';
import { SectionTitle } from '../../components/SectionTitle';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SHOWN = 9;
const MARK_HOURS = 4;

type States = readonly ModelRow['state'][];
const LEGEND: States = ['ready', 'degraded', 'resting', 'probing', 'cooling', 'open', 'blocked', 'held'];

export function Ribbons({ models }: Pick<Snapshot, 'models'>) {
  const texts = nowTexts().ribbons;
  const ordered = useSteadyOrder(models, ({ model }) => model).slice(0, SHOWN);
  const { cause } = useStale();
  const now = useCoreNow(cause ? undefined : null);
  const names = ordered.map(({ model }) => model);
  const histories = useAsked(
    'models.states',
    { models: names },
    ordered.map((row) => `${row.model} ${row.state}`).join(),
  );
  const lanes = ordered.map((row) => {
    const states = histories?.find(({ model }) => model === row.model)?.states ?? [];
    return { row, stretches: stretchesOf({ states }, now) };
  });
  const shown = new Set(lanes.flatMap(({ row, stretches }) => [row.state, ...stretches.map(({ state }) => state)]));
  const ready = models.filter(({ state }) => state === 'ready').length;
  return (
    <section aria-labelledby="ribbons">
      <SectionTitle
        id="ribbons"
        title={texts.title}
        caption={models.length > 0 ? texts.caption(ready, models.length, Math.max(0, models.length - SHOWN)) : ''}
      >
        <span className="push rb-legend" aria-hidden="true">
          {LEGEND.filter((state) => shown.has(state)).map((state) => (
            <span key={state}>
              <i className={`s-${toneOf(state)}`} />
              {stateWord(state)}
            </span>
          ))}
        </span>
        <a className="link small" href={hrefOf('models')}>
          {texts.all}
        </a>
      </SectionTitle>
      {models.length === 0 ? (
        <p className="card card-body muted">{texts.none}</p>
      ) : (
        <ul className="card ribbons">
          {lanes.map(({ row, stretches }) => (
            <Ribbon key={row.model} row={row} stretches={stretches} now={now} />
          ))}
          <Axis now={now} />
        </ul>
      )}
    </section>
  );
}

type RibbonProps = Readonly<{ row: ModelRow; stretches: readonly Stretch[]; now: number }>;

function Ribbon({ row, stretches, now }: RibbonProps) {
  return (
    <li className="rb">
      <a className="rb-model" href={hrefOf('models', row.model)}>
        <ModelId model={row.model} />
      </a>
      <span className="rib" role="img" aria-label={timelinePhrase(stretches)}>
        {stretches.map(({ state, from, to }) => (
          <i key={from} className={`s-${toneOf(state)}`} style={styleOf(from, to, now)} />
        ))}
      </span>
      <span className="rb-now">
        <span className={row.state === 'ready' ? 'dim' : `c-${toneOf(row.state)}`}>
          <Glyph name={row.state} />
          <span className="rb-state">{stateLabel(row)}</span>
        </span>
        <Cooldown row={row} now={now} />
        <span className="rb-until">
          {row.until !== null && <ShortCountdown until={row.until} source={row.source} />}
        </span>
      </span>
      {row.machine !== undefined && <span className="cap rb-from">{knownFrom(row.machine)}</span>}
    </li>
  );
}

const styleOf = (from: number, to: number, now: number): CSSProperties => ({
  left: partWidth((from - now + DAY_MS) / DAY_MS),
  width: partWidth((to - Math.max(from, now - DAY_MS)) / DAY_MS),
});

/** Dashed if its end is our estimate. */
function Cooldown({ row: { since, until, source }, now }: Readonly<{ row: ModelRow; now: number }>) {
  if (since === null || until === null || until <= since) return <span />;
  return (
    <span className={source === 'provider' ? 'cool' : 'cool cool-ours'} aria-hidden="true">
      <i style={{ width: partWidth((until - now) / (until - since)) }} />
    </span>
  );
}

function Axis({ now }: Readonly<{ now: number }>) {
  const whole = Math.floor(now / HOUR_MS) * HOUR_MS;
  const marks = Array.from({ length: 24 / MARK_HOURS - 1 }, (_, index) => whole - (index + 1) * MARK_HOURS * HOUR_MS);
  return (
    <li className="rb rb-axis-row" aria-hidden="true">
      <span />
      <span className="rb-axis">
        <span style={{ left: '0%' }}>{clock(now - DAY_MS)}</span>
        {marks.toReversed().map((at) => (
          <span key={at} style={{ left: partWidth((at - now + DAY_MS) / DAY_MS) }}>
            {clock(at)}
          </span>
        ))}
        <span style={{ left: '100%' }}>{nowTexts().ribbons.now}</span>
      </span>
      <span />
    </li>
  );
}
