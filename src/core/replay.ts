import { type DecidedAction, type EngineEvent, type EngineState, step } from '../engine';
import { get, type SavedState, saveState } from '../engine/tools';
import type { LogRecord } from './base/record';
import { createCore } from './core';
import type { Clock } from './ports/ports';

/** Excludes the length of a wait, which is partly random. */
export type Decided = Pick<DecidedAction, 'kind' | 'code' | 'to'>;

export type Difference = Readonly<{
  record: number;
  /** Engine ms. */
  at: number;
  event: EngineEvent['type'];
  turn: string | null;
  logged: Decided;
  replayed: Decided | null;
}>;

export type ReplayedLog = Readonly<{
  records: number;
  decisions: number;
  differences: readonly Difference[];
  /** The same log gives the same bytes. */
  state: SavedState;
}>;

const CHANCE = 0.5;

/** Repeats each decision from the state of that time. @param records oldest first. */
export function replayLog(records: readonly LogRecord[]): ReplayedLog {
  const end = records.at(-1)?.at ?? 0;
  const clock: Clock = { now: () => end, wall: () => end, uptime: () => null, schedule: () => () => undefined };
  const differences: Difference[] = [];
  let record = 0;
  let decisions = 0;
  const log = { append: () => undefined, readAll: async () => ({ records: [] }) };
  const core = createCore(
    {
      clock,
      log,
      store: null,
      random: () => CHANCE,
      onStep(before, event, at) {
        if (!('decided' in event) || event.decided === undefined) return;
        decisions++;
        const difference = differenceAt(before, event, at);
        if (difference) differences.push({ record, at, ...difference });
      },
    },
    { version: '', runtime: 'replay' },
  );
  core.replay(counted(records, (number) => (record = number)));
  const state = saveState(core.state(), end);
  core.dispose();
  return { records: records.length, decisions, differences, state };
}

function* counted(records: readonly LogRecord[], onRecord: (number: number) => void): Generator<LogRecord> {
  for (const [index, record] of records.entries()) {
    onRecord(index + 1);
    yield record;
  }
}

type Made = Extract<EngineEvent, { decided?: DecidedAction }>;

function differenceAt(before: EngineState, event: Made, at: number): Omit<Difference, 'record' | 'at'> | null {
  const { decided, ...alone } = event;
  if (decided === undefined) return null;
  const logged = comparable(decided);
  const [own] = step(before, alone as EngineEvent, at, CHANCE).decisions;
  const replayed = own ? comparable({ ...own.action, code: own.code }) : null;
  if (isSame(logged, replayed)) return null;
  const turn = 'turn' in event ? event.turn : (get(before.attempts, event.attempt)?.turn ?? null);
  return { event: event.type, turn, logged, replayed };
}

const comparable = ({ kind, code, to }: Readonly<{ kind: string; code: string; to?: string }>): Decided =>
  ({ kind, code, ...(to === undefined ? {} : { to }) }) as Decided;

/** Without a decision, a starting request counts as keeping its model. */
const isSame = (logged: Decided, replayed: Decided | null): boolean =>
  replayed === null
    ? logged.kind === 'keep'
    : logged.kind === replayed.kind && logged.to === replayed.to && logged.code === replayed.code;
