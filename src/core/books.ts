import type { EventRow, ScorecardRange } from '../contract';
import type { EngineEvent, EngineState, Step } from '../engine';
import {
  type Alert,
  type CellRow,
  cardFrom,
  cellsIn,
  changedCells,
  emptyScorecard,
  failureIn,
  hourOf,
  isAsked,
  NANOS,
  newAlert,
  openPartOf,
  outcomeOf,
  record,
  type Scorecard,
  type ScorecardStep,
} from '../engine/scorecard';
import type { Noted } from '../protocol';
import { createDaySums } from './day-sums';
import type { Clock } from './ports';
import { positionIn } from './position';
import { projectOf } from './project';
import type { AttemptsQuery, FiguresQuery, Store, StoreRow } from './store-rows';

/** A batch waits this long for more, in ms, or until it has so many rows. */
const BATCH_MS = 250;
const BATCH_ROWS = 500;
const MESSAGE_MAX_CHARS = 200;

type Moment = Readonly<{ state: EngineState; wall: number }>;

/** The scorecard, and what is stored of all that happened. Every record of the log counts once, over any number of lives. */
export type Books = Readonly<{
  /** A number for the next record of the log. */
  number(): number;
  /** Says which record of an earlier life comes next; what is stored already is not taken in again. */
  replaying(number: number | undefined): void;
  replayed(): void;
  /** Takes in a step of the engine. @returns the alert that begins with it. */
  take(event: EngineEvent, step: Step, moment: Moment): Alert | null;
  /** Takes in what no step of the engine tells. */
  note(event: Noted, moment: Moment): void;
  tell(row: EventRow): void;
  /** Adds to an event that was told how long its switch took, in ms. */
  time(id: number, durationMs: number): void;
  /** Whether a record of an earlier life is taken in that is stored already. */
  isKnown(): boolean;
  card(): Scorecard;
  /** Figures of a range, or of one session with its sub-agents, hour by hour. */
  figures(range: ScorecardRange): readonly CellRow[];
  /** The same, for whoever adds them all up: days that are over, and within the range, stand in their first hour. */
  figuresByDay(range: ScorecardRange): readonly CellRow[];
  /** A session and its sub-agents. */
  familyOf(session: string): readonly string[];
  /** Hands over what waits. */
  flush(): void;
  /** Begins anew, in memory: all figures are nothing, and the numbers of records go on. */
  forget(): void;
}>;

