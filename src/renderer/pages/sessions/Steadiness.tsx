import type { ScorecardDocument } from '../../../contract/scorecard';
import { sessionTexts } from '../../../texts';
import { measured, percent } from '../../../wording/wording';
import { ModelId } from '../../components/ModelId';
import { ScrollTable } from '../../components/ScrollTable';
import { Block } from './Block';
import { Pairs } from './Pairs';
import { figure } from './words';

const SWITCHES_SHOWN = 12;

type Totals = ScorecardDocument['totals'];

export function Availability({ availability }: Pick<Totals, 'availability'>) {
  const { card } = sessionTexts();
  const { withFallback, withoutFallback } = availability;
  if (withFallback.value === null || withoutFallback.value === null)
    return (
      <Block title={card.available}>
        <p className="small muted">{card.noneDecided}</p>
      </Block>
    );
  return (
    <Block title={card.available} caption={card.decided(withFallback.n)}>
      <Pairs
        rows={[
          [card.withFallback, percent(withFallback.value), 'with'],
          [card.alone, percent(withoutFallback.value), 'alone'],
        ]}
      />
    </Block>
  );
}

export function Effort({ totals }: Readonly<{ totals: Totals }>) {
  const { card } = sessionTexts();
  const { retries, waits, circuitBreakerActivations, networkActivations } = totals;
  return (
    <Block title={card.effort}>
      <Pairs
        rows={[
          [card.retries, figure(retries), 'retries'],
          [card.waits, card.waited(waits.count, measured(waits.totalMs)), 'waits'],
          [card.opened, figure(circuitBreakerActivations), 'opened'],
          [card.unreached, figure(networkActivations), 'unreached'],
        ]}
      />
    </Block>
  );
}

/** Most frequent first. */
export function Switches({ switches, isWhole }: Pick<ScorecardDocument, 'switches'> & Readonly<{ isWhole: boolean }>) {
  const { card } = sessionTexts();
  const shown = isWhole ? switches : switches.slice(0, SWITCHES_SHOWN);
  const more = switches.length - shown.length;
  return (
    <Block title={card.steppedIn} {...(more > 0 ? { caption: card.more(more) } : {})}>
      {switches.length === 0 ? (
        <p className="small muted">{card.noStepIn}</p>
      ) : (
        <ScrollTable
          name={{ label: card.switchesTable }}
          columns={Object.values(card.switchColumns)}
          className="tbl score-models score-switches"
        >
          <tbody>
            {shown.map(({ from, to, count }) => (
              <tr key={`${from} ${to}`}>
                <th scope="row">
                  <ModelId model={from} />
                </th>
                <td>
                  <ModelId model={to} />
                </td>
                <td>{figure(count)}</td>
              </tr>
            ))}
          </tbody>
        </ScrollTable>
      )}
    </Block>
  );
}
