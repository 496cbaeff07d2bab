import type { CountedBudget } from '../../engine';
import { BUDGETS_MAX } from '../../protocol';
import { type Budget, type Counted, idOf, NEAR } from './ledger';

/** The engine needs such budgets before any spending. */
const isHeld = ({ action, session }: Pick<Counted, 'action' | 'session'>): boolean =>
  session === null && (action === 'ask' || action === 'stop');

/** Nearly spent or enforced budgets, the fullest first. @param now Unix ms. */
export const levelsOf = (
  budgets: readonly Budget[],
  counted: readonly Counted[],
  now: number,
): readonly CountedBudget[] =>
  counted
    .filter((each) => each.spent >= each.limit * NEAR || isHeld(each))
    .map(({ at: _at, place: _place, elsewhere: _elsewhere, pricedShare: _share, endsAt, ...level }) => ({
      ...level,
      endsInMs: endsAt === null ? null : Math.max(0, endsAt - now),
    }))
    .toSorted((a, b) => b.spent / b.limit - a.spent / a.limit)
    .concat(budgets.filter(({ period }) => period === 'session').flatMap((budget) => unspent(budget, now)))
    .slice(0, BUDGETS_MAX);

/** For conversations without spending; an approval lasts for a day. */
function unspent(budget: Budget, now: number): readonly CountedBudget[] {
  const today = new Date(now).toISOString().slice(0, 10);
  const level = { ...budget, id: idOf(budget, today), session: null, spent: 0, isAllowed: false, endsInMs: null };
  return isHeld(level) ? [level] : [];
}

/** Whether the engine's budgets are still accurate. @param agoMs since the last update, by the engine's clock. */
export const isOldNews = (previous: readonly CountedBudget[], now: readonly CountedBudget[], agoMs: number): boolean =>
  previous.length === now.length && now.every((level) => previous.some((old) => isAlike(old, level, agoMs)));

/** Maximum error, as a fraction of the limit. */
const ROUGH = 0.02;
/** Maximum difference of two clock readings, in ms. */
const SAME_END_MS = 5_000;

function isAlike(old: CountedBudget, level: CountedBudget, agoMs: number): boolean {
  // The end of a day moves if the clock is set.
  const isSameEnd = Math.abs((old.endsInMs ?? 0) - agoMs - (level.endsInMs ?? 0)) < SAME_END_MS;
  const isSpent = (each: CountedBudget): boolean => each.spent >= each.limit;
  return (
    old.id === level.id &&
    old.action === level.action &&
    old.maxPrice === level.maxPrice &&
    old.isAllowed === level.isAllowed &&
    (old.allowsUnpriced ?? false) === (level.allowsUnpriced ?? false) &&
    (level.endsInMs === null || isSameEnd) &&
    isSpent(old) === isSpent(level) &&
    Math.abs(old.spent - level.spent) < level.limit * ROUGH
  );
}
