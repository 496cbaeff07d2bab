import { unaccounted, unbooked } from '../../engine';
import { type OffsetAt, type Stretch, stretchAt } from '../budget/periods';
import type { BeganLine, LedgerLine } from '../budget/spent';
import type { Limit } from './entered';
import { createUsedBook, placeFrom, type UsedBook } from './used-book';

export type CountedLimit = Limit &
  Readonly<{
    account: string;
    used: number;
    lengthMs: number;
    /** Null if it begins with the next request. */
    beganAt: number | null;
    endsAt: number | null;
    /** Whether the beginning is in the ledger; otherwise it was derived from usage. */
    isNoted: boolean;
  }>;

export type Tally = Readonly<{
  add(line: LedgerLine): void;
  /** Earliest ledger time needed at `now`, Unix ms. */
  since(limits: readonly Limit[], now: number, offsetAt: OffsetAt): number;
  /** Also counts the provider's other accounts with recent use. `now` is Unix ms. */
  count(limits: readonly Limit[], now: number, offsetAt: OffsetAt): readonly CountedLimit[];
}>;

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/**
 * The previous window may have begun two lengths ago, and usage before a pause of a whole length makes no difference.
 */
const LOOKED_BACK = 3;
const ACCOUNTS_MAX = 10;

export function createTally(): Tally {
  const books = new Map<string, UsedBook>();
  const begun = new Map<string, number[]>();
  const stretchIn = createCalendar();

  const windowOf = ({ over }: Limit, account: string, { now, offsetAt }: Moment): Frame | null => {
    if (!('hours' in over)) return inCalendar(stretchIn(over, now, offsetAt));
    const noted = begun.get(begunKey(account, over.hours)) ?? [];
    return inHours(over.hours * HOUR_MS, { now, noted, book: books.get(account) });
  };
  const counted = (limit: Limit, account: string, moment: Moment): CountedLimit => {
    const frame = windowOf(limit, account, moment);
    const { requests, tokens } = (frame && books.get(account)?.between(frame.beganAt, frame.countsUntil)) ?? NOTHING;
    return {
      ...limit,
      account,
      used: limit.unit === 'requests' ? requests : tokens,
      lengthMs: frame?.lengthMs ?? ('hours' in limit.over ? limit.over.hours * HOUR_MS : DAY_MS),
      beganAt: frame?.beganAt ?? null,
      endsAt: frame?.endsAt ?? null,
      isNoted: frame?.isNoted ?? true,
    };
  };
  return {
    add(line) {
      if ('began' in line) note(begun, line);
      if (!('session' in line)) return;
      const account = line.account ?? line.provider;
      const book = books.get(account) ?? createUsedBook();
      books.set(account, book);
      book.add(line.at, line.tokens);
    },
    since: (limits, now, offsetAt) =>
      Math.min(
        now,
        ...limits.map(({ over }) =>
          'hours' in over ? now - LOOKED_BACK * over.hours * HOUR_MS : stretchIn(over, now, offsetAt).beginsAt,
        ),
      ),
    count(limits, now, offsetAt) {
      const named = new Set(limits.map(({ of }) => of));
      return limits.flatMap((limit) => {
        const others = [...books.keys()].filter(
          (account) => account !== limit.of && nameIn(named, account) === limit.of,
        );
        const own = counted(limit, limit.of, { now, offsetAt });
        const rest = others
          .map((account) => counted(limit, account, { now, offsetAt }))
          .filter(({ account, lengthMs }) => books.get(account)?.firstFrom(now - LOOKED_BACK * lengthMs) != null)
          .toSorted((a, b) => b.used - a.used);
        return [own, ...rest.slice(0, ACCOUNTS_MAX)];
      });
    },
  };
}

type Moment = Readonly<{ now: number; offsetAt: OffsetAt }>;

/** `countsUntil` includes usage dated ahead by a clock that was set back. */
type Frame = Readonly<{ beganAt: number; endsAt: number; countsUntil: number; lengthMs: number; isNoted: boolean }>;

const NOTHING = { requests: 0, tokens: 0 };

const begunKey = (account: string, hours: number): string => `${account} ${hours}`;

function nameIn(named: ReadonlySet<string>, account: string): string {
  const plain = unbooked(account);
  return named.has(plain) ? plain : unaccounted(plain);
}

function note(begun: Map<string, number[]>, { account, hours, began }: BeganLine): void {
  const key = begunKey(account, hours);
  const existing = begun.get(key) ?? [];
  begun.set(key, existing);
  const place = placeFrom(existing, began);
  if (existing[place] !== began) existing.splice(place, 0, began);
}

/** Clock changes do not change the number of days. */
const inCalendar = ({ beginsAt, endsAt }: Stretch): Frame => ({
  beganAt: beginsAt,
  endsAt,
  countsUntil: endsAt + (endsAt - beginsAt),
  isNoted: true,
  lengthMs: Math.round((endsAt - beginsAt) / DAY_MS) * DAY_MS,
});

type Known = Readonly<{ now: number; noted: readonly number[]; book: UsedBook | undefined }>;

/**
 * Beginnings in the ledger take precedence; each window begins with the first request after the previous end. Null if
 * none is running.
 */
function inHours(lengthMs: number, { now, noted, book }: Known): Frame | null {
  const notedFrom = (from: number): number | null => noted[placeFrom(noted, from)] ?? null;
  const from = now - LOOKED_BACK * lengthMs;
  const first = notedFrom(from);
  let beganAt = first !== null && first <= now ? first : (book?.firstFrom(from) ?? null);
  while (beganAt !== null && beganAt + lengthMs <= now)
    beganAt = soonerOf(notedFrom(beganAt + lengthMs), book?.firstFrom(beganAt + lengthMs) ?? null);
  // A near beginning comes from a clock that was set back; a later one is ignored.
  if (beganAt === null || beganAt - now > lengthMs) return null;
  const endsAt = beganAt + lengthMs;
  return { beganAt, endsAt, lengthMs, countsUntil: endsAt + lengthMs, isNoted: notedFrom(beganAt) === beganAt };
}

const soonerOf = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/** Zone lookups are slow, and most moments are in the same period. */
function createCalendar() {
  const cache = new Map<string, Readonly<{ offsetAt: OffsetAt; stretch: Stretch }>>();
  return (
    { period, begins }: Extract<Limit['over'], { period: unknown }>,
    now: number,
    offsetAt: OffsetAt,
  ): Stretch => {
    const key = `${period} ${begins}`;
    const last = cache.get(key);
    if (last?.offsetAt === offsetAt && now >= last.stretch.beginsAt && now < last.stretch.endsAt) return last.stretch;
    const stretch = stretchAt(period, now, offsetAt, begins);
    cache.set(key, { offsetAt, stretch });
    return stretch;
  };
}
