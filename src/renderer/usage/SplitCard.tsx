import { useId } from 'react';
import type { UsageAnswer } from '../../contract';
import { usageTexts } from '../../texts';
import { ExportMenu } from './ExportMenu';
import { TableTwin } from './TableTwin';

/** Everything that is known of each part of the split. */
export function SplitCard({ usage }: Readonly<{ usage: UsageAnswer }>) {
  const { charts, split, findings, states } = usageTexts();
  const id = useId();
  const title = charts.split(split[usage.question.splitBy]);
  const isMissing = usage.rows.length === 0 && !usage.isSplitKept;
  return (
    <section className="card chart-card wide" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        <span className="push" />
        <ExportMenu usage={usage} part="split" title={title} />
      </div>
      <p className="chart-finding">{isMissing ? `${states.noSplitTitle} ${states.noSplit}` : findings.split}</p>
      {!isMissing && <TableTwin usage={usage} part="split" title={title} />}
    </section>
  );
}
