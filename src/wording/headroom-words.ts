import type { AccountRow, Near, WindowRow } from '../contract/headroom';
import { BUDGET_PERIODS, isMonth } from '../engine/names';
import { budgetTexts, headroomPageTexts, headroomTexts, spokenLanguage } from '../texts';
import { moneyPhrase } from './usage-words';
import { failurePhrase, knownFrom, measured, percent, remaining, shortName, when } from './wording';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** A part in whole percent, never rounded up to all of it. */
export const partPhrase = (part: number): string =>
  percent(part < 1 ? Math.min(0.99, Math.round(part * 100) / 100) : Math.round(part * 100) / 100);

const figure = (count: number): string =>
  new Intl.NumberFormat(spokenLanguage(), { maximumFractionDigits: 0 }).format(count);

/** "a minute", "a day", "in 5 h": over which time something is counted; empty where nobody knows. */
function overPhrase(lengthMs: number | null): string {
  const said = headroomTexts().length;
  if (lengthMs === null) return '';
  if (isMonth(lengthMs)) return said.month;
  const known = { [MINUTE]: said.minute, [HOUR]: said.hour, [DAY]: said.day, [WEEK]: said.week };
  return known[lengthMs] ?? said.of(remaining(lengthMs));
}

/** "5 h", "week": what a plan's limit is called by its length. */
function planPhrase(lengthMs: number | null): string {
  const said = headroomTexts().plan;
  if (lengthMs === null) return said.unknown;
  if (lengthMs === WEEK) return said.week;
  if (lengthMs === DAY) return said.day;
  if (isMonth(lengthMs)) return said.month;
  if (lengthMs < 2 * HOUR && lengthMs !== HOUR) return remaining(lengthMs);
  return lengthMs < 2 * DAY ? said.hours(Math.round(lengthMs / HOUR)) : said.days(Math.round(lengthMs / DAY));
}

type Counted = Pick<WindowRow, 'unit' | 'lengthMs'>;

/** "requests a minute", "5 h": what a window counts. */
function countedPhrase({ unit, lengthMs }: Counted): string {
  const { units, counted, window } = headroomTexts();
  if (unit === 'share') return window.ofPlan(planPhrase(lengthMs));
  return counted(units[unit], overPhrase(lengthMs));
}

type Windowed = Pick<WindowRow, 'unit' | 'lengthMs' | 'model' | 'family'>;

/** "week, opus": a window by what it counts, and of whom where it is not of all. */
export function windowPhrase(window: Windowed): string {
  const what = countedPhrase(window);
  const whose = window.model === null ? window.family : shortName(window.model);
  return whose === null ? what : headroomTexts().window.ofModel(what, whose);
}

/** "anthropic", "openai (work)": an account as people are shown it. */
export function accountPhrase({
  provider,
  label,
  isApart,
}: Pick<AccountRow, 'provider' | 'label' | 'isApart'>): string {
  const said = headroomTexts().account;
  const name = label === null ? provider : said.labelled(provider, label);
  return isApart ? said.apart(name) : name;
}

/** Marks what is said of a limit that nobody but ourselves has counted. */
export const estimated = (said: string, isEstimate: boolean | undefined): string =>
  isEstimate ? headroomTexts().estimated(said) : said;

/** "the anthropic week limit for opus": a window of an account within a sentence. */
export function limitPhrase(
  account: Parameters<typeof accountPhrase>[0],
  window: Windowed & Pick<WindowRow, 'source'>,
): string {
  const said = headroomPageTexts().limit;
  const name = accountPhrase(account);
  const whose = window.model === null ? window.family : shortName(window.model);
  const limit =
    window.unit === 'share'
      ? said.ofPlan(name, planPhrase(window.lengthMs))
      : said.counted(name, countedPhrase(window));
  return estimated(whose === null ? limit : said.ofModel(limit, whose), window.source !== 'provider');
}

/** "claude-sonnet-4-5 has used 97 % of its 5 h limit": why a model was left before it refused. */
export const nearPhrase = (model: string, near: Near): string =>
  near.code === 'headroom.drain' ? drainPhrase(model, near) : estimated(shortPhrase(model, near), near.isEstimate);

function shortPhrase(model: string, near: Near): string {
  const said = headroomTexts().near;
  const name = shortName(model);
  const { code, used, limit, remaining: left, needs } = near;
  const { unit } = near;
  if (unit === 'dollars') return budgetPhrase(near);
  const counted = countedPhrase({ ...near, unit });
  if (near.there) return said.emptier(near.there.account, spreadPhrase(model, near));
  if (code === 'headroom.refused') return said.refused(name, planPhrase(near.lengthMs));
  if (limit === null || left === null || unit === 'share') {
    const part = partPhrase(used);
    return (code === 'headroom.reserve' ? said.reserve : said.share)(name, part, limitOf(near));
  }
  if (code === 'headroom.tokens' && needs !== null)
    return said.needs(name, figure(left), figure(limit), counted, figure(needs));
  return said.left(name, figure(left), figure(limit), counted);
}

