import type { ScorecardDocument } from '../../../contract/scorecard';
import { sessionTexts } from '../../../texts';
import { percent } from '../../../wording/wording';
import { Block } from './Block';
import { Pairs } from './Pairs';
import { figure } from './words';

type Reason = keyof NonNullable<ScorecardDocument['totals']['errors']['toolReasons']>;

export function FailedTools({ errors, quality }: Pick<ScorecardDocument['totals'], 'errors' | 'quality'>) {
  const { card } = sessionTexts();
  const { tool, toolReasons, toolRepeats } = errors;
  const reasons = Object.entries(toolReasons ?? {}).filter(([, count]) => count > 0);
  return (
    <Block title={card.tools}>
      {reasons.length === 0 && <p className="small muted">{tool === null ? card.toolsUntold : card.noTool}</p>}
      <Pairs
        rows={[
          ...reasons
            .sort(([, a], [, b]) => b - a)
            .map(([reason, count]) => [card.toolReasons[reason as Reason], figure(count), reason] as const),
          ...(toolRepeats ? [[card.toolRepeats, figure(toolRepeats), 'repeats'] as const] : []),
          ...(quality.flawedShare === null ? [] : [[card.flawed, percent(quality.flawedShare), 'flawed'] as const]),
        ]}
      />
    </Block>
  );
}
