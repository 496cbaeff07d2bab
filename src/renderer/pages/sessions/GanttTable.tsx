import type { TimelineAxis, TimelineTurn } from '../../../contract/sessions';
import { sessionTexts } from '../../../texts';
import { stretchesOf } from '../../../wording/model-words';
import { clock, measured, shortName, stateWord } from '../../../wording/wording';
import { useSnapshot } from '../../app/panel';
import { ModelId } from '../../components/ModelId';
import { ScrollTable } from '../../components/ScrollTable';
import { attemptPhrase, detailPhrase } from './turn-words';
import { moment } from './words';

export function GanttTable({ turns, axis }: Readonly<{ turns: readonly TimelineTurn[]; axis: TimelineAxis }>) {
  const { timeline } = sessionTexts();
  return (
    <div className="gtables">
      <ScrollTable name={{ label: timeline.attemptsTable }} columns={Object.values(timeline.columns)}>
        <tbody>
          {turns.map((turn) => (
            <TurnRows key={turn.number} turn={turn} />
          ))}
        </tbody>
      </ScrollTable>
      <States axis={axis} />
      {axis.resets.length > 0 && (
        <ul className="gresets small muted">
          {axis.resets.map(({ event, at, model, provider }) => (
            <li key={event}>
              {timeline.resetAt(model === null ? (provider ?? timeline.everything) : shortName(model), clock(at, true))}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function TurnRows({ turn }: Readonly<{ turn: TimelineTurn }>) {
  const { timeline } = sessionTexts();
  const { at: now } = useSnapshot();
  const half = Math.ceil(turn.attempts.length / 2);
  return turn.attempts.flatMap((attempt, index) => {
    const { model, at, durationMs } = attempt;
    const row = (
      // biome-ignore lint/suspicious/noArrayIndexKey: attempts keep their places, and two may be alike.
      <tr key={index}>
        <th scope="row">{timeline.turn(turn.number)}</th>
        <td>
          {turn.agent}
          {turn.isSubAgent && ` (${timeline.subAgent})`}
        </td>
        <td>
          <ModelId model={model} />
        </td>
        <td>
          <time dateTime={new Date(at).toISOString()} title={moment(at, now)}>
            {clock(at, true)}
          </time>
        </td>
        <td>{[attemptPhrase(attempt), detailPhrase(attempt)].filter((part) => part !== '').join(' · ')}</td>
        <td>{durationMs === null ? '–' : measured(durationMs)}</td>
      </tr>
    );
    if (turn.hidden === 0 || index !== half) return [row];
    return [
      <tr key="hidden">
        <td colSpan={Object.keys(timeline.columns).length}>{timeline.hidden(turn.hidden)}</td>
      </tr>,
      row,
    ];
  });
}

function States({ axis }: Readonly<{ axis: TimelineAxis }>) {
  const { timeline } = sessionTexts();
  const rows = axis.models.flatMap(({ model, states }) =>
    stretchesOf({ states }, axis.until).map((stretch) => ({ model, ...stretch })),
  );
  if (rows.length === 0) return <p className="small muted">{timeline.noState}</p>;
  return (
    <ScrollTable name={{ label: timeline.statesTable }} columns={Object.values(timeline.stateColumns)}>
      <tbody>
        {rows.map(({ model, state, from, to }) => (
          <tr key={`${model} ${from}`}>
            <th scope="row">
              <ModelId model={model} />
            </th>
            <td>{stateWord(state)}</td>
            <td>{clock(from, true)}</td>
            <td>{clock(to, true)}</td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}
