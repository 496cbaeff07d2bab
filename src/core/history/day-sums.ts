import { type CellRow, ledgerOf, type Scorecard } from '../../engine/scorecard';

const HOURS_A_DAY = 24;

type Hours = Scorecard['hours'];
type DaySum = Readonly<{ hours: Hours; rows: readonly CellRow[] }>;

/** Past days within the range are summed in their first hour. Hours are never changed, only replaced. */
export function createDaySums(): (
  hours: Hours,
  range: Readonly<{ sinceHour: number; untilHour: number }>,
) => readonly CellRow[] {
  let cache = new Map<number, DaySum>();
  return (hours, { sinceHour, untilHour }) => {
    const today = dayOf(hours.at(-1)?.hour ?? 0);
    const next = new Map<number, DaySum>();
    const rows = byDay(hours).flatMap(([day, own]) => {
      const isWhole = day < today && !isWithin(sinceHour, day) && !isWithin(untilHour, day);
      if (!isWhole) return rowsOf(own);
      const before = cache.get(day);
      const isSame = before?.hours.length === own.length && own.every((hour, at) => hour === before.hours[at]);
      const sum = before && isSame ? before : { hours: own, rows: added(own) };
      next.set(day, sum);
      return sum.rows;
    });
    for (const [day, sum] of cache) if (!next.has(day) && day >= dayOf(hours[0]?.hour ?? 0)) next.set(day, sum);
    cache = next;
    return rows;
  };
}

const dayOf = (hour: number): number => Math.floor(hour / HOURS_A_DAY);
const isWithin = (hour: number, day: number): boolean => dayOf(hour) === day && hour % HOURS_A_DAY !== 0;

function byDay(hours: Hours): [day: number, hours: Hours][] {
  const days = new Map<number, Hours[number][]>();
  for (const each of hours) {
    const own = days.get(dayOf(each.hour));
    if (own) own.push(each);
    else days.set(dayOf(each.hour), [each]);
  }
  return [...days];
}

const rowsOf = (hours: Hours): CellRow[] =>
  hours.flatMap(({ hour, cells }) =>
    cells.map(([model, cell]): CellRow => ({ session: null, serial: 0, hour, model, cell })),
  );

function added(hours: Hours): CellRow[] {
  const hour = hours[0]?.hour ?? 0;
  return rowsOf(ledgerOf(rowsOf(hours).map((row) => ({ ...row, hour }))));
}
