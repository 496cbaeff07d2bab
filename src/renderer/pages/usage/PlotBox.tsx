import { useId, useState } from 'react';
import { usageTexts } from '../../../texts';
import { CHART_WIDTH_MIN } from './frame';
import type { ChartPlot, PointWords } from './plot';
import { useWidth } from './use-width';
import { useZoom } from './use-zoom';

type Props = Readonly<{
  plot: ChartPlot;
  title: string;
  /** For screen readers. */
  summary: string;
  drawing?: React.RefObject<HTMLDivElement | null>;
}>;

export function PlotBox({ plot, title, summary, drawing }: Props) {
  const { card } = usageTexts();
  const [active, setActive] = useState<number | null>(null);
  const [measure, measured] = useWidth();
  const id = useId();
  const width = Math.max(CHART_WIDTH_MIN, measured);
  const { count, wordsOf, pick } = plot;
  // A shorter range may have arrived.
  const at = active === null ? null : Math.min(active, count - 1);
  const words = at === null || count === 0 ? null : wordsOf(at);
  const zoom = useZoom(plot, at);
  const pointIn = (event: React.PointerEvent<HTMLDivElement>): number | null => {
    const box = event.currentTarget.getBoundingClientRect();
    return pick(event.clientX - box.left, event.clientY - box.top, width);
  };
  const onKey = (event: React.KeyboardEvent) => {
    if (zoom.onKey(event)) return;
    const next = keyTarget(event.key, at ?? 0, plot);
    if (next === null) return;
    event.preventDefault();
    zoom.extend(event.shiftKey, next);
    setActive(next);
  };
  return (
    <div className="chart-scroll" ref={measure}>
      <p className="sr" id={id}>
        {summary} {plot.zoom ? card.zoomHint : card.hint}
      </p>
      <div
        className={plot.zoom ? 'chart chart-zooms' : 'chart'}
        ref={drawing}
        role="slider"
        tabIndex={0}
        aria-label={card.points(title)}
        aria-describedby={id}
        aria-valuemin={1}
        aria-valuemax={Math.max(1, count)}
        aria-valuenow={(at ?? 0) + 1}
        aria-valuetext={count === 0 ? summary : zoom.textOf(textOf(wordsOf(at ?? 0)))}
        onKeyDown={onKey}
        onFocus={() => setActive((last) => last ?? 0)}
        onBlur={() => {
          setActive(null);
          zoom.end();
        }}
        onPointerDown={(event) => zoom.onDown(event, pointIn(event))}
        onPointerMove={(event) => {
          const point = pointIn(event);
          setActive(point);
          zoom.onMove(point);
        }}
        onPointerUp={zoom.onUp}
        onPointerCancel={zoom.end}
        onPointerLeave={() => setActive(null)}
      >
        {/* Waits for the width, so that it draws once. */}
        {measured > 0 && plot.draw(width, at, id.replace(/\W/g, ''))}
        {zoom.stretch && plot.edgesOf && <Chosen edges={plot.edgesOf(zoom.stretch, width)} />}
        {words && at !== null && <Tip words={words} place={plot.placeOf(at, width)} width={width} />}
      </div>
    </div>
  );
}

function Chosen({ edges: [left, right] }: Readonly<{ edges: readonly [left: number, right: number] }>) {
  return <div className="chart-chosen" style={{ left, width: right - left }} aria-hidden="true" />;
}

function keyTarget(key: string, at: number, { count, rowLength = 1 }: ChartPlot): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    // Up increases, as with any slider.
    ArrowUp: rowLength > 1 ? at - rowLength : at + 1,
    ArrowDown: rowLength > 1 ? at + rowLength : at - 1,
    Home: 0,
    End: count - 1,
  };
  const next = steps[key];
  if (next === undefined) return null;
  return next >= 0 && next < count ? next : at;
}

const textOf = ({ title, rows }: PointWords): string =>
  `${title}: ${rows.map(([name, value]) => `${name} ${value}`).join(', ')}`;

type TipProps = Readonly<{ words: PointWords; place: Readonly<{ x: number; y: number }>; width: number }>;

function Tip({ words, place, width }: TipProps) {
  const isLeft = place.x > width / 2;
  const side = isLeft ? { right: width - place.x + TIP_GAP } : { left: place.x + TIP_GAP };
  return (
    <div className="chart-tip" style={{ top: place.y, ...side }} aria-hidden="true">
      <b>{words.title}</b>
      <dl>
        {words.rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
const TIP_GAP = 10;
