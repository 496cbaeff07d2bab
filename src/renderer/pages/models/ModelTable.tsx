import type { RefObject } from 'react';
import type { ModelRow } from '../../../contract/snapshot';
import type { ModelUse } from '../../../contract/usage';
import { modelTexts } from '../../../texts';
import { countedOf, OUTCOMES, pricePhrase } from '../../../wording/model-words';
import { measured } from '../../../wording/wording';
import { hrefOf } from '../../app/routes';
import { useSteadyOrder } from '../../app/steady-order';
import { ModelId } from '../../components/ModelId';
import { ScrollTable } from '../../components/ScrollTable';
import { StateBadge } from '../../components/StateBadge';
import { BreakerWords } from './BreakerWords';

const NONE = '–';

type Props = Readonly<{
  models: readonly ModelRow[];
  uses: readonly ModelUse[] | null;
  list: RefObject<HTMLDivElement | null>;
}>;

/** Rows do not move while the list has the focus. */
export function ModelTable({ models, uses, list }: Props) {
  const { layout } = modelTexts();
  const rows = useSteadyOrder(
    models,
    ({ model }) => model,
    () => list.current?.contains(document.activeElement) ?? false,
  );
  return (
    <div className="card models-list" ref={list}>
      <ScrollTable
        name={{ label: layout.tableName }}
        columns={Object.values(layout.columns)}
        className="tbl model-table"
      >
        <tbody>
          {rows.map((row) => (
            <Row key={row.model} row={row} use={uses ? countedOf(row, uses) : undefined} isKnown={uses !== null} />
          ))}
        </tbody>
      </ScrollTable>
    </div>
  );
}

type RowProps = Readonly<{ row: ModelRow; use: ModelUse | undefined; isKnown: boolean }>;

function Row({ row, use, isKnown }: RowProps) {
  const count = (value: number | undefined): string => (isKnown ? String(value ?? 0) : NONE);
  const time = (ms: number | null | undefined): string => (ms == null ? NONE : measured(ms));
  return (
    <tr>
      <th scope="row">
        <a data-row={row.model} href={hrefOf('models', row.model)}>
          <ModelId model={row.model} />
        </a>
      </th>
      <td>
        <StateBadge state={row.state} row={row} />
      </td>
      <td className="num">{count(use?.totalCalls)}</td>
      {OUTCOMES.map((outcome) => (
        <td key={outcome} className="num">
          {count(use?.outcomes[outcome])}
        </td>
      ))}
      <td className="num">{time(use?.p50Ms)}</td>
      <td className="num">{time(use?.p95Ms)}</td>
      <td>
        <BreakerWords row={row} />
      </td>
      <td className="num">{pricePhrase(row.abilities) ?? NONE}</td>
    </tr>
  );
}
