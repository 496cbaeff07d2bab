import { type EngineEvent, type EngineState, initialState, type Step, step } from '../engine';
import { shiftState } from '../engine/tools';
import { createLogTime } from './base/log-time';
import type { TakenStep } from './base/projection';
import type { AppEvent, LogRecord } from './base/record';
import type { Books } from './history/books';
import { watchClock } from './ports/clock-watch';
import type { CorePorts } from './ports/ports';

type ClockRead = Extract<AppEvent, { type: 'clock.read' }>['clock'];

/** What the core's engine does with time: its state, the log it can be played again from, and when it wakes by itself. */
export type Life = Readonly<{
  state(): EngineState;
  /** Whether what is taken in now happened in an earlier life. */
  isReplaying(): boolean;
  /** A moment of the engine's clock, by the wall clock. */
  wallOf(engineMs: number): number;
  append(said: Omit<LogRecord, 'v' | 'n'>): void;
  /** Takes an event in. @param at when it happened, in engine ms. @param source the companion that told it. */
  apply(event: EngineEvent, at: number, source?: string | null): Step;
  /** The clock was set: what is known is as much older. */
  shift(movedMs: number): void;
  /** Nothing is known any more. */
  reset(): void;
  /** What the clocks say; null where the system does not tell. */
  clockRead(): ClockRead | null;
  /** The machine may have slept: what ends at a moment of the wall clock is set right. */
  woken(): void;
  /** Takes in the log of an earlier life, record by record, then does `end`, and goes on living. */
  replay(records: Iterable<LogRecord>, take: (record: LogRecord) => void, end: () => void): void;
  close(): void;
}>;

/** What a life needs of the core around it. */
export type LifeParts = Readonly<{
  books: Books;
  /** Takes in every step, in order. */
  took(taken: TakenStep): void;
  /** Writes down what the core itself has seen, and takes it in. */
  record(event: AppEvent, at: number): void;
  /** The machine has slept or its clock was set. */
  onWoken(): void;
  /** How many rows of "what happened" there are: a tick that made one is written down. */
  rows(): number;
}>;

/** The log is put aside when it is long: what the clocks said is written down again every so many records. */
const READ_CLOCK_EVERY = 10_000;

/** A life in which nothing has happened. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function createLife({ clock, log, onStep, random }: CorePorts, parts: LifeParts): Life {
  const { books } = parts;
  const time = watchClock(clock);
  const logTime = createLogTime();
  let state = initialState;
  let isReplaying = false;
  let cancelWake: (() => void) | null = null;

  const wallOf = (engineMs: number): number => Math.round(engineMs + (isReplaying ? logTime : time).offsetMs());
  const readClock = (): void => {
    const read = time.read();
    if (read) parts.record({ type: 'clock.read', clock: read, movedMs: 0 }, clock.now());
  };
  const append: Life['append'] = (said) => {
    const n = books.number();
    log.append({ v: 1, n, ...said });
    if (n % READ_CLOCK_EVERY === 0) readClock();
  };
  const wakeFor = (at: number | null): void => {
    cancelWake?.();
    cancelWake = at === null ? null : clock.schedule(Math.max(0, at - clock.now()), tick);
  };
  const apply: Life['apply'] = (event, at, source = null) => {
    const before = state;
    const result = step(before, event, at, random());
    state = result.state;
    onStep?.(before, event, at);
    const wall = wallOf(at);
    const alert = books.take(event, result, { state, wall, now: at, wallOf });
    parts.took({
      ...{ event, result, before, source, alert, wall, wallOf },
      ...{ after: state, now: at, isReplayed: isReplaying },
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
    const before = parts.rows();
    apply({ type: 'tick' }, at);
    if (parts.rows() !== before) append({ at, from: null, event: { type: 'tick' } });
  };
  /** What was known in earlier lives is as much older as time has gone by since, whatever the wall clock was set to. */
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
    ...{ append, apply, wallOf, woken },
    state: () => state,
    isReplaying: () => isReplaying,
    shift: (movedMs) => {
      state = shiftState(state, movedMs);
    },
    reset: () => {
      state = initialState;
    },
    clockRead: () => time.read(),
    replay(records, take, end) {
      isReplaying = true;
      for (const record of records) {
        logTime.hear(record);
        books.replaying(record.n);
        take(record);
      }
      books.replayed();
      begin();
      end();
      isReplaying = false;
      tick();
    },
    close: () => cancelWake?.(),
  };
}
