import { type BudgetLevel, unpricedId } from '../base/money';
import { entries, get, remove, set } from '../base/table';
import type { EventOf } from '../state/events';
import type { Draft } from '../state/state';
import type { Work } from '../state/work';

/** Parts of a budget that are reported once each. */
const MARKS = [1, 0.8] as const;
const TOLD_MAX = 500;

export function onCounted(work: Work, { levels }: EventOf<'money.counted'>): undefined {
  const { state, now } = work;
  const previous = new Map(state.money.map((level) => [level.id, level]));
  state.money = levels.map(({ endsInMs, ...level }) => ({
    ...level,
    until: endsInMs === null ? null : now + endsInMs,
    isAllowed: level.isAllowed || previous.get(level.id)?.isAllowed === true,
    ...(level.allowsUnpriced || previous.get(level.id)?.allowsUnpriced ? { allowsUnpriced: true } : {}),
  }));
  for (const level of state.money) tell(work, level);
}

function tell({ state, facts, now }: Work, { isAllowed: _, allowsUnpriced: __, until, ...level }: BudgetLevel): void {
  const { id, limit, spent } = level;
  const mark = MARKS.find((each) => spent >= limit * each);
  if (mark === undefined || mark <= (get(state.budgetMarks, id) ?? 0)) return;
  if (entries(state.budgetMarks).length >= TOLD_MAX) {
    const [oldest] = entries(state.budgetMarks);
    if (oldest) state.budgetMarks = remove(state.budgetMarks, oldest[0]);
  }
  state.budgetMarks = set(state.budgetMarks, id, mark);
  facts.push({ type: 'money.passed', ...level, mark, endsInMs: until === null ? null : until - now });
}

export function allow(state: Draft, id: string): void {
  state.money = state.money.map((level) => {
    if (level.id === id) return { ...level, isAllowed: true };
    return unpricedId(level.id) === id ? { ...level, allowsUnpriced: true } : level;
  });
}
