import type { TimelineAttempt, TimelineAxis, TimelineTurn } from '../../../contract/sessions';

/** A time on the axis, Unix ms. */
export type Span = Readonly<{ since: number; until: number }>;
/** Where something lies in a span, in percent of it. */
export type Place = Readonly<{ left: number; width: number }>;

const MINUTE_MS = 60_000;
/** Windows that are offered, in minutes; all of a session besides. */
const WINDOW_MINUTES = [6, 30, 180] as const;
/** A window that is not chosen shows at least so many turns, where there are as many. */
const TURNS_WANTED = 4;
/** No window is shorter, in ms. */
const WINDOW_MIN_MS = 5_000;
/** What one press of a key moves a window by, as a part of it. */
const STEP = 0.25;
/** Room at both ends of an axis, as a part of it: what begins or ends it is seen whole. */
const MARGIN = 0.015;
const SECOND_MS = 1_000;
/** Steps between two marks of an axis, in seconds. */
const TICKS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400];

export const lengthOf = ({ since, until }: Span): number => Math.max(1, until - since);

/** All of a session, with room at both ends. */
export function wholeOf({ since, until }: Pick<TimelineAxis, 'since' | 'until'>): Span {
  const room = Math.max(SECOND_MS / 2, MARGIN * (until - since));
  return { since: since - room, until: until + room };
}

/** Where a time lies in a span; null outside of it. */
export function placeOf({ since, until }: Span, span: Span): Place | null {
  const from = Math.max(since, span.since);
  const to = Math.min(until, span.until);
  if (to < from) return null;
  const part = (ms: number): number => Number(((100 * ms) / lengthOf(span)).toFixed(3));
  return { left: part(from - span.since), width: part(to - from) };
}

/** Moments of the axis that are marked, at whole seconds, minutes or hours of the clock; at most `most`. */
export function ticksOf(span: Span, most: number): readonly number[] {
  const step = SECOND_MS * (TICKS_S.find((seconds) => lengthOf(span) / (seconds * SECOND_MS) <= most) ?? 604_800);
  // Whole hours of the clock are not whole hours of the world everywhere.
  const zoneMs = MINUTE_MS * new Date(span.since).getTimezoneOffset();
  const first = Math.ceil((span.since - zoneMs) / step) * step + zoneMs;
  const count = Math.max(0, Math.floor((span.until - first) / step) + 1);
  return Array.from({ length: count }, (_, at) => first + at * step);
}

/** Windows that are shorter than all of it, in minutes. */
export const windowsOf = (whole: Span): readonly number[] =>
  WINDOW_MINUTES.filter((minutes) => minutes * MINUTE_MS < 0.8 * lengthOf(whole));

/** The window within all of it: as long as it is, or as long as all. */
export function within({ since, until }: Span, whole: Span): Span {
  const length = Math.min(lengthOf(whole), Math.max(WINDOW_MIN_MS, until - since));
  const from = Math.min(Math.max(whole.since, since), whole.until - length);
  return { since: from, until: from + length };
}

export const windowAt = (at: number, minutes: number, whole: Span): Span =>
  within({ since: at - (minutes * MINUTE_MS) / 2, until: at + (minutes * MINUTE_MS) / 2 }, whole);

/** A window moved by so many steps, to the right where there are more than none. */
export function moved({ since, until }: Span, steps: number, whole: Span): Span {
  const by = steps * STEP * (until - since);
  return within({ since: since + by, until: until + by }, whole);
}

/** A window around the same middle, so many times as long. */
export function zoomed(span: Span, factor: number, whole: Span): Span {
  const middle = (span.since + span.until) / 2;
  const half = (factor * lengthOf(span)) / 2;
  return within({ since: middle - half, until: middle + half }, whole);
}

/**
 * The window a session opens with: where it had trouble last, or its end while it goes on, as short as shows enough of it.
 * Null for all of it.
 */
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

/** Drawings of a session, one after the other, at most. */
const PARTS_MAX = 12;
/** Parts that all of a session may come in, in minutes. */
const PART_MINUTES = [6, 30, 180, 1_440] as const;

/**
 * All of a session in parts that follow each other, as short as there are not too many; those in which no turn began are left
 * out. A short one is one part.
 */
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

/** What is drawn of an attempt; `end` is where it is taken to end while nobody knows. */
export type Bar = Readonly<{ attempt: TimelineAttempt; at: number; until: number; isLost: boolean; hasGlyph: boolean }>;

const LOST: readonly TimelineAttempt['outcome'][] = ['failure', 'limited', 'neutral'];
export const isLost = ({ outcome }: Pick<TimelineAttempt, 'outcome'>): boolean => LOST.includes(outcome);

export function endOf({ at, outcome, attempts }: TimelineTurn, axis: Pick<TimelineAxis, 'until'>): number {
  const ends = attempts.map((attempt) => attempt.until ?? attempt.at);
  return Math.max(at, ...ends, ...(outcome === 'open' ? [axis.until] : []));
}

/** Glyphs nearer to each other than this part of the axis would lie over each other. */
const GLYPH_PART = 0.04;

/** The attempts of a turn as bars, in order. */
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

/** Times between two attempts of a turn in which nobody was asked. */
export function waitsOf(bars: readonly Bar[]): readonly Span[] {
  return bars.flatMap(({ until }, index) => {
    const next = bars[index + 1];
    return next && next.at > until ? [{ since: until, until: next.at }] : [];
  });
}

/** Where another model took a turn on, each moment once. */
export function switchesOf(bars: readonly Bar[]): readonly number[] {
  const moments = bars.flatMap(({ attempt, at }, index) => {
    const before = bars[index - 1];
    return before && before.attempt.model !== attempt.model ? [at] : [];
  });
  return [...new Set(moments)];
}
