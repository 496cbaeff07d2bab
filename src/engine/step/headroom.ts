import type { Failure } from '../base/decision';
import { type HealthKey, type ModelId, providerOf } from '../base/ids';
import { entries, fromEntries, get, remove, set } from '../base/table';
import type { HeardWindow, Window } from '../base/window';
import { HINT_MAX_MS } from '../failure/hints';
import { applyWindows, heardElsewhere, owing, recounted } from '../headroom/keep';
import { forecastOf } from '../headroom/pace';
import { spentUntil } from '../headroom/short';
import { isEstimate, isPast, isPlan, levelAt } from '../headroom/window';
import { keyIn, unbooked } from '../state/books';
import type { EventOf } from '../state/events';
import type { Attempt, Draft } from '../state/state';
import type { Work } from '../state/work';

/** Fill levels that are reported once each. */
const MARKS = [0.95, 0.8] as const;
const ACCOUNTS_MAX = 200;
/** Approximation. */
const CHARS_PER_TOKEN = 4;

export function onSeen(work: Work, event: EventOf<'headroom.seen'>): undefined {
  const { state, now } = work;
  const attempt = event.attempt === null ? undefined : get(state.attempts, event.attempt);
  const { model } = event;
  const key = attempt?.key ?? keyIn(state, event.directory, model);
  const account = providerOf(key);
  const existing = get(state.windows, account) ?? [];
  const windows = applyWindows(existing, event.windows, { model, now, sentAt: attempt?.at ?? null });
  if (windows === existing) return;
  state.windows = set(state.windows, account, emitShortages(work, { account, model }, windows));
  if (existing.length === 0) makeRoom(state, account, now);
  if (attempt && !attempt.isSeen) state.attempts = set(state.attempts, attempt.attempt, { ...attempt, isSeen: true });
}

export function onHeardOf(work: Work, account: HealthKey, windows: readonly HeardWindow[]): void {
  const { state, now } = work;
  const existing = get(state.windows, account) ?? [];
  const next = heardElsewhere(existing, windows, now);
  if (next === existing) return;
  // The request's model is unknown.
  state.windows = set(state.windows, account, emitShortages(work, { account, model: `${unbooked(account)}/*` }, next));
  if (existing.length === 0) makeRoom(state, account, now);
}

export function onRecounted(work: Work, { accounts }: EventOf<'headroom.counted'>): undefined {
  const { state, now } = work;
  state.counted = fromEntries(
    accounts.map(([account, seen]) => {
      const windows = recounted(get(state.counted, account) ?? [], seen, now);
      return [account, emitShortages(work, { account, model: `${unbooked(account)}/*` }, windows)];
    }),
  );
}

type Place = Readonly<{ account: HealthKey; model: ModelId }>;

/** Reports each mark once, and again after a reset. */
function emitShortages({ now, facts }: Work, place: Place, windows: readonly Window[]): readonly Window[] {
  return windows.map((window) => {
    // No response here reported such a limit.
    const isOurs = window.machine === undefined || window.step !== null;
    const level = isOurs && isPlan(window) && !window.isShownOnly ? levelAt(window, now) : null;
    const mark = level === null ? undefined : MARKS.find((each) => level.used >= each);
    if (level === null || mark === undefined || mark <= window.passed) return window;
    const { id, unit, lengthMs, resetAt, family, model: only } = window;
    const fullAt = forecastOf(window, now)?.fullAt ?? null;
    facts.push({
      type: 'headroom.passed',
      ...place,
      window: id,
      family,
      only,
      unit,
      lengthMs,
      mark,
      used: level.used,
      resetInMs: resetAt === null ? null : resetAt - now,
      fullInMs: fullAt === null ? null : fullAt - now,
      ...(isEstimate(window) ? { isEstimate: true } : {}),
    });
    return { ...window, passed: mark };
  });
}

function makeRoom(state: Draft, newest: HealthKey, now: number): void {
  const all = entries(state.windows);
  if (all.length <= ACCOUNTS_MAX) return;
  const isIdle = ([account, windows]: (typeof all)[number]): boolean =>
    account !== newest && windows.every((window) => isPast(window, now));
  const leaving = all.find(isIdle) ?? all.find(([account]) => account !== newest);
  if (leaving) state.windows = remove(state.windows, leaving[0]);
}

export function settleSpent({ state, now }: Work, { model, key = model }: Attempt, outputChars: number): void {
  const account = providerOf(key);
  const existing = get(state.windows, account);
  if (!existing) return;
  const outputTokens = Math.ceil(outputChars / CHARS_PER_TOKEN);
  const windows = owing(existing, { model, now, outputTokens });
  if (windows !== existing) state.windows = set(state.windows, account, windows);
}

/** A limit without a time ends with the exhausted window. */
export function hinted({ state, now }: Work, { model, key = model }: Attempt, failure: Failure): Failure {
  if (failure.lane !== 'cooldown' || failure.hintMs !== null) return failure;
  const isQuota = failure.kind === 'quota';
  // Estimates do not count: the provider has not confirmed this limit.
  const until = spentUntil(get(state.windows, providerOf(key)) ?? [], { model, now, isQuota });
  return until === null ? failure : { ...failure, hintMs: Math.min(HINT_MAX_MS, until - now) };
}

export function forgetWindows(state: Draft, isMeant: (account: HealthKey) => boolean): void {
  for (const [account] of entries(state.windows)) if (isMeant(account)) state.windows = remove(state.windows, account);
}
