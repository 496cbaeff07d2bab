import type { AccountRow, Near, WindowRow } from '../../contract/headroom';
import {
  accountIn,
  type BudgetLevel,
  type EngineState,
  providerOf,
  type Shortage,
  unaccounted,
  unbooked,
  type Window,
} from '../../engine';
import { entries, forecastOf, get, isPlan, levelAt } from '../../engine/tools';
import { projectOf } from '../base/project';

/** How long a plan is displayed as unknown after its reset, in lengths of its window. */
const UNKNOWN_LENGTHS = 1;

type Moment = Readonly<{ state: EngineState; now: number; wallOf(engineMs: number): number }>;

export function accountRows({ state, now, wallOf }: Moment): AccountRow[] {
  const reported = entries(state.windows);
  const others = entries(state.counted).filter(([account]) => !get(state.windows, account));
  return [...reported, ...others.map(([account]) => [account, []] as const)]
    .flatMap(([account, reportedWindows]) => {
      const list = [...reportedWindows, ...(get(state.counted, account) ?? [])];
      const windows = list.flatMap((window) => windowRow(window, now, wallOf) ?? []).sort(inOrder);
      if (windows.length === 0) return [];
      const plain = unbooked(account);
      const provider = unaccounted(plain);
      return [{ account, provider, label: accountIn(plain), isApart: plain !== account, windows }];
    })
    .sort((a, b) => (a.account < b.account ? -1 : 1));
}

const inOrder = (a: WindowRow, b: WindowRow): number =>
  Number(b.isPlan) - Number(a.isPlan) || (a.lengthMs ?? 0) - (b.lengthMs ?? 0) || (a.id < b.id ? -1 : 1);

function windowRow(window: Window, now: number, wallOf: Moment['wallOf']): WindowRow | null {
  const level = levelAt(window, now);
  const isOfPlan = isPlan(window);
  const { resetAt, lengthMs, at } = window;
  const sinceMs = now - (resetAt ?? at);
  if (level === null && !(isOfPlan && lengthMs !== null && sinceMs < lengthMs * UNKNOWN_LENGTHS)) return null;
  const forecast = level === null ? null : forecastOf(window, now);
  const wall = (moment: number | null): number | null => (moment === null ? null : wallOf(moment));
  return {
    id: window.id,
    unit: window.unit,
    lengthMs,
    model: window.model,
    family: window.family,
    used: level?.used ?? null,
    limit: window.limit,
    remaining: level?.remaining ?? null,
    // After its reset a locally counted window is empty, and its next reset is unknown.
    resetAt: level === null || (resetAt ?? 0) <= now ? null : wall(resetAt),
    seenAt: wallOf(at),
    source: window.source,
    ...(window.machine === undefined ? {} : { machine: window.machine }),
    isRuling: window.isRuling,
    isOverdrawable: window.isOverdrawable,
    // A refusal does not outlast the reset.
    isRefusing: level !== null && window.isRefusing,
    isPlan: isOfPlan,
    ...(window.refills === 'evenly' ? { isRolling: true } : {}),
    forecast: forecast && {
      perHour: forecast.perHour,
      spread: forecast.spread,
      usedAtReset: forecast.usedAtReset,
      fullAt: wall(forecast.fullAt),
      soonestAt: wall(forecast.soonestAt),
      latestAt: wall(forecast.latestAt),
    },
  };
}

const whose = (of: string | undefined): Pick<Near, 'of'> =>
  of === undefined ? {} : { of: /[\\/]/.test(of) ? projectOf(of) : of };

export function budgetNear(level: Omit<BudgetLevel, 'isAllowed' | 'until'>): Near {
  const { period, provider, agent, directory, limit, spent } = level;
  const of = provider ?? agent ?? directory;
  return {
    code: `money.${period}`,
    window: `money.${period}`,
    unit: 'dollars',
    lengthMs: null,
    used: spent / limit,
    limit,
    remaining: Math.max(0, limit - spent),
    needs: null,
    ...whose(of ?? undefined),
  };
}

const thereOf = ({ model, unit, lengthMs, used }: NonNullable<Shortage['there']>): Near['there'] => ({
  account: providerOf(model),
  unit,
  lengthMs,
  used,
});

export const nearOf = (short: Shortage): Near => {
  const { code, window, unit, lengthMs, used, limit, remaining, needs, of, fullInMs, there, isEstimate } = short;
  return {
    ...whose(of),
    ...(fullInMs === undefined ? {} : { fullInMs }),
    ...(there === undefined ? {} : { there: thereOf(there) }),
    ...(isEstimate ? { isEstimate } : {}),
    // The id of a budget contains a folder.
    code,
    window: unit === 'dollars' ? code : window,
    unit,
    lengthMs,
    used,
    limit,
    remaining,
    needs,
  };
};