/** "gpt-5 has used 41 % of its week limit, and the rest would last about 9 h": what another plan's work would do to it. */
export function drainPhrase(model: string, { used, unit, lengthMs, fullInMs = 0, isEstimate }: Near): string {
  const what = limitOf({ unit, lengthMs });
  // A guess of hours has no minutes.
  const lasts = fullInMs < 2 * HOUR ? Math.max(MINUTE, fullInMs) : Math.round(fullInMs / HOUR) * HOUR;
  const said = headroomTexts().near.drain(shortName(model), partPhrase(used), what, remaining(lasts));
  return estimated(said, isEstimate);
}

/** "claude-sonnet-4-5 has used 72 % of its week limit, there 23 %": why it is asked by another account, which the sentence names. */
export function spreadPhrase(model: string, { used, unit, lengthMs, there }: Near): string {
  const said = headroomTexts().near;
  const here = said.share(shortName(model), partPhrase(used), limitOf({ unit, lengthMs }));
  if (!there) return here;
  const isAlike = there.unit === unit && there.lengthMs === lengthMs;
  const part = partPhrase(there.used);
  return said.there(here, isAlike ? part : said.partOf(part, limitOf(there)));
}

/** "week", "tokens a day": which limit of a model it is. */
const limitOf = ({ unit, lengthMs }: Pick<Near, 'unit' | 'lengthMs'>): string =>
  unit === 'share' || unit === 'dollars' ? planPhrase(lengthMs) : countedPhrase({ unit, lengthMs });

/** "$5.12 of today’s $5.00 are spent": a budget that is spent, or nearly, or why it could not be held. */
export function budgetPhrase({ code, used, limit, of }: Near): string {
  const said = budgetTexts();
  const all = limit ?? 0;
  const whose = of === undefined ? '' : said.whose(of);
  if (code === 'money.unpriced') return said.unpriced(moneyPhrase(all), whose);
  const period = BUDGET_PERIODS.find((each) => code.endsWith(`.${each}`)) ?? 'day';
  return said.spent[period](moneyPhrase(used * all), moneyPhrase(all), whose);
}

/** Why another model than its lead speaks for an agent. */
export const whyPhrase = (
  why: Readonly<{
    from: string;
    kind: Parameters<typeof failurePhrase>[1];
    status: number | null;
    near?: Near | undefined;
  }>,
): string => (why.near ? nearPhrase(why.from, why.near) : failurePhrase(why.from, why.kind, why.status));

/** The window of an account that rules: the one its provider names, else the fullest; null where none is known. */
export function rulingOf({ windows }: Pick<AccountRow, 'windows'>): WindowRow | null {
  const known = windows.filter(({ used }) => used !== null);
  const named = known.find(({ isRuling }) => isRuling);
  return named ?? known.reduce<WindowRow | null>((a, b) => (a === null || (b.used ?? 0) > (a.used ?? 0) ? b : a), null);
}

/** "72 %", "72 % of 5,000": how full a window is. */
export function usedPhrase({ used, limit, unit }: Pick<WindowRow, 'used' | 'limit' | 'unit'>): string {
  const said = headroomTexts().window;
  if (used === null) return said.unknown;
  return limit === null || unit === 'share' ? partPhrase(used) : said.of(partPhrase(used), figure(limit));
}

/** "full about 15:34, back 16:40": where a window is heading, and when it begins anew. */
export function courseOf(
  { forecast, resetAt, isRefusing, isOverdrawable, source, machine }: WindowRow,
  now: number,
): string[] {
  const said = headroomTexts().window;
  return [
    ...(source === 'provider' ? [] : [said.estimate]),
    ...(isRefusing && !isOverdrawable ? [said.refusing] : []),
    ...(isOverdrawable ? [said.overdraws] : []),
    ...(forecast?.fullAt == null ? [] : [said.full(when(forecast.fullAt, now))]),
    ...(resetAt === null ? [] : [said.back(when(resetAt, now))]),
    ...(machine === undefined ? [] : [knownFrom(machine)]),
  ];
}

/** "heard 4 s ago": how old what is known of a window is. */
export function agePhrase({ seenAt }: Pick<WindowRow, 'seenAt'>, now: number): string {
  const said = headroomTexts().window;
  const agoMs = now - seenAt;
  if (agoMs < 2_000) return said.now;
  return said.seen(agoMs < MINUTE ? measured(Math.round(agoMs / 1_000) * 1_000) : remaining(agoMs));
}
