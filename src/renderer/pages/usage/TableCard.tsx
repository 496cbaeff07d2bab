import { useId } from 'react';
import type { UsageAnswer, UsagePart } from '../../../contract/usage';
import { ExportMenu } from './ExportMenu';
import { TableTwin } from './TableTwin';

type Props = Readonly<{
  usage: UsageAnswer;
  part: UsagePart;
  title: string;
  finding: string;
  isEmpty?: boolean;
  isWide?: boolean;
}>;

export function TableCard({ usage, part, title, finding, isEmpty = false, isWide = true }: Props) {
  const id = useId();
  return (
    <section className={isWide ? 'card chart-card wide' : 'card chart-card'} aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        <span className="push" />
        <ExportMenu usage={usage} part={part} title={title} />
      </div>
      <p className="chart-finding">{finding}</p>
      {!isEmpty && <TableTwin usage={usage} part={part} title={title} />}
    </section>
  );
}
