import type { AgentPlan, ScopeConfig } from '../base/config';
import type { Considered, Decision, DecisionAction, Failure } from '../base/decision';
import type { ModelId } from '../base/ids';
import { get } from '../base/table';
import type { Shortage } from '../base/window';
import { chainIn, planIn } from '../state/chain';
import type { EngineState, Turn } from '../state/state';
import { type Walk, walkChain } from './chain';

export type Choice = Readonly<{
  action: DecisionAction;
  code: string;
  trace: readonly Considered[];
  used?: string | undefined;
  short?: Shortage | undefined;
  /** The chosen plan, which the work would use up. */
  drain?: Shortage | undefined;
}>;

export const choose = (action: DecisionAction, code: string, trace: readonly Considered[] = []): Choice => ({
  action,
  code,
  trace,
});

/** An agent paused in its session (`degraded`). */
export const LEFT_OUT: Choice = choose({ kind: 'exhausted', soonest: null }, 'exhausted.degraded');

export type Outlook = Readonly<{
  state: EngineState;
  turn: Turn;
  now: number;
  scope: ScopeConfig | undefined;
  plan: AgentPlan | null;
  chain: readonly ModelId[];
  tried: Turn['tried'];
  walk: Walk;
}>;

export function outlookOf(
  state: EngineState,
  turn: Turn,
  now: number,
  failed?: Readonly<{ model: ModelId; failure: Failure }>,
): Outlook {
  const scope = get(state.scopes, turn.directory);
  const plan = planIn(scope, turn.agent);
  const chain = chainIn(plan, turn.lead);
  const tried = failed ? [...turn.tried, { model: failed.model, kind: failed.failure.kind }] : turn.tried;
  const walk = walkChain(state, chain, { now, tried, turn, failure: failed?.failure, from: failed?.model });
  return { state, turn, now, scope, plan, chain, tried, walk };
}

export function decisionOf(
  { turn, session, agent }: Turn,
  { action, code, trace, short }: Choice,
  failure: Failure | null,
  attempt: string | null,
): Decision {
  const decision = { turn, attempt, session, agent, action, code, failure, trace };
  return short ? { ...decision, short } : decision;
}
