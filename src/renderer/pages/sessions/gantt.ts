import type { TimelineAttempt, TimelineAxis, TimelineTurn } from '../../../contract/sessions';

/** Unix ms. */
export type Span = Readonly<{ since: number; until: number }>;
/** In percent of a span. */
export type Place = Readonly<{ left: number; width: number }>;

const MINUTE_MS = 60_000;
/** In minutes. */
const WINDOW_MINUTES = [6, 30, 180] as const;
const TURNS_WANTED = 4;
const WINDOW_MIN_MS = 5_000;
/** Part of the window per key press. */
const STEP = 0.25;
/** Margin of the axis, as a part of it. */
const MARGIN = 0.015;
const SECOND_MS = 1_000;
/** In seconds. */
const TICKS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400];

export const lengthOf = ({ since, until }: Span): number => Math.max(1, until - since);

export function wholeOf({ since, until }: Pick<TimelineAxis, 'since' | 'until'>): Span {
  const room = Math.max(SECOND_MS / 2, MARGIN * (until - since));
  return { since: since - room, until: until + room };
}

/** Null outside of the span. */
export function placeOf({ since, until }: Span, span: Span): Place | null {
  const from = Math.max(since, span.since);
  const to = Math.min(until, span.until);
  if (to < from) return null;
  const part = (ms: number): number => Number(((100 * ms) / lengthOf(span)).toFixed(3));
  return { left: part(from - span.since), width: part(to - from) };
}

/** Whole units of the local clock. */
export function ticksOf(span: Span, most: number): readonly number[] {
  const step = SECOND_MS * (TICKS_S.find((seconds) => lengthOf(span) / (seconds * SECOND_MS) <= most) ?? 604_800);
  // Some time zones are not offset by whole hours.
  const zoneMs = MINUTE_MS * new Date(span.since).getTimezoneOffset();
  const first = Math.ceil((span.since - zoneMs) / step) * step + zoneMs;
  const count = Math.max(0, Math.floor((span.until - first) / step) + 1);
  return Array.from({ length: count }, (_, at) => first + at * step);
}

/** In minutes. */
export const windowsOf = (whole: Span): readonly number[] =>
  WINDOW_MINUTES.filter((minutes) => minutes * MINUTE_MS < 0.8 * lengthOf(whole));

/** Keeps the length, limited to the whole. */
export function within({ since, until }: Span, whole: Span): Span {
  const length = Math.min(lengthOf(whole), Math.max(WINDOW_MIN_MS, until - since));
  const from = Math.min(Math.max(whole.since, since), whole.until - length);
  return { since: from, until: from + length };
}

export const windowAt = (at: number, minutes: number, whole: Span): Span =>
  within({ since: at - (minutes * MINUTE_MS) / 2, until: at + (minutes * MINUTE_MS) / 2 }, whole);

export function moved({ since, until }: Span, steps: number, whole: Span): Span {
  const by = steps * STEP * (until - since);
  return within({ since: since + by, until: until + by }, whole);
}

export function zoomed(span: Span, factor: number, whole: Span): Span {
  const middle = (span.since + span.until) / 2;
  const half = (factor * lengthOf(span)) / 2;
  return within({ since: middle - half, until: middle + half }, whole);
}

/** The last trouble, or a live session's end; null for the whole session. */
export function firstWindow({ marks }: Pick<TimelineAxis, 'marks'>, whole: Span, isLive: boolean): Span | null {
  const focus = isLive ? whole.until : (marks.findLast(({ troubled }) => troubled > 0)?.at ?? whole.until);
  const all = marks.reduce((sum, { turns }) => sum + turns, 0);
  for (const minutes of windowsOf(whole)) {
    const window = windowAt(focus, minutes, whole);
    const shown = marks.filter(({ at }) => at >= window.since && at <= window.until);
    if (shown.reduce((sum, { turns }) => sum + turns, 0) >= Math.min(TURNS_WANTED, all)) return window;
  }
  return null;
}

const PARTS_MAX = 12;
const PART_MINUTES = [6, 30, 180, 1_440] as const;

/** Parts are as short as their maximum number allows; empty parts are omitted. */
export function partsOf(turns: readonly Pick<TimelineTurn, 'at'>[], whole: Span): readonly Span[] {
  if (windowsOf(whole).length === 0) return [whole];
  for (const minutes of PART_MINUTES) {
    const length = minutes * MINUTE_MS;
    const count = Math.ceil(lengthOf(whole) / length);
    const parts = Array.from({ length: count }, (_, at) => ({
      since: whole.since + at * length,
      until: Math.min(whole.until, whole.since + (at + 1) * length),
    })).filter(({ since, until }) => turns.some(({ at }) => at >= since && at < until));
    if (parts.length <= PARTS_MAX) return parts;
  }
  return [whole];
}

/** `until` is estimated while the attempt's end is unknown. */
export type Bar = Readonly<{ attempt: TimelineAttempt; at: number; until: number; isLost: boolean; hasGlyph: boolean }>;

const LOST: readonly TimelineAttempt['outcome'][] = ['failure', 'limited', 'neutral'];
export const isLost = ({ outcome }: Pick<TimelineAttempt, 'outcome'>): boolean => LOST.includes(outcome);

export function endOf({ at, outcome, attempts }: TimelineTurn, axis: Pick<TimelineAxis, 'until'>): number {
  const ends = attempts.map((attempt) => attempt.until ?? attempt.at);
  return Math.max(at, ...ends, ...(outcome === 'open' ? [axis.until] : []));
}

/** Closer glyphs would overlap. */
const GLYPH_PART = 0.04;

export function barsOf(turn: TimelineTurn, axis: Pick<TimelineAxis, 'until'>, window: Span): readonly Bar[] {
  let lastGlyph = Number.NEGATIVE_INFINITY;
  return turn.attempts.map((attempt, index) => {
    const next = turn.attempts[index + 1]?.at;
    const until = attempt.until ?? (attempt.outcome === 'inFlight' ? axis.until : (next ?? attempt.at));
    const hasGlyph = isLost(attempt) && until - lastGlyph > GLYPH_PART * lengthOf(window);
    if (hasGlyph) lastGlyph = until;
    return { attempt, at: attempt.at, until: Math.max(attempt.at, until), isLost: isLost(attempt), hasGlyph };
  });
}

export function waitsOf(bars: readonly Bar[]): readonly Span[] {
  return bars.flatMap(({ until }, index) => {
    const next = bars[index + 1];
    return next && next.at > until ? [{ since: until, until: next.at }] : [];
  });
}

export function switchesOf(bars: readonly Bar[]): readonly number[] {
  const moments = bars.flatMap(({ attempt, at }, index) => {
    const before = bars[index - 1];
    return before && before.attempt.model !== attempt.model ? [at] : [];
  });
  return [...new Set(moments)];
}
