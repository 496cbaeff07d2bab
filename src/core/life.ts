import { type EngineEvent, type EngineState, type HealthKey, initialState, type Step, step } from '../engine';
import { isTime, isUsedIn, reportedHealth, shiftState, unannounced } from '../engine/tools';
import { asHeardEvent, FleetHeard } from '../protocol';
import { createLogTime } from './base/log-time';
import type { TakenStep } from './base/projection';
import type { AppEvent, LogRecord } from './base/record';
import type { Books } from './history/books';
import { engineEvents } from './history/engine-events';
import { createReports } from './other-machines/reports';
import { watchClock } from './ports/clock-watch';
import type { CorePorts } from './ports/ports';

type ClockRead = Extract<AppEvent, { type: 'clock.read' }>['clock'];

/** The engine's state, the log that can reproduce it, and its timer. */
export type Life = Readonly<{
  state(): EngineState;
  isReplaying(): boolean;
  wallOf(engineMs: number): number;
  append(record: Omit<LogRecord, 'v' | 'n'>): void;
  /** @param at engine ms. @param source the companion that sent it. */
  apply(event: EngineEvent, at: number, source?: string | null): Step;
  /** Logged at most once a minute for each model. */
  heard(report: FleetHeard): void;
  settle(): void;
  shift(movedMs: number): void;
  reset(): void;
  clockRead(): ClockRead | null;
  /** Corrects wall-clock ends after the machine may have slept. */
  woken(): void;
  /** Calls `end` before the core goes live. */
  replay(records: Iterable<LogRecord>, take: (record: LogRecord) => void, end: () => void): void;
  close(): void;
}>;

export type LifeParts = Readonly<{
  books: Books;
  took(taken: TakenStep): void;
  record(event: AppEvent, at: number): void;
  onWoken(): void;
  /** A tick that adds an event row is logged. */
  rows(): number;
}>;

/** The log is rotated when it is long, so the clocks are logged again. */
const READ_CLOCK_EVERY = 10_000;

type Taking = Readonly<{ source: string | null; isFollowed: boolean }>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function createLife({ clock, log, onStep, random }: CorePorts, parts: LifeParts): Life {
  const { books } = parts;
  const time = watchClock(clock);
  const logTime = createLogTime();
  const reports = createReports();
  let state = initialState;
  let isReplaying = false;
  let cancelWake: (() => void) | null = null;

  const wallOf = (engineMs: number): number => Math.round(engineMs + (isReplaying ? logTime : time).offsetMs());
  const readClock = (): void => {
    const read = time.read();
    if (read) parts.record({ type: 'clock.read', clock: read, movedMs: 0 }, clock.now());
  };
  const append: Life['append'] = (record) => {
    const report = record.event.type === 'fleet.heard' || engineEvents(record).length === 0 ? null : carried(record.at);
    const n = books.number();
    log.append({ v: 1, n, ...record, ...(report ? { heard: report } : {}) });
    if (n % READ_CLOCK_EVERY === 0) readClock();
  };
  const wakeFor = (next: number | null): void => {
    cancelWake?.();
    const at = Math.min(next ?? Infinity, reports.dueAt() ?? Infinity);
    cancelWake = at === Infinity ? null : clock.schedule(Math.max(0, at - clock.now()), tick);
  };
  const reportOf = (keys: readonly HealthKey[], at: number): FleetHeard | null =>
    FleetHeard.safeParse({ type: 'fleet.heard', health: reportedHealth(state, keys, at) }).data ?? null;
  const write = (keys: readonly HealthKey[], at: number): void => {
    const report = keys.length > 0 ? reportOf(keys, at) : null;
    if (report) parts.record(report, at);
  };
  /** Lets a replay apply the record's event to the same health. */
  const carried = (at: number): FleetHeard | null => {
    const keys = reports.carry((key) => isUsedIn(state, key));
    const report = keys.length > 0 ? reportOf(keys, at) : null;
    if (report) follow(report, at);
    reports.carry((key) => keys.includes(key));
    return report;
  };
  const follow = (report: FleetHeard, at: number): void => {
    // Announces what was due before the report, in a replay as well.
    if ((state.troubled[0]?.at ?? Infinity) <= at) apply({ type: 'tick' }, at);
    reports.followed(report);
    take(asHeardEvent(report), at, { source: null, isFollowed: true });
  };
  const apply: Life['apply'] = (event, at, source = null) => {
    if (event.type === 'fleet.heard') reports.written(event as FleetHeard, at);
    return take(event, at, { source, isFollowed: false });
  };
  const take = (event: EngineEvent, at: number, { source, isFollowed }: Taking): Step => {
    const before = state;
    const stepped = step(before, event, at, random());
    const isQuiet = isFollowed || isTime(event);
    const result = isQuiet ? unannounced(before, stepped, reports.withhold) : stepped;
    state = result.state;
    onStep?.(before, event, at);
    const wall = wallOf(at);
    const isNews = !isFollowed || result.facts.length > 0;
    const alert = isNews ? books.take(event, result, { state, wall, now: at, wallOf }) : null;
    parts.took({
      event,
      result,
      before,
      source,
      alert,
      wall,
      wallOf,
      after: state,
      now: at,
      isReplayed: isReplaying,
    });
    if (!isReplaying) wakeFor(result.wakeAt);
    return result;
  };
  const woken = (): void => {
    const parted = time.parted();
    if (!parted) return;
    if (parted.sleptMs > 0) parts.record({ type: 'host.resumed', asleepMs: parted.sleptMs }, clock.now());
    if (parted.setMs !== 0) readClock();
    parts.onWoken();
  };
  const tick = (): void => {
    woken();
    const at = clock.now();
    write(reports.takeDue(at), at);
    const before = parts.rows();
    apply({ type: 'tick' }, at);
    if (parts.rows() !== before) append({ at, from: null, event: { type: 'tick' } });
  };
  /** Ages the state of earlier runs by the time since then, even if the wall clock was set. */
  const begin = (): void => {
    const read = time.read();
    if (!read) return;
    const at = clock.now();
    const event = { type: 'clock.read', clock: read, movedMs: logTime.movedMs(at, read) } as const;
    append({ at, from: null, event });
    logTime.hear({ at, event });
    parts.record(event, at);
  };
  return {
    append,
    apply,
    wallOf,
    woken,
    state: () => state,
    isReplaying: () => isReplaying,
    shift: (movedMs) => {
      state = shiftState(state, movedMs);
    },
    heard(report) {
      const at = clock.now();
      // A report may answer the question that waits for a model.
      const isDeciding = state.questions.length > 0 && step(state, asHeardEvent(report), at, 0).decisions.length > 0;
      if (isDeciding || !reports.isEarly(report, at)) return parts.record(report, at);
      follow(report, at);
      write(reports.takeDue(at), at);
    },
    settle: () => write(reports.takeDue(clock.now(), true), clock.now()),
    reset: () => {
      state = initialState;
      reports.forget();
    },
    clockRead: () => time.read(),
    replay(records, takeRecord, end) {
      isReplaying = true;
      for (const record of records) {
        logTime.hear(record);
        books.replaying(record.n);
        if (record.heard) follow(record.heard, record.at);
        takeRecord(record);
      }
      reports.forget();
      books.replayed();
      begin();
      end();
      isReplaying = false;
      tick();
    },
    close: () => cancelWake?.(),
  };
}
