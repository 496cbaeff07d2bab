import type { ScorecardDocument } from '../../../contract/scorecard';
import { sessionTexts } from '../../../texts';
import { measured, percent } from '../../../wording/wording';
import { hrefOf } from '../../app/routes';
import { ModelId } from '../../components/ModelId';
import { ScrollTable } from '../../components/ScrollTable';
import { Block } from './Block';
import { costOf, dollars, figure } from './words';

type Totals = ScorecardDocument['totals'];
type Props = Readonly<{ models: ScorecardDocument['models']; totals: Totals }>;

const NO_FIGURE = '–';

export function ModelFigures({ models, totals }: Props) {
  const { card } = sessionTexts();
  return (
    <Block title={card.models}>
      {models.length === 0 ? <p className="small muted">{card.noModel}</p> : <Table models={models} totals={totals} />}
    </Block>
  );
}

function Table({ models, totals }: Props) {
  const { card } = sessionTexts();
  return (
    <ScrollTable name={{ label: card.modelsTable }} columns={Object.values(card.columns)} className="tbl score-models">
      <tbody>
        {models.map((row) => (
          <tr key={row.model}>
            <th scope="row">
              <a href={hrefOf('models', row.model)}>
                <ModelId model={row.model} />
              </a>
            </th>
            <Figures figures={row} />
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{card.total}</th>
          <Figures figures={totals} />
        </tr>
      </tfoot>
    </ScrollTable>
  );
}

function Figures({ figures: { totalCalls, successRate, p50Ms, cost } }: Readonly<{ figures: Totals }>) {
  return (
    <>
      <td>{figure(totalCalls)}</td>
      <td>{successRate.value === null ? NO_FIGURE : percent(successRate.value)}</td>
      <td>{p50Ms === null ? NO_FIGURE : measured(p50Ms)}</td>
      <td>{dollars(costOf(cost)) ?? NO_FIGURE}</td>
    </>
  );
}
