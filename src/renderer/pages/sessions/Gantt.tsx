import { type KeyboardEvent, useId, useState } from 'react';
import type { TimelineAxis, TimelineTurn } from '../../../contract/sessions';
import { sessionTexts } from '../../../texts';
import { useCalm } from '../../app/pages-of';
import { useVirtualRows } from '../../app/virtual-rows';
import { Bones, Unanswered, useLate } from '../../components/Waiting';
import { GanttLegend } from './GanttLegend';
import { GanttRow, whyId } from './GanttRow';
import { GanttTable } from './GanttTable';
import { firstWindow, type Span, wholeOf, windowAt, windowsOf, within } from './gantt';
import { Overview } from './Overview';
import { StateLanes } from './StateLanes';
import { TurnWhy } from './TurnWhy';
import { type Turns, useTurns } from './use-turns';

/** Height before measuring. */
const ROW_PX = 31;
/** Minimum time between queries during a drag. */
const DRAG_MS = 150;
/** A window this close to a live session's end follows it. */
const FOLLOW_MS = 2_000;

type Props = Readonly<{
  session: string;
  axis: TimelineAxis;
  total: number;
  troubled: number;
  isLive: boolean;
  news: string;
}>;

export function Gantt({ session, axis, total, troubled, isLive, news }: Props) {
  const id = useId();
  const whole = wholeOf(axis);
  const { window, isAll, choose } = useWindow(axis, whole, isLive);
  const [isTroubleOnly, showTrouble] = useState(false);
  const [isTable, showTable] = useState(false);
  const { since, until } = useCalmSpan(window);
  const read = useTurns({ session, isTroubleOnly, within: isAll ? null : { since, until } }, news);
  const turns = read.turns ?? [];
  const { timeline } = sessionTexts();
  return (
    <section className="card gantt" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{timeline.title}</h2>
        <span className="cap">{timeline.caption(troubled)}</span>
        <span className="push ghead">
          <Windows whole={whole} window={window} isAll={isAll} onChoose={choose} />
          {troubled > 0 && troubled < total && (
            <Choice
              label={timeline.show}
              chosen={isTroubleOnly ? 'trouble' : 'all'}
              choices={[
                ['trouble', timeline.onlyTrouble],
                ['all', timeline.all(total)],
              ]}
              onChoose={(which) => showTrouble(which === 'trouble')}
            />
          )}
          <button
            className="btn btn-sm btn-quiet link"
            type="button"
            aria-label={isTable ? timeline.chartOf : timeline.tableOf}
            onClick={() => showTable(!isTable)}
          >
            {isTable ? timeline.chart : timeline.table}
          </button>
        </span>
      </div>
      {windowsOf(whole).length > 0 && (
        <Overview axis={axis} whole={whole} window={window} onChange={(next) => choose(next)} />
      )}
      {isTable ? (
        <GanttTable turns={turns} axis={axis} />
      ) : (
        <>
          <StateLanes axis={axis} window={window} />
          <Rows read={read} total={isTroubleOnly ? troubled : total} axis={axis} window={window} />
          <GanttLegend turns={turns} axis={axis} window={window} />
        </>
      )}
    </section>
  );
}

/** Rounds to whole ms. */
function useCalmSpan({ since, until }: Span): Span {
  // New span objects are never equal.
  const [from = 0, to = 0] = useCalm(`${Math.floor(since)} ${Math.ceil(until)}`, DRAG_MS)
    .split(' ')
    .map(Number);
  return { since: from, until: to };
}

type Windowed = Readonly<{ window: Span; isAll: boolean; choose: (window: Span | null) => void }>;

/** Follows a live session's end. */
function useWindow(axis: TimelineAxis, whole: Span, isLive: boolean): Windowed {
  const [first] = useState(() => firstWindow(axis, whole, isLive));
  const [chosen, setChosen] = useState<Readonly<{ window: Span | null; follows: boolean }>>({
    window: first,
    follows: isLive,
  });
  const { window, follows } = chosen;
  const choose = (next: Span | null): void =>
    setChosen({ window: next, follows: isLive && next !== null && next.until > whole.until - FOLLOW_MS });
  if (window === null) return { window: whole, isAll: true, choose };
  const length = window.until - window.since;
  const shown = follows ? within({ since: whole.until - length, until: whole.until }, whole) : within(window, whole);
  return { window: shown, isAll: false, choose };
}

type ChoiceProps = Readonly<{
  label: string;
  chosen: string;
  choices: readonly (readonly [name: string, text: string])[];
  onChoose: (name: string) => void;
}>;

function Choice({ label, chosen, choices, onChoose }: ChoiceProps) {
  return (
    <fieldset className="seg" aria-label={label}>
      {choices.map(([name, text]) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

type WindowsProps = Readonly<{ whole: Span; window: Span; isAll: boolean; onChoose: (window: Span | null) => void }>;

function Windows({ whole, window, isAll, onChoose }: WindowsProps) {
  const { timeline } = sessionTexts();
  const offered = windowsOf(whole);
  if (offered.length === 0) return null;
  const { minutes, hours, whole: all } = timeline.window;
  const length = (window.until - window.since) / MINUTE_MS;
  const chosen = isAll ? 'all' : String(offered.find((each) => Math.abs(each - length) < 1 / HOUR_MINUTES) ?? '');
  return (
    <Choice
      label={timeline.windows}
      chosen={chosen}
      choices={[
        ...offered.map(
          (each) => [String(each), each < HOUR_MINUTES ? minutes(each) : hours(each / HOUR_MINUTES)] as const,
        ),
        ['all', all],
      ]}
      onChoose={(name) =>
        onChoose(name === 'all' ? null : windowAt((window.since + window.until) / 2, Number(name), whole))
      }
    />
  );
}

type RowsProps = Readonly<{ read: Turns; total: number; axis: TimelineAxis; window: Span }>;

function Rows({ read, total, axis, window }: RowsProps) {
  const { timeline } = sessionTexts();
  const [open, setOpen] = useState<number | null>(null);
  const isLate = useLate();
  const { turns, hasMore, more, problem, again } = read;
  const rows = turns ?? [];
  const list = useVirtualRows<HTMLOListElement>({
    count: rows.length,
    keyOf: (index) => rows[index]?.number ?? index,
    estimatePx: ROW_PX,
    onNearEnd: more,
  });
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape' || open === null) return;
    // Escape first closes this, then the session.
    event.preventDefault();
    setOpen(null);
  };
  return (
    <>
      {problem !== null && <Unanswered problem={problem} onAgain={again} />}
      {turns === null && problem === null && isLate && <Bones />}
      {turns !== null && rows.length === 0 && (
        <p className="card-body muted">{total === 0 ? timeline.none : timeline.quiet}</p>
      )}
      <ol className="grows" ref={list.container} style={list.style} onKeyDown={onKey}>
        {list.rows.map(({ index, props }) => {
          const turn: TimelineTurn | undefined = rows[index];
          return (
            turn && (
              <li key={turn.number} className="grow" aria-setsize={read.found} aria-posinset={index + 1} {...props}>
                <GanttRow
                  turn={turn}
                  axis={axis}
                  window={window}
                  isOpen={open === turn.number}
                  onToggle={() => setOpen(open === turn.number ? null : turn.number)}
                >
                  <TurnWhy id={whyId(turn)} turn={turn} axis={axis} />
                </GanttRow>
              </li>
            )
          );
        })}
      </ol>
      {hasMore && (
        <button className="fold link" type="button" onClick={more}>
          {timeline.later}
        </button>
      )}
    </>
  );
}
