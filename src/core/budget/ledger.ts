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

/** A line of a file that was found with a time in the future: `foundAt` counts as its time until its own has come. Unix ms. */
type Dated = SpentLine & Readonly<{ foundAt?: number | undefined }>;

const timeOf = ({ at, foundAt }: Dated, now: number): number => (at > now && foundAt !== undefined ? foundAt : at);

/** One amount that a user's file sets: for whom, for how long, and what happens when it is spent. US dollars. */
export type Budget = Readonly<{
  period: BudgetPeriod;
  action: BudgetAction;
  /** Whose spending it is for; null is everybody's. */
  provider: string | null;
  agent: string | null;
  directory: string | null;
  limit: number;
  /** With `degrade`: US dollars that a million tokens of answer may cost; null where it is enough to cost less than the lead. */
  maxPrice: number | null;
}>;

/** How much of a budget is spent. */
export type Counted = Budget &
  Readonly<{
    /** Names it in this period of it; another limit is another budget. */
    id: string;
    session: string | null;
    spent: number;
    /** The share of the tokens of which a price is known; 1 where there are none. */
    pricedShare: number;
    /** When it begins anew, Unix ms; null for one that does not. */
    endsAt: number | null;
    isAllowed: boolean;
    allowsUnpriced?: boolean | undefined;
    /** Of the last step that counts, Unix ms, and its folder; null for none. */
    at: number | null;
    place: string | null;
    /** The part that other machines of a fleet have spent. */
    elsewhere: number;
  }>;

/** What was spent, as far back as a week and as conversations go on. */
export type Ledger = Readonly<{
  add(line: LedgerLine & Readonly<{ foundAt?: number }>): void;
  /**
   * How much of each budget is spent at a moment, Unix ms. Of those of a conversation there is one each that spent something lately.
   * `lost` are the estimates of requests that a process left open when it ended.
   */
  count(
    budgets: readonly Budget[],
    now: number,
    by: Readonly<{ offsetAt: OffsetAt; elsewhere?: Elsewhere; lost?: readonly SpentLine[] }>,
  ): readonly Counted[];
  hours(account: string, now: number): Hours;
}>;

/** A week of the calendar, and the clocks that may be set in it. */
const KEPT_MS = 9 * 86_400_000;
/** Conversations that are told of: those that spent something in the last day, the latest of them. */
const SESSION_MS = 86_400_000;
const SESSIONS_MAX = 50;
const ALLOWED_MAX = 500;
/** The part of a budget from which on it is nearly spent. */
export const NEAR = 0.8;

/** A ledger without entries. */
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
        // A clock that was set back must not make anything unspent: what is to come soon is counted as of now.
        const endsBy = endsAt + (endsAt - beginsAt);
        const isIn = (at: number): boolean => at >= beginsAt && at < endsBy;
        const own = all.filter((line) => isOf(budget, line) && isIn(timeOf(line, now)));
        const { provider } = budget;
        // What others spend on an account they share is no matter of a budget for all that is spent here.
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
    // What is nearly spent is so for as long as its conversation is; of all others the latest are told.
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