/** Books that go on where the store ends; without a store they live as long as the core. */
export function createBooks(clock: Clock, store: Store | null): Books {
  let card = store?.card ? cardFrom(store.card.open, store.card.cells) : emptyScorecard();
  let written = card;
  let rows: StoreRow[] = [];
  let last = store?.cursor ?? 0;
  let previous = 0;
  let isKnown = false;
  /** Whether anything of the last record is in the books. */
  let isBegun = true;
  let cancel: (() => void) | null = null;
  const byDay = createDaySums();
  let families = createFamilies();
  const familyOf = (session: string): readonly string[] => [
    ...new Set([...families.of(session), ...(store?.familyOf(session) ?? [])]),
  ];
  const ofSession = (session: string): readonly CellRow[] =>
    familyOf(session).flatMap((one) => sessionCells(card, store, one));

  const flush = (): void => {
    cancel?.();
    cancel = null;
    if (!store || (rows.length === 0 && card === written)) return;
    const cursor = isBegun ? last : last - 1;
    store.write({ cursor, rows, cells: changedCells(written, card), open: openPartOf(card) });
    rows = [];
    written = card;
  };
  /** A batch ends between two records: one that is half in it would be counted twice, or not at all. */
  const begin = (number: number): void => {
    if (rows.length >= BATCH_ROWS) flush();
    last = Math.max(last, number);
    isBegun = false;
  };
  const put = (...more: readonly StoreRow[]): void => {
    isBegun = true;
    if (!store) return;
    rows.push(...more);
    cancel ??= clock.schedule(BATCH_MS, flush);
  };
  const count = (step: ScorecardStep): void => {
    // With a new hour the oldest one leaves the card: it must be written by then.
    if (card.latestHour !== null && hourOf(step.now) > card.latestHour) flush();
    card = record(card, step);
    isBegun = true;
  };
  return {
    number() {
      begin(last + 1);
      return last;
    },
    replaying(number) {
      previous = number ?? previous + 1;
      isKnown = previous <= (store?.cursor ?? 0);
      begin(previous);
    },
    replayed() {
      isKnown = false;
      isBegun = true;
    },
    take(event, step, moment) {
      families.hear(event);
      if (isKnown) return null;
      const before = card;
      count({ event, decisions: step.decisions, facts: step.facts, now: moment.wall });
      put(...rowsOfEvent(event, step, { ...moment, card }), ...switchRows(step, moment));
      return newAlert(before, card);
    },
    note(event, { state, wall }) {
      if (isKnown) return;
      count({ event, decisions: [], facts: [], now: wall });
      // Of the others only the figures are kept.
      if (event.type !== 'usage.recorded') return put();
      const { session, turn, agent, model, purpose, tokens, cost } = event;
      const costNanos = cost === null ? null : Math.round(cost * NANOS);
      const speaker = { session, turn, agent, model, position: positionIn(state, event) };
      put({ type: 'used', ...speaker, purpose, ...tokens, costNanos, at: wall });
    },
    tell: (row) => put({ type: 'event', row }),
    time: (id, durationMs) => put({ type: 'event.timed', id, durationMs }),
    isKnown: () => isKnown,
    card: () => card,
    figures(range) {
      if (range.session !== undefined) return ofSession(range.session);
      const kept = cellsIn(card, null) ?? [];
      const untilHour = kept[0]?.hour ?? Number.MAX_SAFE_INTEGER;
      const isOlder = range.sinceMs === undefined || hourOf(range.sinceMs) < untilHour;
      return isOlder ? [...(store?.figures({ untilHour }) ?? []), ...kept] : kept;
    },
    figuresByDay(range) {
      if (range.session !== undefined) return ofSession(range.session);
      const { sinceHour = 0, untilHour = Number.MAX_SAFE_INTEGER } = hoursOf(range);
      const kept = byDay(card.hours, { sinceHour, untilHour });
      const end = Math.min(untilHour, card.hours[0]?.hour ?? Number.MAX_SAFE_INTEGER);
      if (sinceHour >= end) return kept;
      return [...(store?.figures({ sinceHour, untilHour: end, isByDay: true }) ?? []), ...kept];
    },
    familyOf,
    flush,
    forget() {
      cancel?.();
      cancel = null;
      card = emptyScorecard();
      written = card;
      rows = [];
      families = createFamilies();
    },
  };
}

/** The whole hours a range covers. */
export const hoursOf = ({ sinceMs, untilMs }: ScorecardRange): Pick<FiguresQuery, 'sinceHour' | 'untilHour'> => ({
  ...(sinceMs === undefined ? {} : { sinceHour: hourOf(sinceMs) }),
  ...(untilMs === undefined ? {} : { untilHour: -hourOf(-untilMs) }),
});

/** Which attempts a range is about: those of one session with its sub-agents, or of all. */
export const attemptsIn = (
  { session, sinceMs = 0, untilMs = Number.MAX_SAFE_INTEGER }: ScorecardRange,
  familyOf: (session: string) => readonly string[],
): AttemptsQuery => ({ sinceMs, untilMs, ...(session === undefined ? {} : { sessions: familyOf(session) }) });

/** What the card has of a session, and what the store has of it from before it made room. */
function sessionCells(card: Scorecard, store: Store | null, session: string): readonly CellRow[] {
  const own = cellsIn(card, session) ?? [];
  const serials = new Set(own.map(({ serial }) => serial));
  return [...own, ...(store?.figures({ session }) ?? []).filter(({ serial }) => !serials.has(serial))];
}

/** Parents remembered; the one heard of longest ago leaves first. */
const PARENTS_MAX = 5_000;

