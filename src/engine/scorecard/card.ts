import type { AttemptId, ModelId, TurnId } from '../base/ids';
import { emptyTable, entries, get, remove, set, type Table } from '../base/table';
import type { AttemptStarted } from '../state/events';
import { type AlertTrack, quietTrack } from './alert';
import type { CellDraft } from './cell';
import { amended, type Ledger, pruned } from './ledger';

const HOUR_MS = 3_600_000;

/**
 * Where a figure belongs: fixed when an attempt or a turn starts, so that its outcome lands in the same hour. A null
 * session counts overall alone.
 */
export type Place = Readonly<{ hour: number; session: string | null; serial: number }>;

export type InFlight = Readonly<{
  place: Place;
  model: ModelId;
  turn: TurnId;
  purpose: AttemptStarted['purpose'];
  /** Its host tells of flaws. Absent in what was stored before any did. */
  tellsFlaws?: true;
}>;

export type OpenTurn = Readonly<{
  place: Place;
  lead: ModelId;
  /** The same model by another account, which answers in the lead's place while nothing is against that. */
  spreadTo?: ModelId | undefined;
  failedAttempts: number;
  leadFailed: boolean;
  last: 'none' | 'answered' | 'failed' | 'neutral';
  /** Whose turn it is, where nobody was left to ask before anybody was. */
  unaskedOf?: string | undefined;
  answeredBy: ModelId | null;
  /** When and how it first left its lead; null while it has not. */
  left: Readonly<{ at: number; backMs: number | null; isStated: boolean }> | null;
  /** First answer after it left. */
  answeredAt: number | null;
  /** The wait that goes on, and its longest time in ms. */
  wait?: Readonly<{ place: Place; model: ModelId; since: number; mostMs: number }>;
}>;

export type SessionEntry = Readonly<{
  /** Tells a session that came back from what it left behind when it made room. */
  serial: number;
  at: number;
  /** Until when time saved is already counted; null when none is. */
  creditedUntil: number | null;
  ledger: Ledger;
}>;

export type ScorecardOptions = Readonly<{
  /** An answer that took longer is counted as slow, in ms. */
  slowOverMs: number;
  /** Whole hours of figures kept. */
  hoursKept: number;
  /** Sessions kept; the one that was quiet longest leaves first. */
  sessionsKept: number;
}>;

/** A minute is past any usual answer of one request; 31 days make "this month" answerable. */
export const DEFAULT_SCORECARD_OPTIONS: ScorecardOptions = { slowOverMs: 60_000, hoursKept: 744, sessionsKept: 200 };

/** All figures: plain data, so that it can be stored, compared and rebuilt from the log. */
export type Scorecard = AlertTrack &
  Readonly<{
    v: 1;
    options: ScorecardOptions;
    /** The newest hour seen; null before the first event. */
    latestHour: number | null;
    hours: Ledger;
    sessions: Table<SessionEntry>;
    /** Serial of the last session entry. */
    serial: number;
    inFlight: Table<InFlight>;
    inFlightCount: number;
    turns: Table<OpenTurn>;
    turnCount: number;
  }>;

/** A scorecard while one step writes to it: a shallow copy, of which nothing outside is shared but frozen parts. */
export type CardDraft = { -readonly [Key in keyof Scorecard]: Scorecard[Key] };

/**
 * A scorecard without data.
 *
 * @throws RangeError if a number to keep is not a positive whole number, or the threshold is not above zero.
 */
export function emptyScorecard(options: Partial<ScorecardOptions> = {}): Scorecard {
  const all = { ...DEFAULT_SCORECARD_OPTIONS, ...options };
  for (const name of ['hoursKept', 'sessionsKept'] as const) {
    if (!Number.isInteger(all[name]) || all[name] < 1)
      throw new RangeError(`${name} must be at least 1, got ${all[name]}`);
  }
  if (!(all.slowOverMs > 0)) throw new RangeError(`slowOverMs must be above 0, got ${all.slowOverMs}`);
  const tables = {
    hours: [],
    sessions: emptyTable<never>(),
    inFlight: emptyTable<never>(),
    turns: emptyTable<never>(),
  };
  return { v: 1, options: all, latestHour: null, ...tables, serial: 0, inFlightCount: 0, turnCount: 0, ...quietTrack };
}

