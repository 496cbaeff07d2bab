import { type UsageAnswer, type UsageColumn, type UsagePart, usageTable } from '../../contract';
import { usageTexts } from '../../texts';
import { hourText, nameText, valueText } from './format';

type Props = Readonly<{ usage: UsageAnswer; part: UsagePart; title: string }>;

/** The figures of a chart as a table: the same rows that are exported. */
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
            <tr key={String(row[0])}>
              {columns.map((column, at) => {
                const text = valueText(row[at] ?? null, column.unit, usage);
                return at === 0 ? (
                  <th key={keyOf(column)} scope="row">
                    {text}
                  </th>
                ) : (
                  <td key={keyOf(column)} className={isFigure(column) ? 'num' : undefined}>
                    {text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const keyOf = ({ id, series }: UsageColumn): string => `${id} ${series ?? ''}`;
const isFigure = ({ unit }: UsageColumn): boolean => unit !== 'name' && unit !== 'moment' && unit !== 'weekday';

/** A column that is about one part of the split bears its name. */
function headText({ id, series }: UsageColumn, { series: all, question }: UsageAnswer): string {
  if (series !== undefined) return nameText(all[series]?.name ?? null, question.splitBy);
  const texts: Readonly<Record<string, string>> = usageTexts().columns;
  return texts[id] ?? hourText(Number(id));
}
