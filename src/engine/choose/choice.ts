import type { AgentPlan, ScopeConfig } from '../base/config';
import type { Considered, Decision, DecisionAction, Failure } from '../base/decision';
import type { ModelId } from '../base/ids';
import { get } from '../base/table';
import type { Shortage } from '../base/window';
import { chainIn, planIn } from '../state/chain';
import type { EngineState, Turn } from '../state/state';
import { type Walk, walkChain } from './chain';

/** What to do, its reason, and what the decision looked at. */
export type Choice = Readonly<{
  action: DecisionAction;
  code: string;
  trace: readonly Considered[];
  /** The step that was taken, as the turn counts it. */
  used?: string | undefined;
  /** The limit that it goes out of the way of. */
  short?: Shortage | undefined;
  /** The plan it goes to all the same, which the work of the lead's would use up. */
  drain?: Shortage | undefined;
}>;

/** A choice by its parts; without a trace where no model was looked at. */
export const choose = (action: DecisionAction, code: string, trace: readonly Considered[] = []): Choice => ({
  action,
  code,
  trace,
});

/** Who is left out of its session is not asked; no clock ends that. */
export const LEFT_OUT: Choice = choose({ kind: 'exhausted', soonest: null }, 'exhausted.degraded');

/** A turn, whom it may turn to, and what a walk along its chain found: what every choice looks at. */
export type Outlook = Readonly<{
  state: EngineState;
  turn: Turn;
  now: number;
  scope: ScopeConfig | undefined;
  plan: AgentPlan | null;
  chain: readonly ModelId[];
  /** Models that failed in this turn, the latest included. */
  tried: Turn['tried'];
  walk: Walk;
}>;

/** What a turn has before it, after the failure of one model where there was one. */
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

/** A choice as the decision that is logged and carried out. */
export function decisionOf(
  { turn, session, agent }: Turn,
  { action, code, trace, short }: Choice,
  failure: Failure | null,
  attempt: string | null,
): Decision {
  const decision = { turn, attempt, session, agent, action, code, failure, trace };
  return short ? { ...decision, short } : decision;
}
