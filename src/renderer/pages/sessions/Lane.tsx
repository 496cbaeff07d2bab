import type { CSSProperties } from 'react';
import type { TimelineAxis, TimelineTurn } from '../../../contract/sessions';
import { lookClass } from '../../app/looks';
import { Glyph } from '../../components/Glyph';
import { type Bar, barsOf, placeOf, type Span, switchesOf, ticksOf, waitsOf } from './gantt';
import { attemptGlyph, lanePhrase } from './turn-words';

export const TICKS_MOST = 6;
/** Shorter bars have their glyph before them. */
const SHORT_PERCENT = 5;

export type Drawn = Readonly<{ axis: TimelineAxis; window: Span }>;

export function Lane({ turn, axis, window }: Drawn & Readonly<{ turn: TimelineTurn }>) {
  const bars = barsOf(turn, axis, window);
  return (
    <div className="glane" role="img" aria-label={lanePhrase(turn)}>
      <Grid window={window} />
      <Resets axis={axis} window={window} />
      {waitsOf(bars).map((wait) => (
        <Piece key={wait.since} className="gwait" span={wait} window={window} />
      ))}
      {switchesOf(bars).map((at) => (
        <Piece key={at} className="gswitch" span={{ since: at, until: at }} window={window} />
      ))}
      {besideEachOther(bars, window).map(({ bar, place, push }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: attempts keep their places, and two may be alike.
        <AttemptBar key={index} bar={bar} place={place} push={push} axis={axis} />
      ))}
    </div>
  );
}

type Placed = Readonly<{ bar: Bar; place: Place; push: number }>;

/** Minimum width, and its rough equivalent in percent. */
const LEAST_PX = 5;
const LEAST_PERCENT = 1.2;

function besideEachOther(bars: readonly Bar[], window: Span): readonly Placed[] {
  const placed: Placed[] = [];
  for (const bar of bars) {
    const place = placeOf({ since: bar.at, until: bar.until }, window);
    if (!place) continue;
    const last = placed.at(-1);
    const isUpon =
      last !== undefined && place.left - last.place.left < LEAST_PERCENT && last.place.width < LEAST_PERCENT;
    placed.push({ bar, place, push: isUpon ? last.push + LEAST_PX : 0 });
  }
  return placed;
}

type BarProps = Placed & Pick<Drawn, 'axis'>;

function AttemptBar({ bar: { attempt, isLost, hasGlyph }, place, push, axis }: BarProps) {
  const slot = axis.models.find(({ model }) => model === attempt.model)?.slot ?? 0;
  const kind = isLost ? ' gbar-lost' : attempt.outcome === 'inFlight' ? ' gbar-open' : '';
  return (
    <>
      <i
        className={`gbar ${lookClass(slot)}${kind}`}
        style={{ ...styleOf(place), ...(push > 0 ? { marginLeft: push } : {}) }}
      />
      {hasGlyph && (
        <span className="gtag" style={tagStyle(place)}>
          <Glyph name={attemptGlyph(attempt)} />
        </span>
      )}
    </>
  );
}

type Place = NonNullable<ReturnType<typeof placeOf>>;

const styleOf = ({ left, width }: Place): CSSProperties => ({ left: `${left}%`, width: `${width}%` });

/** At the end of a long bar, before a short one. */
function tagStyle({ left, width }: Place): CSSProperties {
  const at = width < SHORT_PERCENT ? `calc(${left}% - 14px)` : `calc(${(left + width).toFixed(3)}% - 14px)`;
  return { left: `max(0px, ${at})` };
}

type PieceProps = Readonly<{ className: string; span: Span; window: Span }>;

export function Piece({ className, span, window }: PieceProps) {
  const place = placeOf(span, window);
  return place && <i className={className} style={styleOf(place)} />;
}

export function Grid({ window }: Readonly<{ window: Span }>) {
  return ticksOf(window, TICKS_MOST).map((at) => (
    <Piece key={at} className="gtick" span={{ since: at, until: at }} window={window} />
  ));
}

/** The user's resets. */
export function Resets({ axis, window }: Drawn) {
  return axis.resets.map(({ event, at }) => (
    <Piece key={event} className="greset" span={{ since: at, until: at }} window={window} />
  ));
}
