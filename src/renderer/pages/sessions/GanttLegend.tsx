import type { TimelineAxis, TimelineTurn } from '../../../contract/sessions';
import { sessionTexts } from '../../../texts';
import { stretchesOf } from '../../../wording/model-words';
import { shortName, stateWord } from '../../../wording/wording';
import { toneOf } from '../../components/Glyph';
import { Icon } from '../../components/Icon';
import { barsOf, isLost, placeOf, type Span, switchesOf, waitsOf } from './gantt';
import { ModelSwatch } from './ModelSwatch';

type Props = Readonly<{ turns: readonly TimelineTurn[]; axis: TimelineAxis; window: Span }>;

export function GanttLegend({ turns, axis, window }: Props) {
  const { timeline } = sessionTexts();
  const bars = turns.map((turn) => barsOf(turn, axis, window));
  const shown = bars.flat().filter(({ at, until }) => placeOf({ since: at, until }, window) !== null);
  const models = axis.models.filter(({ model }) => shown.some(({ attempt }) => attempt.model === model));
  const states = new Set(
    axis.models.flatMap((row) =>
      stretchesOf(row, axis.until).flatMap(({ state, from, to }) =>
        placeOf({ since: from, until: to }, window) ? [state] : [],
      ),
    ),
  );
  return (
    <ul className="glegend">
      {models.map(({ model, slot }) => (
        <li key={model}>
          <ModelSwatch slot={slot} />
          {shortName(model)}
        </li>
      ))}
      {shown.some(({ attempt }) => isLost(attempt)) && <Key name="gbar-lost" text={timeline.noAnswer} />}
      {bars.some((each) => waitsOf(each).length > 0) && <Key name="gwait" text={timeline.wait} />}
      {bars.some((each) => switchesOf(each).length > 0) && <Key name="gswitch" text={timeline.switched} />}
      {axis.resets.length > 0 && (
        <li>
          <Icon name="reset" />
          {timeline.reset}
        </li>
      )}
      {[...states].map((state) => (
        <li key={state}>
          <i className={`gkey s-${toneOf(state)}`} aria-hidden="true" />
          {stateWord(state)}
        </li>
      ))}
    </ul>
  );
}

const Key = ({ name, text }: Readonly<{ name: string; text: string }>) => (
  <li>
    <i className={`gkey ${name}`} aria-hidden="true" />
    {text}
  </li>
);
