import type { AccountRow, Near, WindowRow } from '../contract/headroom';
import { BUDGET_PERIODS, isMonth } from '../engine/names';
import { budgetTexts, headroomPageTexts, headroomTexts, spokenLanguage } from '../texts';
import { moneyPhrase } from './usage-words';
import { failurePhrase, knownFrom, measured, percent, remaining, shortName, when } from './wording';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** A part in whole percent, never rounded up to 100 %. */
export const partPhrase = (part: number): string =>
  percent(part < 1 ? Math.min(0.99, Math.round(part * 100) / 100) : Math.round(part * 100) / 100);

const figure = (count: number): string =>
  new Intl.NumberFormat(spokenLanguage(), { maximumFractionDigits: 0 }).format(count);

/** The counted time: "a minute", "a day", "in 5 h"; empty if unknown. */
function overPhrase(lengthMs: number | null): string {
  const t = headroomTexts().length;
  if (lengthMs === null) return '';
  if (isMonth(lengthMs)) return t.month;
  const names = { [MINUTE]: t.minute, [HOUR]: t.hour, [DAY]: t.day, [WEEK]: t.week };
  return names[lengthMs] ?? t.of(remaining(lengthMs));
}

/** The name of a plan's limit by its length: "5 h", "week". */
function planPhrase(lengthMs: number | null): string {
  const t = headroomTexts().plan;
  if (lengthMs === null) return t.unknown;
  if (lengthMs === WEEK) return t.week;
  if (lengthMs === DAY) return t.day;
  if (isMonth(lengthMs)) return t.month;
  if (lengthMs < 2 * HOUR && lengthMs !== HOUR) return remaining(lengthMs);
  return lengthMs < 2 * DAY ? t.hours(Math.round(lengthMs / HOUR)) : t.days(Math.round(lengthMs / DAY));
}

type Counted = Pick<WindowRow, 'unit' | 'lengthMs'>;

/** The counted unit of a window: "requests a minute", "5 h limit". */
function countedPhrase({ unit, lengthMs }: Counted): string {
  const { units, counted, window } = headroomTexts();
  if (unit === 'share') return window.ofPlan(planPhrase(lengthMs));
  return counted(units[unit], overPhrase(lengthMs));
}

type Windowed = Pick<WindowRow, 'unit' | 'lengthMs' | 'model' | 'family'>;

/** A window by its unit, and by its model if it has one: "week limit, opus". */
export function windowPhrase(window: Windowed): string {
  const what = countedPhrase(window);
  const whose = window.model === null ? window.family : shortName(window.model);
  return whose === null ? what : headroomTexts().window.ofModel(what, whose);
}

/** The name of an account: "anthropic", "openai (work)". */
export function accountPhrase({
  provider,
  label,
  isApart,
}: Pick<AccountRow, 'provider' | 'label' | 'isApart'>): string {
  const t = headroomTexts().account;
  const name = label === null ? provider : t.labelled(provider, label);
  return isApart ? t.apart(name) : name;
}

/** Marks a text about a limit that only Understudy counts. */
export const estimated = (text: string, isEstimate: boolean | undefined): string =>
  isEstimate ? headroomTexts().estimated(text) : text;

/** A window of an account within a sentence: "the anthropic week limit for opus". */
export function limitPhrase(
  account: Parameters<typeof accountPhrase>[0],
  window: Windowed & Pick<WindowRow, 'source'>,
): string {
  const t = headroomPageTexts().limit;
  const name = accountPhrase(account);
  const whose = window.model === null ? window.family : shortName(window.model);
  const limit =
    window.unit === 'share' ? t.ofPlan(name, planPhrase(window.lengthMs)) : t.counted(name, countedPhrase(window));
  return estimated(whose === null ? limit : t.ofModel(limit, whose), window.source !== 'provider');
}

/** The reason for a switch before a limit: "claude-sonnet-4-5 has used 97 % of its 5 h limit". */
export const nearPhrase = (model: string, near: Near): string =>
  near.code === 'headroom.drain' ? drainPhrase(model, near) : estimated(shortPhrase(model, near), near.isEstimate);

function shortPhrase(model: string, near: Near): string {
  const t = headroomTexts().near;
  const name = shortName(model);
  const { code, used, limit, remaining: left, needs } = near;
  const { unit } = near;
  if (unit === 'dollars') return budgetPhrase(near);
  const counted = countedPhrase({ ...near, unit });
  if (near.there) return t.emptier(near.there.account, spreadPhrase(model, near));
  if (code === 'headroom.refused') return t.refused(name, planPhrase(near.lengthMs));
  if (limit === null || left === null || unit === 'share') {
    const part = partPhrase(used);
    return (code === 'headroom.reserve' ? t.reserve : t.share)(name, part, limitOf(near));
  }
  if (code === 'headroom.tokens' && needs !== null)
    return t.needs(name, figure(left), figure(limit), counted, figure(needs));
  return t.left(name, figure(left), figure(limit), counted);
}

