import type { AccountRow, WindowRow } from '../contract/headroom';
import { headroomPageTexts, headroomTexts } from '../texts';
import { accountPhrase, courseOf, limitPhrase, partPhrase, usedPhrase, windowPhrase } from './headroom-words';
import { remaining, when } from './wording';

/** From this part of a plan on it is told beside what needs somebody. */
const NEAR = 0.5;
/** From this part on hardly anything is left. */
const FULL = 0.97;

export type LimitOf = Readonly<{ account: AccountRow; window: WindowRow }>;
/** What the view opens with: one sentence, and what there is to say of it. */
type Headline = Readonly<{ title: string; lede: string }>;

/** Whether it has begun anew, or has gone by, since it was heard of. */
const isPast = ({ resetAt, lengthMs, seenAt }: WindowRow, now: number): boolean =>
  resetAt === null ? lengthMs !== null && now - seenAt >= lengthMs : now >= resetAt;

/**
 * A window as it is known at `now`, in wall-clock ms, which may be later than the snapshot: nothing once it has begun anew, but for
 * what we count ourselves, which is empty then.
 */
function windowAt(window: WindowRow, now: number): WindowRow {
  if (window.used === null || isPast(window, now)) {
    const level = window.source === 'provider' ? { used: null, remaining: null } : { used: 0, remaining: window.limit };
    return { ...window, ...level, resetAt: null, forecast: null, isRefusing: false };
  }
  const { forecast } = window;
  // What is full is not about to be, and what should be full by now and was not heard of is a guess no longer worth telling.
  const isTold = forecast?.fullAt == null || (window.used < 1 && forecast.fullAt > now);
  return isTold ? window : { ...window, forecast: null };
}

/** The accounts as they are known at `now`; what refills within minutes is left out once it has. */
export const accountsAt = (accounts: readonly AccountRow[], now: number): readonly AccountRow[] =>
  accounts.flatMap((account) => {
    const windows = account.windows
      .map((window) => windowAt(window, now))
      .filter(({ used, isPlan }) => used !== null || isPlan);
    return windows.length === 0 ? [] : [{ ...account, windows }];
  });

/** When the first of these changes by the clock alone, in wall-clock ms; null where none does. */
export function nextTurnOf(accounts: readonly AccountRow[], now: number): number | null {
  const turns = accounts.flatMap(({ windows }) =>
    windows.flatMap(({ resetAt, forecast }) => [resetAt ?? now, forecast?.fullAt ?? now]),
  );
  const ahead = turns.filter((at) => at > now);
  return ahead.length === 0 ? null : Math.min(...ahead);
}

/**
 * The part of a plan's time that has passed, where it is known how long it is and when it ends: an even pace. What refills
 * all the time has none.
 */
export function passedPart({ lengthMs, resetAt, isPlan, isRolling }: WindowRow, now: number): number | null {
  if (lengthMs === null || resetAt === null || !isPlan || isRolling) return null;
  return Math.min(1, Math.max(0, 1 - (resetAt - now) / lengthMs));
}

const isRefused = ({ isRefusing, isOverdrawable }: WindowRow): boolean => isRefusing && !isOverdrawable;

/** Whether hardly anything is left of it, or its provider refuses. */
export const isFull = (window: WindowRow): boolean => isRefused(window) || (window.used ?? 0) >= FULL;

/** How bad it is, the worst first. */
function rankOf(window: WindowRow): number {
  if (isRefused(window)) return 0;
  if (isFull(window)) return 1;
  return window.forecast?.fullAt == null ? 3 : 2;
}
/** From this rank on nothing is wrong yet. */
const WELL = 3;

const worstFirst = ({ window: a }: LimitOf, { window: b }: LimitOf): number =>
  rankOf(a) - rankOf(b) ||
  (a.forecast?.fullAt ?? 0) - (b.forecast?.fullAt ?? 0) ||
  (b.used ?? 0) - (a.used ?? 0) ||
  (b.resetAt ?? 0) - (a.resetAt ?? 0);

/** Every plan of which something is known, and whatever refuses, the worst first. */
const plansIn = (accounts: readonly AccountRow[]): readonly LimitOf[] =>
  accounts
    .flatMap((account) => account.windows.map((window) => ({ account, window })))
    .filter(({ window }) => window.used !== null && (window.isPlan || isRefused(window)))
    .sort(worstFirst);

/** Every plan that begins anew, by account, whether or not anything is known of it now. */
export const planLimits = (accounts: readonly AccountRow[]): readonly LimitOf[] =>
  accounts.flatMap((account) =>
    account.windows.filter(({ isPlan, isRolling }) => isPlan && !isRolling).map((window) => ({ account, window })),
  );

/** Names a limit among all of them. */
export const limitKey = ({ account, window }: LimitOf): string =>
  JSON.stringify([account.account, window.id, window.model]);

