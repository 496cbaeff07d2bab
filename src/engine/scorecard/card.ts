import type { AttemptId, ModelId, TurnId } from '../base/ids';
import { emptyTable, entries, get, remove, set, type Table } from '../base/table';
import type { AttemptStarted } from '../state/events';
import { type AlertTrack, quietTrack } from './alert';
import type { CellDraft } from './cell';
import { amended, type Ledger, pruned } from './ledger';

const HOUR_MS = 3_600_000;

/**
 * Fixed at the start of an attempt or turn, so that its outcome counts in the same hour. A null session counts only
 * overall.
 */
export type Place = Readonly<{ hour: number; session: string | null; serial: number }>;

export type InFlight = Readonly<{
  place: Place;
  model: ModelId;
  turn: TurnId;
  purpose: AttemptStarted['purpose'];
  /** The host reports flaws; absent in older data. */
  tellsFlaws?: true;
}>;

export type OpenTurn = Readonly<{
  place: Place;
  lead: ModelId;
  /** Another account of the model counts as the primary. */
  spreadTo?: ModelId | undefined;
  failedAttempts: number;
  leadFailed: boolean;
  last: 'none' | 'answered' | 'failed' | 'neutral';
  /** Agent of a turn that had no available model before its first request. */
  unaskedOf?: string | undefined;
  answeredBy: ModelId | null;
  left: Readonly<{ at: number; backMs: number | null; isStated: boolean }> | null;
  answeredAt: number | null;
  wait?: Readonly<{ place: Place; model: ModelId; since: number; mostMs: number }>;
}>;

export type SessionEntry = Readonly<{
  /** Distinguishes a returning session from its removed entry. */
  serial: number;
  at: number;
  /** Time saved until then is counted. */
  creditedUntil: number | null;
  ledger: Ledger;
}>;

export type ScorecardOptions = Readonly<{
  slowOverMs: number;
  hoursKept: number;
  /** The least recently active session is removed first. */
  sessionsKept: number;
}>;

/** A minute exceeds any usual response; 31 days cover "this month". */
export const DEFAULT_SCORECARD_OPTIONS: ScorecardOptions = { slowOverMs: 60_000, hoursKept: 744, sessionsKept: 200 };

export type Scorecard = AlertTrack &
  Readonly<{
    v: 1;
    options: ScorecardOptions;
    latestHour: number | null;
    hours: Ledger;
    sessions: Table<SessionEntry>;
    serial: number;
    inFlight: Table<InFlight>;
    inFlightCount: number;
    turns: Table<OpenTurn>;
    turnCount: number;
  }>;

export type CardDraft = { -readonly [Key in keyof Scorecard]: Scorecard[Key] };

/** @throws RangeError if a number to store is not a positive integer, or the threshold is not positive. */
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

export const hourOf = (at: number): number => Math.floor(at / HOUR_MS);
export const hourFrom = (at: number): number => Math.ceil(at / HOUR_MS);

export const startOf = (hour: number): number => hour * HOUR_MS;

/** An earlier time changes nothing. */
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

/** May remove another session to make room. */
export function placeAt(card: CardDraft, session: string, now: number): Place {
  const existing = get(card.sessions, session);
  if (!existing) makeRoom(card);
  const entry = existing ?? { serial: ++card.serial, at: now, creditedUntil: null, ledger: [] };
  if (!existing || existing.at < now)
    card.sessions = set(card.sessions, session, { ...entry, at: Math.max(entry.at, now) });
  return { hour: hourOf(now), session, serial: entry.serial };
}

function makeRoom(card: CardDraft): void {
  const all = entries(card.sessions);
  if (all.length < card.options.sessionsKept) return;
  // Serials never tie.
  const first = (a: SessionEntry, b: SessionEntry): boolean => a.at < b.at || (a.at === b.at && a.serial < b.serial);
  const oldest = all.reduce((a, b) => (first(b[1], a[1]) ? b : a));
  card.sessions = remove(card.sessions, oldest[0]);
}

export function entryOf(card: CardDraft, place: Place): SessionEntry | undefined {
  const entry = place.session === null ? undefined : get(card.sessions, place.session);
  return entry?.serial === place.serial ? entry : undefined;
}

/** Also writes to the session. Removed hours and sessions are not restored. */
export function amend(card: CardDraft, place: Place, model: ModelId, edit: (cell: CellDraft) => void): void {
  if (place.hour <= (card.latestHour ?? place.hour) - card.options.hoursKept) return;
  card.hours = amended(card.hours, place.hour, model, edit);
  const entry = entryOf(card, place);
  if (!entry || place.session === null) return;
  const { serial, at, creditedUntil } = entry;
  const ledger = amended(entry.ledger, place.hour, model, edit);
  card.sessions = set(card.sessions, place.session, { serial, at, creditedUntil, ledger });
}

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
