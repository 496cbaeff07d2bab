import type { SeenWindow } from '../../engine';
import { type Collected, type Figures, figuresOf, mayHoldSecret } from './collect';
import type { Dialect } from './dialect-schema';
import { isBeyond, monthBeforeMs, type Reset } from './figures';
import type { Reader } from './reader';

const USED_MAX = 10;
const LENGTH_FAMILY = /^(\d{1,3})([mhd])(?:_([a-z][a-z0-9_]{1,39}))?$/;
const LENGTH_UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const FAMILY = /^[a-z0-9][a-z0-9._:-]{1,59}$/;

export type Response = Readonly<{
  provider: string;
  seenAt: number;
  said: ReadonlyMap<string, string>;
}>;

export function windowsOf(reader: Reader, collected: Collected, response: Response): readonly SeenWindow[] {
  const { dialect } = reader;
  const ruling = rulingIn(dialect, collected, response);
  const names = new Map([...collected.values()].map((figures) => [figures.limitName, familyOf(collected, figures)]));
  const active = activeIn(dialect, response);
  const windows: SeenWindow[] = [];
  for (const figures of collected.values()) {
    if (active !== null && figures.limitName === '' && names.has(active)) continue;
    const window = windowOf(reader, figures, {
      response,
      ruling,
      active,
      family: names.get(figures.limitName) ?? null,
    });
    if (window) windows.push(window);
  }
  return windows;
}

type Around = Readonly<{ response: Response; ruling: string | null; active: string | null; family: string | null }>;

function windowOf(reader: Reader, figures: Figures, around: Around): SeenWindow | null {
  const { dialect } = reader;
  const { response, ruling } = around;
  const own = ownOf(dialect.windows, figures.window);
  const of = ofWhom(dialect, figures, around);
  const unit = figures.unit === undefined ? (own?.unit ?? dialect.window.unit) : ownOf(dialect.units, figures.unit);
  if (figures.isUnclear || of === null || unit === undefined) return null;
  const reset = figures.relative ?? figures.absolute ?? null;
  if (reset === null && figures.isPast) return null;
  const standsApart = own?.standsApart === true;
  const isRefused = !standsApart && refuses(dialect, figures);
  const level = levelOf(figures, reset, isRefused);
  if (level === null) return null;
  const resetInMs = resetInMsOf(reset, level.used);
  const overdraws = goesOn(dialect, figures, response, isRefused);
  const lengthMs = lengthOf(reader, figures, resetInMs, response);
  return {
    id: idOf(dialect, figures, lengthMs),
    unit,
    lengthMs,
    of,
    ...level,
    resetInMs,
    refills: own?.refills ?? dialect.window.refills,
    charges: own?.charges ?? dialect.window.charges,
    ...(ruling === figures.window && !standsApart ? { isRuling: true } : {}),
    ...(isRefused && !overdraws ? { isRefusing: true } : {}),
    ...(overdraws ? { isOverdrawable: true } : {}),
    ...(standsApart ? { isShownOnly: true } : {}),
  };
}

