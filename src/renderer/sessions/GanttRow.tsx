import type { TimelineTurn } from '../../contract';
import { clock, measured } from '../../contract';
import { sessionTexts } from '../../texts';
import { useSnapshot } from '../panel';
import { endOf } from './gantt';
import { type Drawn, Lane } from './Lane';
import { TurnWhy } from './TurnWhy';
import { moment } from './words';

type Props = Drawn &
  Readonly<{
    turn: TimelineTurn;
    /** What was decided in it is shown. */
    isOpen: boolean;
    /** Null where there is nothing to be opened: a page that cannot be acted on. */
    onToggle: (() => void) | null;
  }>;

/** Whether there is anything to explain: somebody failed, or somebody else than the lead spoke. */
export const isExplained = ({ isTroubled, attempts }: TimelineTurn): boolean =>
  isTroubled || attempts.some(({ event }) => event !== null);

/** One turn on the axis, and why it went as it did under it. */
export function GanttRow({ turn, axis, window, isOpen, onToggle }: Props) {
  const { timeline } = sessionTexts();
  const { at: now } = useSnapshot();
  const { number, agent, isSubAgent, at, outcome } = turn;
  const why = `why-${number}`;
  const hasWhy = isExplained(turn);
  return (
    <>
      <div className="gl">
        <div className="gl-label" title={`${moment(at, now)} (${clock(at, true)})`}>
          <span className="n">
            <span className="sr">{timeline.turn(number)} </span>
            <span aria-hidden="true">{number}</span>
          </span>
          <b>{agent}</b>
          {isSubAgent && <span className="cap">{timeline.subAgent}</span>}
        </div>
        <Lane turn={turn} axis={axis} window={window} />
        <div className="gl-end">
          <span>{outcome === 'open' ? timeline.open : measured(endOf(turn, axis) - at)}</span>
          {hasWhy && onToggle && (
            <button
              className="btn btn-sm"
              type="button"
              data-row={number}
              aria-expanded={isOpen}
              aria-controls={isOpen ? why : undefined}
              aria-label={`${timeline.why} ${timeline.whyNamed(number)}`}
              onClick={onToggle}
            >
              {timeline.why}
            </button>
          )}
        </div>
      </div>
      {isOpen && hasWhy && <TurnWhy id={why} turn={turn} axis={axis} />}
    </>
  );
}
