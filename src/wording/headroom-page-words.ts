import type { AccountRow, WindowRow } from '../contract/headroom';
import { headroomPageTexts, headroomTexts } from '../texts';
import { accountPhrase, courseOf, limitPhrase, partPhrase, usedPhrase, windowPhrase } from './headroom-words';
import { remaining, when } from './wording';

/** Usage from which other views show a plan. */
const NEAR = 0.5;
/** Usage from which a window counts as full. */
const FULL = 0.97;

export type LimitOf = Readonly<{ account: AccountRow; window: WindowRow }>;
/** The headline of the view, and the sentence under it. */
type Headline = Readonly<{ title: string; lede: string }>;

/** True if the window has reset or ended since its last report. */
const isPast = ({ resetAt, lengthMs, seenAt }: WindowRow, now: number): boolean =>
  resetAt === null ? lengthMs !== null && now - seenAt >= lengthMs : now >= resetAt;

/**
 * A window at `now`, in wall-clock ms, which may be later than the snapshot. After a reset its usage is unknown, or empty if
 * Understudy counts it.
 */
function windowAt(window: WindowRow, now: number): WindowRow {
  if (window.used === null || isPast(window, now)) {
    const level = window.source === 'provider' ? { used: null, remaining: null } : { used: 0, remaining: window.limit };
    return { ...window, ...level, resetAt: null, forecast: null, isRefusing: false };
  }
  const { forecast } = window;
  // A full window needs no forecast, and an overdue forecast was wrong.
  const isCurrent = forecast?.fullAt == null || (window.used < 1 && forecast.fullAt > now);
  return isCurrent ? window : { ...window, forecast: null };
}

/** The accounts at `now`, without windows that have refilled. */
export const accountsAt = (accounts: readonly AccountRow[], now: number): readonly AccountRow[] =>
  accounts.flatMap((account) => {
    const windows = account.windows
      .map((window) => windowAt(window, now))
      .filter(({ used, isPlan }) => used !== null || isPlan);
    return windows.length === 0 ? [] : [{ ...account, windows }];
  });

/** The time of the next change without a report, in wall-clock ms; null for none. */
export function nextTurnOf(accounts: readonly AccountRow[], now: number): number | null {
  const turns = accounts.flatMap(({ windows }) =>
    windows.flatMap(({ resetAt, forecast }) => [resetAt ?? now, forecast?.fullAt ?? now]),
  );
  const ahead = turns.filter((at) => at > now);
  return ahead.length === 0 ? null : Math.min(...ahead);
}

/**
 * The part of a plan's time that has passed; null if its length or end is unknown, and for rolling windows.
 */
export function passedPart({ lengthMs, resetAt, isPlan, isRolling }: WindowRow, now: number): number | null {
  if (lengthMs === null || resetAt === null || !isPlan || isRolling) return null;
  return Math.min(1, Math.max(0, 1 - (resetAt - now) / lengthMs));
}

const isRefused = ({ isRefusing, isOverdrawable }: WindowRow): boolean => isRefusing && !isOverdrawable;

/** True if the window is nearly used up, or its provider refuses requests. */
export const isFull = (window: WindowRow): boolean => isRefused(window) || (window.used ?? 0) >= FULL;

/** The severity of a window; 0 is the worst. */
function rankOf(window: WindowRow): number {
  if (isRefused(window)) return 0;
  if (isFull(window)) return 1;
  return window.forecast?.fullAt == null ? 3 : 2;
}
/** The rank without a problem. */
const WELL = 3;

const worstFirst = ({ window: a }: LimitOf, { window: b }: LimitOf): number =>
  rankOf(a) - rankOf(b) ||
  (a.forecast?.fullAt ?? 0) - (b.forecast?.fullAt ?? 0) ||
  (b.used ?? 0) - (a.used ?? 0) ||
  (b.resetAt ?? 0) - (a.resetAt ?? 0);

/** Plans with data and refusing windows, the worst first. */
const plansIn = (accounts: readonly AccountRow[]): readonly LimitOf[] =>
  accounts
    .flatMap((account) => account.windows.map((window) => ({ account, window })))
    .filter(({ window }) => window.used !== null && (window.isPlan || isRefused(window)))
    .sort(worstFirst);

/** Plans with a reset, by account, with or without data. */
export const planLimits = (accounts: readonly AccountRow[]): readonly LimitOf[] =>
  accounts.flatMap((account) =>
    account.windows.filter(({ isPlan, isRolling }) => isPlan && !isRolling).map((window) => ({ account, window })),
  );

/** A unique key of a limit. */
export const limitKey = ({ account, window }: LimitOf): string =>
  JSON.stringify([account.account, window.id, window.model]);

/** Plans that other views show: half used or more, refused, or full before the reset; the worst first. */
export const nearPlans = (accounts: readonly AccountRow[]): readonly LimitOf[] =>
  plansIn(accounts).filter(({ window }) => rankOf(window) < WELL || (window.used ?? 0) >= NEAR);

/** The headline of the view of limits at `now`, about the worst one. */
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
    const sentences = [ownLede(first.window, now), ...more, doubt];
    return { title: titleOf(first, now), lede: sentences.filter(Boolean).join(' ') };
  }
  const limit = limitPhrase(first.account, first.window);
  const used = usedPhrase(first.window);
  if ((first.window.used ?? 0) >= NEAR) return { title: title.fullest(limit, used), lede: doubt };
  const text = [lede.fullestShort(limit, used), doubt].filter(Boolean).join(' ');
  return { title: unknown === 0 ? title.calm : title.calmOfKnown, lede: text };
}

function withoutPlans(accounts: readonly AccountRow[], doubt: string): Headline {
  const { title, lede } = headroomPageTexts();
  if (accounts.length === 0) return { title: title.none, lede: headroomTexts().none };
  if (doubt !== '') return { title: title.unknown, lede: doubt };
  const [fullest] = accounts
    .flatMap((account) => account.windows.map((window) => ({ account, window })))
    .sort(worstFirst);
  const text = fullest && lede.fullestShort(limitPhrase(fullest.account, fullest.window), usedPhrase(fullest.window));
  return { title: title.short, lede: text ?? '' };
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

/** The range of times at which a window is full; empty if it is one time or unknown. */
function bandPhrase({ forecast }: WindowRow, now: number): string {
  const { lede } = headroomPageTexts();
  if (forecast?.fullAt == null || forecast.soonestAt === null) return '';
  const from = when(Math.max(now, forecast.soonestAt), now);
  if (forecast.latestAt === null) return lede.from(from);
  const to = when(forecast.latestAt, now);
  return from === to ? '' : lede.band(from, to);
}

/** The accessible description of a bar: "72 % used, 60 % of its time has passed, …". */
export function barPhrase(limit: LimitOf, now: number): string {
  const { account, window } = limit;
  const t = headroomPageTexts().bar;
  const passed = passedPart(window, now);
  return [
    `${accountPhrase(account)}, ${windowPhrase(window)}: ${t.used(usedPhrase(window))}`,
    ...(passed === null ? [] : [t.passed(partPhrase(passed))]),
    ...(passed !== null && (window.used ?? 0) > passed ? [t.isAhead] : []),
    ...courseOf(window, now),
  ].join(', ');
}

/** "resets 16:40"; empty if unknown. */
export const backPhrase = ({ resetAt }: WindowRow, now: number): string =>
  resetAt === null ? '' : headroomTexts().window.back(when(resetAt, now));

/** The notes of a window without its reset: "full about 15:34". */
export const notesOf = (window: WindowRow, now: number): readonly string[] =>
  courseOf({ ...window, resetAt: null }, now);
