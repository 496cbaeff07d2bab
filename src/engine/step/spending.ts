import { counted, DEFAULT_RETRY_BUDGET, NOTHING_SPENT, refund, spend } from '../base/budget';
import type { DecisionAction } from '../base/decision';
import type { ModelId } from '../base/ids';
import { get, set } from '../base/table';
import { copyOf, rootOf, type Turn } from '../state/state';
import type { Work } from '../state/work';

/** Whether an action asks a model again and is paid for. */
export function costsRetry(action: DecisionAction, model: ModelId): boolean {
  if (action.kind !== 'hold' || action.to !== model) return false;
  const { task = 'hint' } = action;
  return task === 'hint' || task === 'retry' || task === 'wait' || task === 'continue';
}

/** A turn pays for one retry; its session is warned once. */
export function charge({ state, now, facts }: Work, { session, directory, agent }: Turn): void {
  const budget = get(state.scopes, directory)?.retryBudget ?? DEFAULT_RETRY_BUDGET;
  const root = rootOf(state, session);
  const { spent, warns } = spend(get(state.budgets, root) ?? NOTHING_SPENT, budget);
  const told = { session: root, agent, count: spent.retries, of: budget.perSession };
  if (warns) facts.push({ type: 'budget.warned', ...told });
  if (spent.retries === budget.perSession) facts.push({ type: 'budget.spent', ...told });
  state.budgets = set(state.budgets, root, spent);
  state.traffic = counted(state.traffic, 'retries', now);
}

/** The retry a turn paid for last is handed back. */
export function giveBack({ state, now }: Work, turn: Turn | undefined): void {
  if (!turn?.owesRetry) return;
  const root = rootOf(state, turn.session);
  const spent = get(state.budgets, root);
  // A root that is gone already has no budget to give it back to.
  if (spent) state.budgets = set(state.budgets, root, refund(spent));
  const next = copyOf(turn);
  next.owesRetry = false;
  state.turns = set(state.turns, turn.turn, next);
  state.traffic = counted(state.traffic, 'retries', now, -1);
}
