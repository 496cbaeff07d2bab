import { NOTHING_SPENT, type Retry, refund, spend, withUse } from '../base/budget';
import type { DecisionAction, Failure } from '../base/decision';
import { type HealthKey, type ModelId, providerOf } from '../base/ids';
import { get, remove, set } from '../base/table';
import { type Again, retryOf } from '../choose/steps';
import { accountFor } from '../state/books';
import { rootOf } from '../state/read';
import { copyOf, type Draft, type Turn } from '../state/state';
import type { Work } from '../state/work';

export function costsRetry(action: DecisionAction, model: ModelId): boolean {
  if (action.kind !== 'hold' || action.to !== model) return false;
  const { task = 'hint' } = action;
  return task === 'hint' || task === 'retry' || task === 'wait' || task === 'continue';
}

/** A dead network is not the provider's failure. */
export function noteFailure({ state, now }: Work, key: HealthKey, failure: Failure): Failure {
  const { kind } = failure;
  if (kind === 'local_network') return failure;
  const provider = providerOf(key);
  const streak = get(state.streaks, provider);
  state.streaks = set(state.streaks, provider, { used: streak?.used ?? 0, at: streak?.at ?? now, kind });
  return streak?.kind === kind ? { ...failure, isRepeated: true } : failure;
}

/** An answered turn also resets the conversation's retries. */
export function noteAnswer(state: Draft, key: HealthKey, turn: Turn | undefined): void {
  state.streaks = remove(state.streaks, providerOf(key));
  if (turn) state.budgets = remove(state.budgets, rootOf(state, turn.session));
}

export function charge({ state, facts }: Work, turn: Turn, again: Again): void {
  const retry = retryOf(state, turn, again);
  const root = rootOf(state, turn.session);
  const { spent, warns } = spend(get(state.budgets, root) ?? NOTHING_SPENT, retry.budget);
  const fields = { session: root, agent: turn.agent, count: spent.retries, of: retry.budget.perSession };
  if (warns) facts.push({ type: 'budget.warned', ...fields });
  if (spent.retries === retry.budget.perSession) facts.push({ type: 'budget.spent', ...fields });
  state.budgets = set(state.budgets, root, spent);
  draw(state, accountFor(state, turn.directory, again.model), retry);
}

export function giveBack({ state, now }: Work, turn: Turn | undefined): void {
  if (!turn?.owesRetry) return;
  const root = rootOf(state, turn.session);
  const spent = get(state.budgets, root);
  // The root may be closed.
  if (spent) state.budgets = set(state.budgets, root, refund(spent));
  const next = copyOf(turn);
  next.owesRetry = false;
  state.turns = set(state.turns, turn.turn, next);
  const retry = retryOf(state, turn, { model: turn.model, now });
  draw(state, accountFor(state, turn.directory, turn.model), { ...retry, cost: -retry.cost });
}

function draw(state: Draft, provider: HealthKey, retry: Retry): void {
  const streak = get(state.streaks, provider);
  if (streak) state.streaks = set(state.streaks, provider, withUse(streak, retry));
}