/** The provider chose the name: `constructor` must not match. */
const ownOf = <Value>(values: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;

type Level = Pick<SeenWindow, 'used' | 'limit' | 'remaining'>;

function levelOf(figures: Figures, reset: Reset | null, isRefused: boolean): Level | null {
  const { limit = null, used = null, over = 0 } = figures;
  if (limit !== null && figures.remaining !== undefined) {
    const remaining = Math.min(figures.remaining, limit);
    return { used: rounded(1 - remaining / limit), limit, remaining };
  }
  if (used !== null) {
    // A provider without this window writes zeros for all of it.
    const isAnything = used > 0 || limit !== null || reset !== null || figures.lengthMs !== undefined;
    if (!isAnything && figures.status.length === 0) return null;
    const spent = used + (limit === null ? 0 : over / limit);
    return asLevel(spent, limit, limit === null ? null : limit * (1 - Math.min(1, used)));
  }
  // Nothing is left until the reset, whatever the limit.
  if (figures.remaining === 0 && reset !== null && reset.inMs > 0) return asLevel(1, null, null);
  return isRefused ? asLevel(1, null, null) : null;
}

const asLevel = (used: number, limit: number | null, remaining: number | null): Level => ({
  used: rounded(Math.min(USED_MAX, used)),
  limit,
  remaining: remaining === null ? null : rounded(remaining),
});

const rounded = (number: number): number => Math.round(number * 1e9) / 1e9;

/** A window in use cannot reset at once: a relative 0 means unknown. */
const resetInMsOf = (reset: Reset | null, used: number): number | null =>
  reset === null || (reset.isRelative && reset.inMs === 0 && used > 0) ? null : reset.inMs;

function lengthOf(reader: Reader, figures: Figures, resetInMs: number | null, response: Response): number | null {
  const { dialect, lengths } = reader;
  const given =
    figures.lengthMs ??
    policyLength(figures) ??
    ownOf(lengths.get(response.provider), figures.window) ??
    ownOf(dialect.windows, figures.window)?.lengthMs ??
    lengthOfName(dialect, figures.window) ??
    dialect.window.lengthMs ??
    null;
  if (given === 'month') return resetInMs === null ? null : monthBeforeMs(response.seenAt + resetInMs);
  return given !== null && resetInMs !== null && isBeyond(resetInMs, given) ? null : given;
}

function policyLength({ policies, limit }: Figures): number | null {
  const fitting = policies.length === 1 ? policies : policies.filter(({ quota }) => quota === limit);
  return fitting.length === 1 ? (fitting[0]?.lengthMs ?? null) : null;
}

function lengthOfName({ otherWindows }: Dialect, window: string): number | null {
  const [, figure, unit = ''] = (otherWindows === 'length_family' && LENGTH_FAMILY.exec(window)) || [];
  return figure === undefined ? null : Number(figure) * (LENGTH_UNIT_MS[unit] ?? 0) || null;
}

/** Null for unnamed models. */
function ofWhom(dialect: Dialect, figures: Figures, { family, active }: Around): SeenWindow['of'] | null {
  if (figures.limitName !== '') {
    if (family !== null) return { family };
    return active === figures.limitName ? 'model' : null;
  }
  const own = ownOf(dialect.windows, figures.window)?.of;
  const [, , , named] = (dialect.otherWindows === 'length_family' && LENGTH_FAMILY.exec(figures.window)) || [];
  if (own !== undefined || named === undefined) return own ?? dialect.window.of;
  return { family: named };
}

function familyOf(collected: Collected, { limitName, family }: Figures): string | null {
  const name = family ?? (limitName === '' ? undefined : collected.get(`${limitName} `)?.family);
  return name !== undefined && FAMILY.test(name) && !mayHoldSecret(name) ? name : null;
}

function activeIn({ active }: Dialect, { said: limitValues }: Response): string | null {
  if (!active) return null;
  const name = limitValues.get(active.header)?.trim().toLowerCase();
  return name?.startsWith(active.prefix) ? name.slice(active.prefix.length).replaceAll('_', '-') : null;
}

function rulingIn(dialect: Dialect, collected: Collected, { said: limitValues }: Response): string | null {
  if (!dialect.ruling) return null;
  const whole = collected.get(' ');
  collected.delete(' ');
  const claim = limitValues.get(dialect.ruling.header)?.trim().toLowerCase();
  const window = claim === undefined ? null : claimed(dialect.ruling.windows, claim);
  if (window === null) return null;
  const isTold = collected.has(` ${window}`);
  if (whole && (isTold || refuses(dialect, whole))) {
    const figures = figuresOf(collected, '', window);
    if (refuses(dialect, whole)) figures.status.push(...whole.status);
    if (figures.relative === undefined && figures.absolute === undefined && !figures.isPast) {
      if (whole.absolute) figures.absolute = whole.absolute;
      if (whole.isPast) figures.isPast = true;
    }
  }
  return window;
}

/** `seven_day_opus` is `seven_day` for one family. */
function claimed(windows: Readonly<Record<string, string>>, claim: string): string | null {
  const prefix = Object.keys(windows)
    .filter((name) => claim === name || claim.startsWith(`${name}_`))
    .toSorted((one, other) => other.length - one.length)[0];
  const rest = prefix === undefined ? '' : claim.slice(prefix.length);
  return prefix === undefined || !/^[a-z0-9_]{0,40}$/.test(rest) || mayHoldSecret(rest)
    ? null
    : `${windows[prefix]}${rest}`;
}

const refuses = ({ refuses: words = [] }: Dialect, { status }: Figures): boolean =>
  status.some((word) => words.includes(word));

function goesOn(dialect: Dialect, figures: Figures, { said: limitValues }: Response, isRefused: boolean): boolean {
  const says = ({ header, words }: Readonly<{ header: string; words: readonly string[] }>): boolean =>
    words.includes(limitValues.get(header)?.trim().toLowerCase() ?? '');
  if (isRefused && dialect.stopped && says(dialect.stopped)) return false;
  return figures.overdraws === true || (dialect.overdraws ?? []).some(says);
}

function idOf(
  { id, isNameless }: Dialect,
  { window: windowName, limitName }: Figures,
  lengthMs: number | null,
): string {
  const window =
    isNameless && windowName !== '' ? (lengthMs === null ? '' : `${Math.round(lengthMs / 1_000)}s`) : windowName;
  const named = limitName === '' ? id.replace('{limit}-', '') : id.replace('{limit}', limitName);
  return window === '' ? named.replace('-{window}', '') : named.replace('{window}', window);
}