/** Which sessions belong together. */
function createFamilies() {
  const parents = new Map<string, string>();
  const rootOf = (session: string): string => {
    let at = session;
    for (let depth = 0; depth < 10; depth++) at = parents.get(at) ?? at;
    return at;
  };
  return {
    hear(event: EngineEvent): void {
      if (event.type !== 'prompt.submitted' && event.type !== 'attempt.started') return;
      if (event.parentSession === undefined) return;
      parents.delete(event.session);
      parents.set(event.session, event.parentSession);
      const [oldest] = parents.keys();
      if (parents.size > PARENTS_MAX && oldest !== undefined) parents.delete(oldest);
    },
    of(session: string): readonly string[] {
      const children = [...parents.keys()].filter((other) => other !== session && rootOf(other) === session);
      return [session, ...children];
    },
  };
}

type Kept = Moment & Readonly<{ card: Scorecard }>;

function rowsOfEvent(event: EngineEvent, step: Step, { state, wall, card }: Kept): StoreRow[] {
  switch (event.type) {
    case 'prompt.submitted':
      return [seen(event, wall), ...refusedRows(step, wall)];
    case 'attempt.started': {
      if (!isAsked(step)) return refusedRows(step, wall);
      const { attempt, turn, session, agent, model, purpose } = event;
      const position = positionIn(state, event);
      return [
        seen(event, wall),
        { type: 'attempt.started', attempt, turn, session, agent, model, position, purpose, at: wall },
      ];
    }
    case 'attempt.failed': {
      const failure = failureIn(event, step);
      const { kind, status } = failure;
      const message = failure.message.slice(0, MESSAGE_MAX_CHARS) || null;
      const about = { attempt: event.attempt, durationMs: Math.round(event.durationMs), firstTokenMs: null };
      return [{ type: 'attempt.ended', ...about, outcome: outcomeOf(failure), kind, status, message }];
    }
    case 'attempt.succeeded': {
      const { attempt } = event;
      const outcome = event.durationMs > card.options.slowOverMs ? 'slow' : 'success';
      const times = { durationMs: Math.round(event.durationMs), firstTokenMs: Math.round(event.firstTokenMs) };
      return [{ type: 'attempt.ended', attempt, outcome, kind: null, status: null, message: null, ...times }];
    }
    case 'attempt.aborted': {
      const about = { attempt: event.attempt, durationMs: null, firstTokenMs: null };
      return [{ type: 'attempt.ended', ...about, outcome: 'neutral', kind: 'aborted', status: null, message: null }];
    }
    case 'switch.carried': {
      const { turn, from, ok, durationMs } = event;
      return [{ type: 'switch.carried', turn, from, ok, durationMs: Math.round(durationMs) }];
    }
    case 'session.idle':
    case 'session.closed':
      return [{ type: 'session.rested', session: event.session }];
    default:
      // What else happens changes no attempt.
      return [];
  }
}

function seen(
  { session, parentSession, directory }: Readonly<{ session: string; parentSession?: string; directory: string }>,
  at: number,
): StoreRow {
  return { type: 'session.seen', session, parent: parentSession ?? null, project: projectOf(directory), at };
}

/** Nobody was left to ask before anybody was. */
const refusedRows = ({ decisions }: Step, at: number): StoreRow[] =>
  decisions.flatMap(({ action, turn, session, agent }): StoreRow[] =>
    action.kind === 'exhausted' ? [{ type: 'turn.refused', turn, session, agent, at }] : [],
  );

function switchRows({ decisions }: Step, { wall }: Moment): StoreRow[] {
  return decisions.flatMap((decision): StoreRow[] => {
    const { action, session, turn, agent, code, failure } = decision;
    // A redirect to the lead leaves nobody.
    const isLeft = action.kind === 'switch' || (action.kind === 'redirect' && action.position > 0);
    if (!isLeft) return [];
    const { from, to, position } = action;
    return [
      { type: 'switched', session, turn, agent, from, to, position, kind: failure?.kind ?? null, code, at: wall },
    ];
  });
}
