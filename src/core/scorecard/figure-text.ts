import type { ScorecardDocument } from '../../contract/scorecard';
import { TOOL_REASONS, type ToolReason } from '../../engine/scorecard';
import { measured } from '../../wording/wording';

type Totals = ScorecardDocument['totals'];

/** Such as "83.3 %". */
export const share = (value: number | null): string =>
  value === null ? 'no data' : `${Math.round(1_000 * value) / 10} %`;

/** Such as "83.3 % (60.1 % to 94.2 %, n = 12)". */
export function rate({ value, lower, upper, n }: Totals['successRate']): string {
  if (value === null) return 'no data';
  return `${share(value)} (${share(lower)} to ${share(upper)}, n = ${n})`;
}

export const duration = (ms: number | null): string => (ms === null ? '–' : measured(ms));

const TOOL_WORDS: Readonly<Record<ToolReason, string>> = {
  validation: 'bad arguments',
  permission: 'not allowed',
  not_found: 'not found',
  timeout: 'timed out',
  execution: 'failed',
};

/** Such as "3 (bad arguments 2, timed out 1; 1 repeated)"; a dash if not reported. */
export function toolErrors({ tool, toolReasons, toolRepeats }: Totals['errors']): string {
  if (tool === null || toolReasons === null) return '–';
  const counts = TOOL_REASONS.flatMap((reason) =>
    toolReasons[reason] > 0 ? [`${TOOL_WORDS[reason]} ${toolReasons[reason]}`] : [],
  );
  if (counts.length === 0) return String(tool);
  return `${tool} (${counts.join(', ')}${toolRepeats ? `; ${toolRepeats} repeated` : ''})`;
}
