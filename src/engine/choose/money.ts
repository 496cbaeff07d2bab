import { factsOf } from '../base/catalogue';
import type { ModelId } from '../base/ids';
import { providerOf, unaccounted } from '../base/ids';
import { BUDGET_ACTIONS, type BudgetLevel, unpricedId } from '../base/money';
import { get } from '../base/table';
import type { Shortage } from '../base/window';
import { rootOf } from '../state/read';
import type { EngineState, Turn } from '../state/state';

/** Without `session`, budgets of sessions do not apply; without `lead`, each model counts as the primary. */
export type Buying = Pick<Turn, 'directory' | 'agent'> & Partial<Pick<Turn, 'session' | 'lead'>>;

/**
 * The strictest budget that blocks a model, then the one with the least left. A known low price passes a spent
 * `degrade` budget; an unknown price passes no `ask` or `stop` budget, spent or not.
 */
function rulingOf(state: EngineState, buying: Buying, model: ModelId, now: number): BudgetLevel | null {
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
  const { action, until } = level;
  if (action === 'warn' || (until !== null && now >= until)) return false;
  if (!isUsedUp(level) && !isBeyondCount(state, level, { buying, model, now })) return false;
  const { session, directory, agent } = buying;
  if (level.provider !== null && level.provider !== unaccounted(providerOf(model))) return false;
  if (level.agent !== null && level.agent !== agent) return false;
  if (level.directory !== null && !isWithin(level.directory, directory)) return false;
  if (level.session !== null && (session === undefined || level.session !== rootOf(state, session))) return false;
  return action !== 'degrade' || !isCheap(state, level, { buying, model, now });
}

const isSpent = ({ spent, limit }: BudgetLevel): boolean => spent >= limit;
const isUsedUp = (level: BudgetLevel): boolean => isSpent(level) && !(level.action === 'ask' && level.isAllowed);

/** The price is unknown. A session asks once, for all its models. */
const isBeyondCount = (
  state: EngineState,
  { action, session, allowsUnpriced }: BudgetLevel,
  { buying, model }: Asked,
): boolean =>
  action !== 'degrade' &&
  !(action === 'ask' && allowsUnpriced) &&
  session === null &&
  isUnpriced(state, buying.directory, model);

function isUnpriced(state: EngineState, directory: string, model: ModelId): boolean {
  const unpriced = get(state.scopes, directory)?.unpriced;
  return unpriced !== undefined && unpriced.models.includes(unaccounted(model)) !== unpriced.isAllBut;
}

/** In any system's notation. */
export function isWithin(folder: string, directory: string): boolean {
  const [outer, inner] = [asWritten(folder), asWritten(directory)];
  return inner === outer || inner.startsWith(`${outer}/`);
}

function asWritten(path: string): string {
  const plain = path.replaceAll('\\', '/').replace(/\/+$/, '');
  return /^[A-Za-z]:/.test(plain) ? plain.toLowerCase() : plain;
}

function isCheap(state: EngineState, { maxPrice }: BudgetLevel, { buying, model }: Asked): boolean {
  const { models } = get(state.scopes, buying.directory) ?? {};
  const priceOf = (each: ModelId): number | undefined =>
    isUnpriced(state, buying.directory, each) ? undefined : factsOf(models, each).priceOut;
  const price = priceOf(model);
  if (price === undefined) return false;
  if (maxPrice !== null) return price <= maxPrice;
  const lead = priceOf(buying.lead ?? model);
  return lead !== undefined && price < lead;
}

export type Overspent = Readonly<{ level: BudgetLevel; short: Shortage }>;

export function spentOf(state: EngineState, buying: Buying, model: ModelId, now: number): Overspent | null {
  const level = state.money.length === 0 ? null : rulingOf(state, buying, model, now);
  return level && { level, short: shortageIn(level) };
}

export const moneyShort = (state: EngineState, buying: Buying, model: ModelId, now: number): Shortage | null =>
  spentOf(state, buying, model, now)?.short ?? null;

const whose = (of: string | null): Pick<Shortage, 'of'> => (of === null ? {} : { of });

/** A budget that blocks without being spent cannot be counted (`unpriced`). */
function shortageIn(level: BudgetLevel): Shortage {
  const { id, period, provider, agent, directory, limit, spent, until } = level;
  const isOver = isUsedUp(level);
  return {
    ...whose(provider ?? agent ?? directory),
    code: `money.${isOver ? period : 'unpriced'}`,
    window: isOver ? id : unpricedId(id),
    unit: 'dollars',
    lengthMs: null,
    used: limit > 0 ? spent / limit : 1,
    limit,
    remaining: Math.max(0, limit - spent),
    needs: null,
    until,
  };
}

/** The spent budget that stops all models of a chain. */
export function stoppedBy(state: EngineState, buying: Buying, chain: readonly ModelId[], now: number): Shortage | null {
  if (!get(state.scopes, buying.directory)?.enabled) return null;
  const found = chain.map((model) => spentOf(state, buying, model, now));
  return found.every((each) => each?.level.action === 'stop' && isSpent(each.level)) ? (found[0]?.short ?? null) : null;
}

/** The budget that stops a model, possibly until approval. */
export function haltedBy(state: EngineState, buying: Buying, model: ModelId, now: number): Shortage | null {
  const found = spentOf(state, buying, model, now);
  return found === null || found.level.action === 'degrade' ? null : found.short;
}
