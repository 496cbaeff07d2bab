import type { ReactNode } from 'react';
import type { TimelineTurn } from '../../../contract/sessions';
import { sessionTexts } from '../../../texts';
import { clock, measured } from '../../../wording/wording';
import { useSnapshot } from '../../app/panel';
import { endOf } from './gantt';
import { type Drawn, Lane } from './Lane';
import { moment } from './words';

type Props = Drawn &
  Readonly<{
    turn: TimelineTurn;
    /** Null on an exported page. */
    onToggle: (() => void) | null;
    isOpen: boolean;
    children?: ReactNode;
  }>;

/** True after trouble or a recorded decision. */
export const isExplained = ({ isTroubled, attempts }: TimelineTurn): boolean =>
  isTroubled || attempts.some(({ event }) => event !== null);

export const whyId = ({ number }: TimelineTurn): string => `why-${number}`;

export function GanttRow({ turn, axis, window, isOpen, onToggle, children }: Props) {
  const { timeline } = sessionTexts();
  const { at: now } = useSnapshot();
  const { number, agent, isSubAgent, at, outcome } = turn;
  const hasWhy = isExplained(turn);
  return (
    <>
      <div className="gl">
        <div
          className="gl-label"
          title={`${isSubAgent ? `${timeline.subAgent}, ` : ''}${moment(at, now)} (${clock(at, true)})`}
        >
          <span className="n">
            <span className="sr">{timeline.turn(number)} </span>
            <span aria-hidden="true">{number}</span>
          </span>
          {isSubAgent && (
            <>
              <span className="sr">{timeline.subAgent} </span>
              <span className="cap" aria-hidden="true">
                ↳
              </span>
            </>
          )}
          <b>{agent}</b>
        </div>
        <Lane turn={turn} axis={axis} window={window} />
        <div className="gl-end">
          <span>{outcome === 'open' ? timeline.open : measured(endOf(turn, axis) - at)}</span>
          {hasWhy && onToggle && (
            <button
              className="btn btn-sm"
              type="button"
              data-why={number}
              aria-expanded={isOpen}
              aria-controls={isOpen ? whyId(turn) : undefined}
              aria-label={`${timeline.why} ${timeline.whyNamed(number)}`}
              onClick={onToggle}
            >
              {timeline.why}
            </button>
          )}
        </div>
      </div>
      {isOpen && hasWhy && children}
    </>
  );
}
