import { factsOf } from '../base/catalogue';
import type { ModelId } from '../base/ids';
import { providerOf, unaccounted } from '../base/ids';
import { BUDGET_ACTIONS, type BudgetLevel } from '../base/money';
import { get } from '../base/table';
import type { Shortage } from '../base/window';
import { type EngineState, rootOf, type Turn } from '../state/state';

/** Whose request it is; without a session no budget of a conversation is looked at, without a lead every model counts as it. */
export type Buying = Pick<Turn, 'directory' | 'agent'> & Partial<Pick<Turn, 'session' | 'lead'>>;

/**
 * The spent budget that is in the way of asking a model; null where none is. Of several the one with the strictest action, of those
 * the one with the least left. What is known to cost little enough goes past a budget that is spent.
 */
export function spentOf(state: EngineState, buying: Buying, model: ModelId, now: number): BudgetLevel | null {
  let ruling: BudgetLevel | null = null;
  for (const level of state.money)
    if (isInTheWay(state, level, { buying, model, now }) && (ruling === null || comesBefore(level, ruling)))
      ruling = level;
  return ruling;
}

const strictness = ({ action }: BudgetLevel): number => BUDGET_ACTIONS.indexOf(action);

const comesBefore = (a: BudgetLevel, b: BudgetLevel): boolean =>
  strictness(a) > strictness(b) || (strictness(a) === strictness(b) && a.limit - a.spent < b.limit - b.spent);

type Asked = Readonly<{ buying: Buying; model: ModelId; now: number }>;

function isInTheWay(state: EngineState, level: BudgetLevel, { buying, model, now }: Asked): boolean {
  const { action, limit, spent, until, isAllowed } = level;
  if (action === 'warn' || spent < limit || (isAllowed && action === 'ask') || (until !== null && now >= until))
    return false;
  const { session, directory, agent } = buying;
  if (level.provider !== null && level.provider !== unaccounted(providerOf(model))) return false;
  if (level.agent !== null && level.agent !== agent) return false;
  if (level.directory !== null && !isWithin(level.directory, directory)) return false;
  if (level.session !== null && (session === undefined || level.session !== rootOf(state, session))) return false;
  return action !== 'degrade' || !isCheap(state, level, { buying, model, now });
}

/** Whether a folder is another one, or lies in it, however a system writes its paths. */
export function isWithin(folder: string, directory: string): boolean {
  const [outer, inner] = [asWritten(folder), asWritten(directory)];
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** With slashes, none at its end; where there are drives, letters are the same in either case. */
function asWritten(path: string): string {
  const plain = path.replaceAll('\\', '/').replace(/\/+$/, '');
  return /^[A-Za-z]:/.test(plain) ? plain.toLowerCase() : plain;
}

/** Whether a model is known to cost little enough for a budget that is spent; of an unknown price nobody can say so. */
function isCheap(state: EngineState, { maxPrice }: BudgetLevel, { buying, model }: Asked): boolean {
  const { models } = get(state.scopes, buying.directory) ?? {};
  const { priceOut } = factsOf(models, model);
  if (priceOut === undefined) return false;
  if (maxPrice !== null) return priceOut <= maxPrice;
  const lead = factsOf(models, buying.lead ?? model).priceOut;
  return lead !== undefined && priceOut < lead;
}

/** The same, as what there is to say of it. */
export function moneyShort(state: EngineState, buying: Buying, model: ModelId, now: number): Shortage | null {
  const level = state.money.length === 0 ? null : spentOf(state, buying, model, now);
  return level && shortageIn(level);
}

const whose = (of: string | null): Pick<Shortage, 'of'> => (of === null ? {} : { of });

/** A budget as the limit that it is. */
export const shortageIn = ({ id, period, provider, agent, directory, limit, spent, until }: BudgetLevel): Shortage => ({
  ...whose(provider ?? agent ?? directory),
  code: `money.${period}`,
  window: id,
  unit: 'dollars',
  lengthMs: null,
  used: limit > 0 ? spent / limit : 1,
  limit,
  remaining: Math.max(0, limit - spent),
  needs: null,
  until,
});

/** The budget for which an agent sends nothing more, or not before somebody has said so; null where there is none. */
export function haltedBy(state: EngineState, buying: Buying, model: ModelId, now: number): Shortage | null {
  if (state.money.length === 0) return null;
  const level = spentOf(state, buying, model, now);
  return level === null || level.action === 'degrade' ? null : shortageIn(level);
}
