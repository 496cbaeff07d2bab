import { type ReactNode, useId, useRef, useState } from 'react';
import type { UsageAnswer, UsagePart } from '../../../contract/usage';
import { usageTexts } from '../../../texts';
import { ExportMenu } from './ExportMenu';
import { Legend, type LegendItem } from './Legend';
import { PlotBox } from './PlotBox';
import type { ChartPlot } from './plot';
import { TableTwin } from './TableTwin';

type Props = Readonly<{
  usage: UsageAnswer;
  part: UsagePart;
  title: string;
  finding: string;
  /** For screen readers. */
  summary: string;
  unit: string;
  legend: readonly LegendItem[];
  plot: ChartPlot;
  isWide?: boolean;
  scale?: ReactNode;
  children?: ReactNode;
}>;

export function ChartCard(props: Props) {
  const { usage, part, title, finding, summary, unit, legend, plot, isWide = false, scale, children } = props;
  const [isTable, setTable] = useState(false);
  const { card } = usageTexts();
  const id = useId();
  const drawing = useRef<HTMLDivElement>(null);
  return (
    <section className={isWide ? 'card chart-card wide' : 'card chart-card'} aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        <button
          className="btn btn-sm btn-quiet link push"
          type="button"
          aria-label={isTable ? card.chartOf(title) : card.tableOf(title)}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? card.chart : card.table}
        </button>
        <ExportMenu usage={usage} part={part} title={title} picture={{ finding, unit, legend, drawing }} />
      </div>
      <p className="chart-finding">{finding}</p>
      {isTable && <TableTwin usage={usage} part={part} title={title} />}
      {/* Stays mounted behind the table, for exporting its picture. */}
      <div hidden={isTable}>
        <p className="chart-units cap">
          <span>{unit}</span>
        </p>
        <PlotBox plot={plot} title={title} summary={summary} drawing={drawing} />
        {scale ?? <Legend items={legend} />}
      </div>
      {children}
    </section>
  );
}
