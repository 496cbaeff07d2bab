import type { ScorecardRange } from '../../contract/scorecard';
import type { EventRow } from '../../contract/snapshot';
import type { EngineEvent, EngineState, Step } from '../../engine';
import {
  type Alert,
  type CellRow,
  cardFrom,
  cellsIn,
  changedCells,
  emptyScorecard,
  hourOf,
  NANOS,
  newAlert,
  openPartOf,
  record,
  type Scorecard,
  type ScorecardStep,
} from '../../engine/scorecard';
import { positionIn } from '../../engine/tools';
import type { Noted } from '../../protocol';
import type { AttemptsQuery, FiguresQuery, Store, StoreRow } from '../base/store-rows';
import type { Clock } from '../ports/ports';
import { createDaySums } from './day-sums';
import { rowsOfLife } from './life-rows';
import { createLimitSampler } from './limit-samples';

const BATCH_MS = 250;
const BATCH_ROWS = 500;

type StateAt = Readonly<{ state: EngineState; wall: number }>;
/** `now` is engine ms. */
type StepAt = StateAt & Readonly<{ now: number; wallOf(engineMs: number): number }>;

/** Every log record counts once over all runs. */
export type Books = Readonly<{
  number(): number;
  /** Stored records are not applied again. */
  replaying(number: number | undefined): void;
  replayed(): void;
  take(event: EngineEvent, step: Step, moment: StepAt): Alert | null;
  note(event: Noted, moment: StateAt): void;
  tell(row: EventRow): void;
  time(id: number, durationMs: number): void;
  isKnown(): boolean;
  card(): Scorecard;
  figures(range: ScorecardRange): readonly CellRow[];
  /** Complete past days within the range are in their first hour. */
  figuresByDay(range: ScorecardRange): readonly CellRow[];
  familyOf(session: string): readonly string[];
  flush(): void;
  forget(): void;
}>;

/** Without a store the data lives as long as the core. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function createBooks(clock: Clock, store: Store | null): Books {
  let card = store?.card ? cardFrom(store.card.open, store.card.cells) : emptyScorecard();
  let written = card;
  let rows: StoreRow[] = [];
  let last = store?.cursor ?? 0;
  let previous = 0;
  let isKnown = false;
  let isBegun = true;
  let cancel: (() => void) | null = null;
  const byDay = createDaySums();
  let families = createFamilies();
  let samplesOf = createLimitSampler();
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
  /** A record split over batches would count twice, or not at all. */
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
    // With a new hour the oldest one leaves the card: write it before.
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
      const { decisions, facts } = step;
      count({ event, decisions, facts, now: moment.wall });
      put(...rowsOfLife(facts, { wall: moment.wall, slowOverMs: card.options.slowOverMs }));
      const samples = samplesOf({ ...moment, windows: moment.state.windows, counted: moment.state.counted });
      if (samples.length > 0) put(...samples.map((sample) => ({ type: 'limit.seen', ...sample }) as const));
      return newAlert(before, card);
    },
    note(event, { state, wall }) {
      if (isKnown) return;
      count({ event, decisions: [], facts: [], now: wall });
      // Other events only add to figures.
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
      const recent = cellsIn(card, null) ?? [];
      const { sinceHour = 0, untilHour = Number.MAX_SAFE_INTEGER } = hoursOf(range);
      const end = Math.min(untilHour, recent[0]?.hour ?? Number.MAX_SAFE_INTEGER);
      return sinceHour < end ? [...(store?.figures({ sinceHour, untilHour: end }) ?? []), ...recent] : recent;
    },
    figuresByDay(range) {
      if (range.session !== undefined) return ofSession(range.session);
      const { sinceHour = 0, untilHour = Number.MAX_SAFE_INTEGER } = hoursOf(range);
      const recent = byDay(card.hours, { sinceHour, untilHour });
      const end = Math.min(untilHour, card.hours[0]?.hour ?? Number.MAX_SAFE_INTEGER);
      if (sinceHour >= end) return recent;
      return [...(store?.figures({ sinceHour, untilHour: end, isByDay: true }) ?? []), ...recent];
    },
    familyOf,
    flush,
    forget() {
      cancel?.();
      cancel = null;
      card = emptyScorecard();
      written = card;
      rows = [];
      samplesOf = createLimitSampler();
      families = createFamilies();
    },
  };
}

export const hoursOf = ({ sinceMs, untilMs }: ScorecardRange): Pick<FiguresQuery, 'sinceHour' | 'untilHour'> => ({
  ...(sinceMs === undefined ? {} : { sinceHour: hourOf(sinceMs) }),
  ...(untilMs === undefined ? {} : { untilHour: -hourOf(-untilMs) }),
});

export const attemptsIn = (
  { session, sinceMs = 0, untilMs = Number.MAX_SAFE_INTEGER }: ScorecardRange,
  familyOf: (session: string) => readonly string[],
): AttemptsQuery => ({ sinceMs, untilMs, ...(session === undefined ? {} : { sessions: familyOf(session) }) });

function sessionCells(card: Scorecard, store: Store | null, session: string): readonly CellRow[] {
  const own = cellsIn(card, session) ?? [];
  const serials = new Set(own.map(({ serial }) => serial));
  return [...own, ...(store?.figures({ session }) ?? []).filter(({ serial }) => !serials.has(serial))];
}

/** The parent reported longest ago is dropped first. */
const PARENTS_MAX = 5_000;

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
