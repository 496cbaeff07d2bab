import type { UsageAnswer, UsagePart } from '../../../contract/usage';
import { usageTexts } from '../../../texts';
import { type UsageColumn, type UsageUnit, usageTable } from '../../../wording/usage-tables';
import { hourText, nameText, valueText } from './format';
import { ModelName } from './ModelName';

type Props = Readonly<{ usage: UsageAnswer; part: UsagePart; title: string }>;

/** The exported rows. */
export function TableTwin({ usage, part, title }: Props) {
  const { columns, rows } = usageTable(usage, part);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
    <section className="scroll" aria-label={usageTexts().card.tableOf(title)} tabIndex={0}>
      <table className="tbl">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={keyOf(column)} scope="col" className={isFigure(column) ? 'num' : undefined}>
                {headText(column, usage)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keysOf(columns, row)}>
              {columns.map((column, at) =>
                at === 0 ? (
                  <th key={keyOf(column)} scope="row">
                    <Cell value={row[at] ?? null} column={column} usage={usage} />
                  </th>
                ) : (
                  <td key={keyOf(column)} className={isFigure(column) ? 'num' : undefined}>
                    <Cell value={row[at] ?? null} column={column} usage={usage} />
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const keysOf = (columns: readonly UsageColumn[], row: readonly (string | number | null)[]): string =>
  row.filter((_, at) => at === 0 || columns[at]?.unit === 'model').join(' ');
const keyOf = ({ id, series, cost }: UsageColumn): string => `${id} ${series ?? cost ?? ''}`;
type CellProps = Readonly<{ value: string | number | null; column: UsageColumn; usage: UsageAnswer }>;

function Cell({ value, column, usage }: CellProps) {
  if (value !== null && isModel(column, usage)) return <ModelName model={String(value)} usage={usage} />;
  return valueText(value, column.unit, usage);
}

const isModel = ({ unit }: UsageColumn, { question }: UsageAnswer): boolean =>
  unit === 'model' || (unit === 'name' && question.splitBy === 'model');
const WORDS: readonly UsageUnit[] = ['name', 'model', 'moment', 'weekday', 'reasons'];
const isFigure = ({ unit }: UsageColumn): boolean => !WORDS.includes(unit);

function headText({ id, series, cost }: UsageColumn, usage: UsageAnswer): string {
  if (series !== undefined) return nameText(usage.series[series]?.name ?? null, usage.question.splitBy);
  if (cost !== undefined) return nameText(usage.costs[cost]?.name ?? null, usage.costBy);
  const texts: Readonly<Record<string, string>> = usageTexts().columns;
  return texts[id] ?? hourText(Number(id));
}