/** The effect of another plan's work: "gpt-5 has used 41 % of its week limit, and the rest would last about 9 h". */
export function drainPhrase(model: string, { used, unit, lengthMs, fullInMs = 0, isEstimate }: Near): string {
  const what = limitOf({ unit, lengthMs });
  // An estimate in hours needs no minutes.
  const lasts = fullInMs < 2 * HOUR ? Math.max(MINUTE, fullInMs) : Math.round(fullInMs / HOUR) * HOUR;
  const t = headroomTexts().near.drain(shortName(model), partPhrase(used), what, remaining(lasts));
  return estimated(t, isEstimate);
}

/** The reason for another account, which the sentence names: "… has used 72 % of its week limit here, 23 % there". */
export function spreadPhrase(model: string, { used, unit, lengthMs, there }: Near): string {
  const t = headroomTexts().near;
  const here = t.share(shortName(model), partPhrase(used), limitOf({ unit, lengthMs }));
  if (!there) return here;
  const isAlike = there.unit === unit && there.lengthMs === lengthMs;
  const part = partPhrase(there.used);
  return t.there(here, isAlike ? part : t.partOf(part, limitOf(there)));
}

/** The limit of a model: "week", "tokens a day". */
const limitOf = ({ unit, lengthMs }: Pick<Near, 'unit' | 'lengthMs'>): string =>
  unit === 'share' || unit === 'dollars' ? planPhrase(lengthMs) : countedPhrase({ unit, lengthMs });

/** A spent or nearly spent budget, or the reason why it cannot be counted. */
export function budgetPhrase({ code, used, limit, of }: Near): string {
  const t = budgetTexts();
  const all = limit ?? 0;
  const whose = of === undefined ? '' : t.whose(of);
  if (code === 'money.unpriced') return t.unpriced(moneyPhrase(all), whose);
  const period = BUDGET_PERIODS.find((each) => code.endsWith(`.${each}`)) ?? 'day';
  return t.spent[period](moneyPhrase(used * all), moneyPhrase(all), whose);
}

/** The reason why an agent uses another model than its primary. */
export const whyPhrase = (
  why: Readonly<{
    from: string;
    kind: Parameters<typeof failurePhrase>[1];
    status: number | null;
    near?: Near | undefined;
  }>,
): string => (why.near ? nearPhrase(why.from, why.near) : failurePhrase(why.from, why.kind, why.status));

/** The limiting window of an account: named by the provider, else the fullest; null without data. */
export function rulingOf({ windows }: Pick<AccountRow, 'windows'>): WindowRow | null {
  const filled = windows.filter(({ used }) => used !== null);
  const named = filled.find(({ isRuling }) => isRuling);
  return (
    named ?? filled.reduce<WindowRow | null>((a, b) => (a === null || (b.used ?? 0) > (a.used ?? 0) ? b : a), null)
  );
}

/** The usage of a window: "72 %", "72 % of 5,000". */
export function usedPhrase({ used, limit, unit }: Pick<WindowRow, 'used' | 'limit' | 'unit'>): string {
  const t = headroomTexts().window;
  if (used === null) return t.unknown;
  return limit === null || unit === 'share' ? partPhrase(used) : t.of(partPhrase(used), figure(limit));
}

/** The forecast and the reset of a window: "full about 15:34, resets 16:40". */
export function courseOf(
  { forecast, resetAt, isRefusing, isOverdrawable, source, machine }: WindowRow,
  now: number,
): string[] {
  const t = headroomTexts().window;
  return [
    ...(source === 'provider' ? [] : [t.estimate]),
    ...(isRefusing && !isOverdrawable ? [t.refusing] : []),
    ...(isOverdrawable ? [t.overdraws] : []),
    ...(forecast?.fullAt == null ? [] : [t.full(when(forecast.fullAt, now))]),
    ...(resetAt === null ? [] : [t.back(when(resetAt, now))]),
    ...(machine === undefined ? [] : [knownFrom(machine)]),
  ];
}

/** The age of a window's data: "updated 4 s ago". */
export function agePhrase({ seenAt }: Pick<WindowRow, 'seenAt'>, now: number): string {
  const t = headroomTexts().window;
  const agoMs = now - seenAt;
  if (agoMs < 2_000) return t.now;
  return t.seen(agoMs < MINUTE ? measured(Math.round(agoMs / 1_000) * 1_000) : remaining(agoMs));
}
