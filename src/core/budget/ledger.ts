import { type BudgetAction, type BudgetPeriod, unpricedId } from '../../engine';
import { isWithin } from '../../engine/tools';
import {
  dollarsOf,
  type Elsewhere,
  type Hours,
  hoursOf,
  NOTHING_ELSEWHERE,
  nanosOf,
  spentElsewhere,
} from './elsewhere';
import { type OffsetAt, stretchAt } from './periods';
import type { LedgerLine, SpentLine } from './spent';

/** Until a line's future date, `foundAt` (Unix ms) counts as its time. */
type Dated = SpentLine & Readonly<{ foundAt?: number | undefined }>;

const timeOf = ({ at, foundAt }: Dated, now: number): number => (at > now && foundAt !== undefined ? foundAt : at);

export type Budget = Readonly<{
  period: BudgetPeriod;
  action: BudgetAction;
  /** Null for all. */
  provider: string | null;
  agent: string | null;
  directory: string | null;
  limit: number;
  /** With `degrade`: maximum US dollars per million output tokens; null allows any price below the primary's. */
  maxPrice: number | null;
}>;

export type Counted = Budget &
  Readonly<{
    /** Changes with period and limit. */
    id: string;
    session: string | null;
    spent: number;
    pricedShare: number;
    /** End of the period, Unix ms; null for none. */
    endsAt: number | null;
    isAllowed: boolean;
    allowsUnpriced?: boolean | undefined;
    /** Last counted step, Unix ms, and its folder; null for none. */
    at: number | null;
    place: string | null;
    /** Part of `spent` on other fleet machines. */
    elsewhere: number;
  }>;

export type Ledger = Readonly<{
  add(line: LedgerLine & Readonly<{ foundAt?: number }>): void;
  /**
   * Counts at `now`, Unix ms; a budget per conversation has one entry for each recent one. `lost` are estimates of
   * requests left open by ended processes.
   */
  count(
    budgets: readonly Budget[],
    now: number,
    by: Readonly<{ offsetAt: OffsetAt; elsewhere?: Elsewhere; lost?: readonly SpentLine[] }>,
  ): readonly Counted[];
  hours(account: string, now: number): Hours;
}>;

const KEPT_MS = 9 * 86_400_000;
const SESSION_MS = 86_400_000;
const SESSIONS_MAX = 50;
const ALLOWED_MAX = 500;
/** Fraction of a budget at which it counts as nearly spent. */
export const NEAR = 0.8;

export function createLedger(): Ledger {
  let lines: Dated[] = [];
  const sessions = new Map<string, SpentLine[]>();
  const allowed = new Set<string>();
  return {
    add(line) {
      if ('allowed' in line) {
        allowed.add(line.allowed);
        const [oldest] = allowed;
        if (allowed.size > ALLOWED_MAX && oldest !== undefined) allowed.delete(oldest);
        return;
      }
      if (!('session' in line)) return;
      lines.push(line);
      const own = sessions.get(line.session);
      if (own) own.push(line);
      else sessions.set(line.session, [line]);
    },
    count(budgets, now, { offsetAt, elsewhere = NOTHING_ELSEWHERE, lost = [] }) {
      if (lines[0] && now - lines[0].at > KEPT_MS) lines = lines.filter(({ at }) => now - at <= KEPT_MS);
      const withWord = (counted: Omit<Counted, 'isAllowed'>): Counted => ({
        ...counted,
        isAllowed: allowed.has(counted.id),
        ...(allowed.has(unpricedId(counted.id)) ? { allowsUnpriced: true } : {}),
      });
      const all = lost.length === 0 ? lines : [...lines, ...lost];
      const allSessions = withLost(sessions, lost);
      return budgets.flatMap((budget) => {
        const { period } = budget;
        if (period === 'session') return inSessions(budget, allSessions, now).map(withWord);
        const { name, beginsAt, endsAt } = stretchAt(period, now, offsetAt);
        // A clock that was set back must not undo spending: amounts in the near future count now.
        const endsBy = endsAt + (endsAt - beginsAt);
        const isIn = (at: number): boolean => at >= beginsAt && at < endsBy;
        const own = all.filter((line) => isOf(budget, line) && isIn(timeOf(line, now)));
        const { provider } = budget;
        // A budget of all local spending excludes other machines.
        const others = provider === null ? 0 : spentElsewhere(elsewhere, provider, beginsAt, endsBy);
        const sum = withOthers(sumOf(own), others);
        return [withWord({ ...budget, ...sum, id: idOf(budget, name), session: null, endsAt })];
      });
    },
    hours: (account, now) => hoursOf(lines, account, now),
  };
}

function withLost(sessions: ReadonlyMap<string, readonly SpentLine[]>, lost: readonly SpentLine[]) {
  if (lost.length === 0) return sessions;
  const all = new Map(sessions);
  for (const line of lost) all.set(line.session, [...(all.get(line.session) ?? []), line]);
  return all;
}

const inSessions = (budget: Budget, sessions: ReadonlyMap<string, readonly SpentLine[]>, now: number) =>
  [...sessions]
    .map(([session, lines]) => ({ session, ...sumOf(lines.filter((line) => isOf(budget, line))) }))
    .filter(({ at }) => at !== null)
    .toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0))
    // Nearly spent conversations are always listed.
    .filter(
      ({ at, spent }, index) => spent >= budget.limit * NEAR || (index < SESSIONS_MAX && now - (at ?? 0) < SESSION_MS),
    )
    .map((sum) => ({ ...budget, ...sum, id: idOf(budget, sum.session), endsAt: null }));

const isOf = ({ provider, agent, directory }: Budget, line: SpentLine): boolean =>
  (provider === null || provider === line.provider) &&
  (agent === null || agent === line.agent) &&
  (directory === null || isWithin(directory, line.directory));

export function idOf({ period, provider, agent, directory, limit }: Budget, name: string): string {
  const whose = [provider, agent, directory].map((each) => each ?? '*').join(' ');
  return `${period} ${name} ${whose} ${limit}`;
}

type Sum = Pick<Counted, 'spent' | 'pricedShare' | 'at' | 'place' | 'elsewhere'>;

const withOthers = (sum: Sum, nanos: number): Sum =>
  nanos === 0 ? sum : { ...sum, spent: dollarsOf(nanosOf(sum.spent) + nanos), elsewhere: dollarsOf(nanos) };

function sumOf(lines: readonly SpentLine[]): Sum {
  let nanos = 0;
  let tokens = 0;
  let priced = 0;
  let last: Pick<SpentLine, 'at' | 'directory'> | null = null;
  for (const line of lines) {
    const { at, cost, tokens: own } = line;
    nanos += nanosOf(cost ?? 0);
    tokens += own;
    if (cost !== null) priced += own;
    if (last === null || at >= last.at) last = line;
  }
  return {
    spent: dollarsOf(nanos),
    elsewhere: 0,
    pricedShare: tokens === 0 ? 1 : priced / tokens,
    at: last?.at ?? null,
    place: last?.directory ?? null,
  };
}
