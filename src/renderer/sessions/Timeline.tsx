import { useId } from 'react';
import type { QueryOutput, TimelineAttempt, TimelineTurn } from '../../contract';
import { clock, kindPhrase, measured, shortName, usagePhrase } from '../../contract';
import { sessionTexts } from '../../texts';
import { Glyph, type GlyphName } from '../components/Glyph';
import { ModelId } from '../components/ModelId';
import type { Pages } from '../pages-of';
import { useSnapshot } from '../panel';
import { hrefOf } from '../routes';
import { useVirtualRows } from '../virtual-rows';
import { dollars, moment } from './words';

/** A turn of two attempts, in pixels; the true height is measured. */
const TURN_PX = 92;

const GLYPHS: Readonly<Record<TimelineAttempt['outcome'], GlyphName>> = {
  inFlight: 'probing',
  success: 'ready',
  slow: 'degraded',
  failure: 'open',
  limited: 'cooling',
  neutral: 'unseen',
};

type Props = Readonly<{
  pages: Pages<TimelineTurn, QueryOutput<'sessions.timeline'>>;
  isTroubleOnly: boolean;
  onShow: (isTroubleOnly: boolean) => void;
}>;

/** Turn by turn who was asked and what came of it, newest first; of a long session only what is in view is drawn. */
export function Timeline({ pages, isTroubleOnly, onShow }: Props) {
  const id = useId();
  const { timeline } = sessionTexts();
  const { rows, answer, hasMore, more } = pages;
  const total = answer?.total ?? 0;
  const troubled = answer?.troubled ?? 0;
  const list = useVirtualRows<HTMLOListElement>({
    count: rows.length,
    keyOf: (index) => rows[index]?.number ?? index,
    estimatePx: TURN_PX,
    onNearEnd: more,
  });
  return (
    <section className="card sess-timeline" aria-labelledby={id}>
      <Head id={id} total={total} troubled={troubled} isTroubleOnly={isTroubleOnly} onShow={onShow} />
      {rows.length === 0 && <p className="card-body muted">{total === 0 ? timeline.none : timeline.quiet}</p>}
      <ol ref={list.container} style={list.style}>
        {list.rows.map(({ index, props }) => {
          const turn = rows[index];
          return (
            turn && (
              <li
                key={turn.number}
                className="turn"
                aria-setsize={isTroubleOnly ? troubled : total}
                aria-posinset={index + 1}
                {...props}
              >
                <Turn turn={turn} />
              </li>
            )
          );
        })}
      </ol>
      {hasMore && (
        <button className="fold link" type="button" onClick={more}>
          {timeline.earlier}
        </button>
      )}
    </section>
  );
}

type HeadProps = Omit<Props, 'pages'> & Readonly<{ id: string; total: number; troubled: number }>;

function Head({ id, total, troubled, isTroubleOnly, onShow }: HeadProps) {
  const { timeline } = sessionTexts();
  return (
    <div className="card-head">
      <h2 id={id}>{timeline.title}</h2>
      <span className="cap">{timeline.caption(troubled)}</span>
      <fieldset className="seg push" aria-label={timeline.show}>
        <button type="button" aria-pressed={isTroubleOnly} onClick={() => onShow(true)}>
          {timeline.onlyTrouble}
        </button>
        <button type="button" aria-pressed={!isTroubleOnly} onClick={() => onShow(false)}>
          {timeline.all(total)}
        </button>
      </fieldset>
    </div>
  );
}

function Turn({ turn }: Readonly<{ turn: TimelineTurn }>) {
  const { timeline } = sessionTexts();
  const { at: now } = useSnapshot();
  const { number, agent, isSubAgent, at, attempts, hidden } = turn;
  const end = Math.max(at + 1, ...attempts.map(({ at, until }) => until ?? at));
  const shown = attempts.map((attempt, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: attempts keep their places, and two may be alike.
    <Attempt key={index} attempt={attempt} turn={turn} end={end} />
  ));
  const half = Math.ceil(shown.length / 2);
  return (
    <>
      <div className="turn-head">
        <b>{timeline.turn(number)}</b>
        <span>{agent}</span>
        {isSubAgent && <span className="cap">{timeline.subAgent}</span>}
        <span className="turn-out">{turnPhrase(turn)}</span>
        <time className="push" dateTime={new Date(at).toISOString()} title={moment(at, now)}>
          {clock(at, true)}
        </time>
      </div>
      <ol className="atts">
        {shown.slice(0, half)}
        {hidden > 0 && <li className="cap">{timeline.hidden(hidden)}</li>}
        {shown.slice(half)}
      </ol>
    </>
  );
}

function turnPhrase({ outcome, attempts }: TimelineTurn): string {
  const { timeline } = sessionTexts();
  const last = attempts.at(-1);
  if (outcome !== 'answered' || !last) return timeline[outcome === 'answered' ? 'open' : outcome];
  const place = last.position === null || last.position === 0 ? '' : timeline.place(last.position);
  return timeline.answered(shortName(last.model), place);
}

type AttemptProps = Readonly<{ attempt: TimelineAttempt; turn: TimelineTurn; end: number }>;

function Attempt({ attempt, turn, end }: AttemptProps) {
  const { timeline } = sessionTexts();
  const { model, outcome, durationMs, event } = attempt;
  const isLost = outcome === 'failure' || outcome === 'limited' || outcome === 'neutral';
  const name = shortName(model);
  const label = isLost ? timeline.whyNamed(name, turn.number) : timeline.whyChosen(name, turn.number);
  return (
    <li className="att">
      <Glyph name={GLYPHS[outcome]} />
      <ModelId model={model} />
      <span className="att-why">
        {attemptPhrase(attempt)}
        {event !== null && (
          <>
            {' '}
            <a className="link" href={hrefOf('events', event)} aria-label={label}>
              {timeline.why}
            </a>
          </>
        )}
        <span className="cap">{detailPhrase(attempt)}</span>
      </span>
      <Bar attempt={attempt} from={turn.at} to={end} isLost={isLost} />
      <span className="att-time">{durationMs === null ? '' : measured(durationMs)}</span>
    </li>
  );
}

type BarProps = Readonly<{ attempt: TimelineAttempt; from: number; to: number; isLost: boolean }>;

/** When within the turn it was tried, and for how long. */
function Bar({ attempt: { at, until }, from, to, isLost }: BarProps) {
  const partOf = (ms: number): string => `${((100 * Math.max(0, ms)) / (to - from)).toFixed(2)}%`;
  return (
    <span className="att-bar" aria-hidden="true">
      <i
        className={isLost ? 'is-lost' : undefined}
        style={{ left: partOf(at - from), width: partOf((until ?? to) - at) }}
      />
    </span>
  );
}

function attemptPhrase({ outcome, kind, status, requests }: TimelineAttempt): string {
  const { timeline } = sessionTexts();
  if (kind !== null) return kindPhrase(kind, status);
  if (outcome === 'inFlight') return timeline.asked;
  if (outcome === 'success') return timeline.said(requests);
  return outcome === 'slow' ? timeline.slowly(requests) : timeline.ended;
}

function detailPhrase({ firstTokenMs, tokens, cost }: TimelineAttempt): string {
  const { timeline } = sessionTexts();
  return [
    firstTokenMs !== null && timeline.firstWord(measured(firstTokenMs)),
    tokens !== null && usagePhrase({ total: tokens }),
    dollars(cost),
  ]
    .filter(Boolean)
    .join(' · ');
}