/** The whole hour a moment belongs to. */
export const hourOf = (at: number): number => Math.floor(at / HOUR_MS);
/** The first hour that begins at a moment or later. */
export const hourFrom = (at: number): number => Math.ceil(at / HOUR_MS);

/** The moment an hour begins. */
export const startOf = (hour: number): number => hour * HOUR_MS;

/** Moves the card on to the hour of `now`; hours that are too old leave. An earlier moment changes nothing. */
export function advance(card: CardDraft, now: number): void {
  const hour = hourOf(now);
  if (card.latestHour !== null && hour <= card.latestHour) return;
  const isFirst = card.latestHour === null;
  card.latestHour = hour;
  if (isFirst) return;
  const oldest = hour - card.options.hoursKept + 1;
  card.hours = pruned(card.hours, oldest);
  for (const [session, entry] of entries(card.sessions)) {
    const ledger = pruned(entry.ledger, oldest);
    if (ledger !== entry.ledger) card.sessions = set(card.sessions, session, { ...entry, ledger });
  }
}

/** Where figures of `session` belong at `now`; makes room for a session that is new. */
export function placeAt(card: CardDraft, session: string, now: number): Place {
  const known = get(card.sessions, session);
  if (!known) makeRoom(card);
  const entry = known ?? { serial: ++card.serial, at: now, creditedUntil: null, ledger: [] };
  if (!known || known.at < now) card.sessions = set(card.sessions, session, { ...entry, at: Math.max(entry.at, now) });
  return { hour: hourOf(now), session, serial: entry.serial };
}

function makeRoom(card: CardDraft): void {
  const all = entries(card.sessions);
  if (all.length < card.options.sessionsKept) return;
  // Of two equally quiet ones the older entry leaves: serials never tie.
  const first = (a: SessionEntry, b: SessionEntry): boolean => a.at < b.at || (a.at === b.at && a.serial < b.serial);
  const oldest = all.reduce((a, b) => (first(b[1], a[1]) ? b : a));
  card.sessions = remove(card.sessions, oldest[0]);
}

/** The entry a place belongs to; undefined when it has made room for others. */
export function entryOf(card: CardDraft, place: Place): SessionEntry | undefined {
  const entry = place.session === null ? undefined : get(card.sessions, place.session);
  return entry?.serial === place.serial ? entry : undefined;
}

/** Writes to a model's figures of one hour, overall and in its session. What has made room is not brought back. */
export function amend(card: CardDraft, place: Place, model: ModelId, edit: (cell: CellDraft) => void): void {
  if (place.hour <= (card.latestHour ?? place.hour) - card.options.hoursKept) return;
  card.hours = amended(card.hours, place.hour, model, edit);
  const entry = entryOf(card, place);
  if (!entry || place.session === null) return;
  const { serial, at, creditedUntil } = entry;
  const ledger = amended(entry.ledger, place.hour, model, edit);
  card.sessions = set(card.sessions, place.session, { serial, at, creditedUntil, ledger });
}

/** What a session has left open: its turns and its requests on their way. */
export function openOf(
  card: CardDraft,
  session: string,
): Readonly<{ turns: readonly TurnId[]; attempts: readonly AttemptId[] }> {
  return { turns: keysOf(card.turns, session), attempts: keysOf(card.inFlight, session) };
}

function keysOf(table: Table<Readonly<{ place: Place }>>, session: string): string[] {
  const keys: string[] = [];
  for (const bucket of table) for (const [key, { place }] of bucket) if (place.session === session) keys.push(key);
  return keys;
}
