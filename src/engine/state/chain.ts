import type { AgentPlan, ScopeConfig } from '../base/config';
import type { ModelId } from '../base/ids';
import { get } from '../base/table';
import type { EngineState, Turn } from './state';

/** Null if nothing is configured or fallback is off. */
export const planOf = (state: EngineState, directory: string, agent: string): AgentPlan | null =>
  planIn(get(state.scopes, directory), agent);

export function planIn(scope: ScopeConfig | undefined, agent: string): AgentPlan | null {
  if (!scope?.enabled) return null;
  return (Object.hasOwn(scope.agents, agent) ? scope.agents[agent] : scope.agents['*']) ?? null;
}

export const chainOf = (state: EngineState, turn: Pick<Turn, 'directory' | 'agent' | 'lead'>): readonly ModelId[] =>
  chainIn(planOf(state, turn.directory, turn.agent), turn.lead);

export function chainIn(plan: AgentPlan | null, lead: ModelId): readonly ModelId[] {
  const chain = plan?.chain ?? [];
  return chain[0] === lead ? chain : [lead, ...chain.filter((model) => model !== lead)];
}
