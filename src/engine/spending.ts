import { counted, DEFAULT_RETRY_BUDGET, NOTHING_SPENT, refund, spend } from './budget';
import type { DecisionAction, Note } from './decision';
import { type EngineState, rootOf, type Turn } from './state';
import { get, set } from './table';

/** Whether an action asks a model again and is paid for. */
export function costsRetry(action: DecisionAction, turn: Turn): boolean {
  if (action.kind !== 'hold' || action.to !== turn.model) return false;
  const { task = 'hint' } = action;
  return task === 'hint' || task === 'retry' || task === 'wait' || task === 'continue';
}

/** State in which a turn has paid for one retry, and the one warning a session gets. */
export function charged(
  state: EngineState,
  turn: Turn,
  now: number,
): Readonly<{ state: EngineState; notes: readonly Note[] }> {
  const budget = get(state.scopes, turn.directory)?.retryBudget ?? DEFAULT_RETRY_BUDGET;
  const root = rootOf(state, turn.session);
  const { spent, warns } = spend(get(state.budgets, root) ?? NOTHING_SPENT, budget);
  const notes: Note[] = [];
  const told = { session: root, agent: turn.agent, count: spent.retries, of: budget.perSession };
  if (warns) notes.push({ code: 'budget.warned', ...told });
  if (spent.retries === budget.perSession) notes.push({ code: 'budget.spent', ...told });
  const traffic = counted(state.traffic, 'retries', now);
  return { state: { ...state, budgets: set(state.budgets, root, spent), traffic }, notes };
}

/** State in which the retry a turn paid for last is handed back. */
export function refunded(state: EngineState, turn: Turn | undefined, now: number): EngineState {
  if (!turn?.owesRetry) return state;
  const root = rootOf(state, turn.session);
  const budgets = set(state.budgets, root, refund(get(state.budgets, root) ?? NOTHING_SPENT));
  const turns = set(state.turns, turn.turn, { ...turn, owesRetry: false });
  return { ...state, budgets, turns, traffic: counted(state.traffic, 'retries', now, -1) };
}