/** What is half used or more, refused, or full before its reset, the worst first: what other views show of limits. */
export const nearPlans = (accounts: readonly AccountRow[]): readonly LimitOf[] =>
  plansIn(accounts).filter(({ window }) => rankOf(window) < WELL || (window.used ?? 0) >= NEAR);

/** What the view of limits opens with, of accounts as they are known at `now`: the worst of them first. */
export function headroomHeadline(accounts: readonly AccountRow[], now: number): Headline {
  const { title, lede } = headroomPageTexts();
  const plans = plansIn(accounts);
  const [first] = plans;
  const unknown = accounts.flatMap(({ windows }) => windows).filter(({ used }) => used === null).length;
  const doubt = unknown === 0 ? '' : lede.unknown(unknown);
  if (!first) return withoutPlans(accounts, doubt);
  const [, second, ...others] = plans.filter(({ window }) => rankOf(window) < WELL);
  if (rankOf(first.window) < WELL) {
    const more = [second ? titleOf(second, now) : '', others.length === 0 ? '' : lede.more(others.length)];
    const told = [ownLede(first.window, now), ...more, doubt];
    return { title: titleOf(first, now), lede: told.filter(Boolean).join(' ') };
  }
  const limit = limitPhrase(first.account, first.window);
  const used = usedPhrase(first.window);
  if ((first.window.used ?? 0) >= NEAR) return { title: title.fullest(limit, used), lede: doubt };
  const told = [lede.fullestShort(limit, used), doubt].filter(Boolean).join(' ');
  return { title: unknown === 0 ? title.calm : title.calmOfKnown, lede: told };
}

function withoutPlans(accounts: readonly AccountRow[], doubt: string): Headline {
  const { title, lede } = headroomPageTexts();
  if (accounts.length === 0) return { title: title.none, lede: headroomTexts().none };
  if (doubt !== '') return { title: title.unknown, lede: doubt };
  const [fullest] = accounts
    .flatMap((account) => account.windows.map((window) => ({ account, window })))
    .sort(worstFirst);
  const said = fullest && lede.fullestShort(limitPhrase(fullest.account, fullest.window), usedPhrase(fullest.window));
  return { title: title.short, lede: said ?? '' };
}

function titleOf({ account, window }: LimitOf, now: number): string {
  const { title } = headroomPageTexts();
  const { used, resetAt, forecast } = window;
  const limit = limitPhrase(account, window);
  const until = resetAt === null ? '' : when(resetAt, now);
  if (isRefused(window)) return title.refused(limit, until);
  if ((used ?? 0) >= 1) return title.all(limit, until);
  if (isFull(window) || forecast?.fullAt == null) return title.nearly(limit, partPhrase(used ?? 0), until);
  const before = resetAt === null ? '' : remaining(resetAt - forecast.fullAt);
  return title.ahead(limit, when(forecast.fullAt, now), before);
}

function ownLede(window: WindowRow, now: number): string {
  const { lede } = headroomPageTexts();
  const band = isFull(window) ? '' : bandPhrase(window, now);
  return [band, window.isOverdrawable ? lede.overdraws : ''].filter(Boolean).join(' ');
}

/** Between when and when it is full, as far as its pace goes up and down; empty where that is one time, or not known. */
function bandPhrase({ forecast }: WindowRow, now: number): string {
  const { lede } = headroomPageTexts();
  if (forecast?.fullAt == null || forecast.soonestAt === null) return '';
  const from = when(Math.max(now, forecast.soonestAt), now);
  if (forecast.latestAt === null) return lede.from(from);
  const to = when(forecast.latestAt, now);
  return from === to ? '' : lede.band(from, to);
}

/** "72 % used, 60 % of its time has passed, …": all that a bar shows of a window, for who does not see it. */
export function barPhrase(limit: LimitOf, now: number): string {
  const { account, window } = limit;
  const said = headroomPageTexts().bar;
  const passed = passedPart(window, now);
  return [
    `${accountPhrase(account)}, ${windowPhrase(window)}: ${said.used(usedPhrase(window))}`,
    ...(passed === null ? [] : [said.passed(partPhrase(passed))]),
    ...(passed !== null && (window.used ?? 0) > passed ? [said.isAhead] : []),
    ...courseOf(window, now),
  ].join(', ');
}

/** "back 16:40": when a window begins anew; empty where nobody knows. */
export const backPhrase = ({ resetAt }: WindowRow, now: number): string =>
  resetAt === null ? '' : headroomTexts().window.back(when(resetAt, now));

/** "full about 15:34": where a window is heading, but for when it begins anew. */
export const notesOf = (window: WindowRow, now: number): readonly string[] =>
  courseOf({ ...window, resetAt: null }, now);
