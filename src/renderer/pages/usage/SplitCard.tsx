import type { UsageAnswer } from '../../../contract/usage';
import { usageTexts } from '../../../texts';
import { TableCard } from './TableCard';
import { findings } from './words';

type Props = Readonly<{ usage: UsageAnswer }>;

export function SplitCard({ usage }: Props) {
  const { charts, split, findings: texts, states } = usageTexts();
  const isMissing = usage.rows.length === 0 && !usage.isSplitKept;
  return (
    <TableCard
      usage={usage}
      part="split"
      title={charts.split(split[usage.question.splitBy])}
      finding={isMissing ? `${states.noSplitTitle} ${states.noSplit}` : texts.split}
      isEmpty={isMissing}
    />
  );
}

export function ModelsCard({ usage }: Props) {
  const { charts, findings: texts } = usageTexts();
  return <TableCard usage={usage} part="models" title={charts.models} finding={texts.models} />;
}

export function StandInsCard({ usage }: Props) {
  return (
    <TableCard
      usage={usage}
      part="standIns"
      title={usageTexts().charts.standIns}
      finding={findings.standIns(usage)}
      isEmpty={usage.standIns.length === 0}
    />
  );
}
