import type { AgentRow } from '../../contract/snapshot';
import { nowTexts } from '../../texts';
import { useAsked } from '../app/asked';
import { Explanation } from './Explanation';

export function WhyOf({ row }: Readonly<{ row: AgentRow }>) {
  const { session, agent } = row;
  const explained = useAsked('decision.explain', { session, agent }, `${row.key} ${row.active} ${row.since}`);
  if (explained === undefined) return null;
  if (!explained) return <p className="small muted">{nowTexts().agent.noDecision}</p>;
  return <Explanation event={explained.event} rule={explained.rule} />;
}
