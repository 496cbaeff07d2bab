import { useId } from 'react';
import type { BudgetRow } from '../../../contract/budget';
import { budgetTexts } from '../../../texts';
import { budgetCourse, budgetName, budgetSpent } from '../../../wording/budget-words';
import { partWidth } from '../../components/part-width';

type Props = Readonly<{ budgets: readonly BudgetRow[]; now: number }>;

export function BudgetsCard({ budgets, now }: Props) {
  const id = useId();
  const texts = budgetTexts();
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{texts.title}</h2>
        <span className="cap">{texts.caption}</span>
      </div>
      <div className="acct">
        <ul aria-labelledby={id}>
          {budgets.map((row) => (
            <Budget key={row.id} row={row} now={now} />
          ))}
        </ul>
      </div>
    </section>
  );
}

function Budget({ row, now }: Readonly<{ row: BudgetRow; now: number }>) {
  const part = row.spent / row.limit;
  const [name, spent] = [budgetName(row, now), budgetSpent(row)];
  return (
    <li className="hr">
      <span className="hr-name">{name}</span>
      <span className="hr-fig">
        <b>{spent}</b>
      </span>
      <span className={part >= 1 ? 'hbar hbar-full' : 'hbar'} role="img" aria-label={`${name}: ${spent}`}>
        <i style={{ left: 0, width: partWidth(part) }} />
      </span>
      <span className="cap hr-note">{budgetCourse(row, now)}</span>
    </li>
  );
}
