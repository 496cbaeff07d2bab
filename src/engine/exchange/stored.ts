import type { BudgetLevel } from '../base/money';
import { emptyTable } from '../base/table';
import type { Window } from '../base/window';
import type { Health } from '../health/health';
import { shiftState } from '../state/shift';
import { type EngineState, initialState } from '../state/state';
import { announcedAgain } from '../step/announce';
import { strictestOf } from '../step/scopes';
import { boundCircuits } from '../step/sync';

/** Increase it if older engines cannot read a new state. */
export const STATE_VERSION = 1;

/** Times are ms relative to the save. */
export type SavedState = Readonly<{ format: 'understudy.engine'; v: number; state: EngineState }>;

/** `damage`: reason for an empty state. */
export type Restored = Readonly<{ state: EngineState; damage: 'state.damaged' | 'state.newer' | null }>;

export function saveState(state: EngineState, now: number): SavedState {
  return { format: 'understudy.engine', v: STATE_VERSION, state: shiftState(state, -now) };
}

/** Discards a damaged or newer state completely. Never throws. */
export function restoreState(saved: unknown, now: number): Restored {
  const anew = (damage: Restored['damage']): Restored => ({ state: initialState, damage });
  if (!isRecord(saved) || saved.format !== 'understudy.engine' || typeof saved.v !== 'number')
    return anew('state.damaged');
  if (saved.v > STATE_VERSION) return anew('state.newer');
  const state = saved.state;
  try {
    if (!isRecord(state) || !isWhole(state)) return anew('state.damaged');
    const whole = { ...initialState, ...state } as EngineState;
    const strict = strictestOf(whole.scopes);
    const shifted = shiftState({ ...whole, strict, grants: emptyTable(), elsewhere: [] }, now);
    const sound = { ...shifted };
    boundCircuits(sound, now);
    return { state: announcedAgain(sound, now), damage: null };
  } catch {
    // silent: a value of an unforeseen shape is damage, and is reported as that
    return anew('state.damaged');
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Check = (value: unknown) => boolean;
const num: Check = (value) => typeof value === 'number' && !Number.isNaN(value);
const text: Check = (value) => typeof value === 'string';
const flag: Check = (value) => typeof value === 'boolean';
const record: Check = isRecord;
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const shape =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isRecord(value) && Object.entries(fields).every(([name, check]) => check(value[name]));

/** As many buckets as this engine's tables. */
const table =
  (check: Check): Check =>
  (value) =>
    list(list((entry) => Array.isArray(entry) && entry.length === 2 && text(entry[0]) && check(entry[1])))(value) &&
    (value as unknown[]).length === emptyTable().length;

const breaker: Check = (value) =>
  shape({ kind: text, generation: num, serial: num, trips: num, calmSince: maybe(num) })(value) &&
  isRecord(value) &&
  (value.kind === 'closed'
    ? list(num)(value.failures)
    : value.kind === 'open'
      ? num(value.until) && maybe(text)(value.machine)
      : value.kind === 'halfOpen' && orNull(shape({ serial: num, since: num, machine: maybe(text) }))(value.probe));

const health = shape({
  breaker,
  limit: orNull(
    shape({
      kind: text,
      until: num,
      preferAt: num,
      source: text,
      since: num,
      returns: maybe(num),
      machine: maybe(text),
    }),
  ),
  rest: orNull(shape({ kind: text, until: num, since: num, machine: maybe(text) })),
  block: orNull(shape({ kind: text, since: num })),
  last: orNull(shape({ kind: text, status: orNull(num), message: text, at: num })),
  calls: num,
  failed: num,
  directory: orNull(text),
} satisfies Record<keyof Health, Check>);
const failed = { model: text, kind: text, status: orNull(num) };
const permit = shape({ generation: num, serial: num });
const callPermit = shape({ model: permit, provider: permit });
const until = { until: orNull(num), by: text, since: num };

const windows = table(
  list(
    shape({
      id: text,
      unit: text,
      lengthMs: orNull(num),
      model: orNull(text),
      family: orNull(text),
      source: text,
      used: num,
      limit: orNull(num),
      remaining: orNull(num),
      resetAt: orNull(num),
      refills: text,
      charges: text,
      at: num,
      asOf: num,
      step: orNull(shape({ sum: num, count: num, most: num })),
      passed: num,
      owed: list(shape({ at: num, part: orNull(num) })),
      pace: orNull(shape({ perHour: num, variance: num, weight: num, samples: num, since: num })),
    } satisfies Partial<Record<keyof Window, Check>>),
  ),
);

const STATE: Readonly<Record<Exclude<keyof EngineState, 'v' | 'strict' | 'grants' | 'elsewhere'>, Check>> = {
  scopes: table(shape({ enabled: flag, health: record, maxFallbackDepth: num, agents: record })),
  models: table(health),
  providers: table(health),
  attempts: table(
    shape({
      attempt: text,
      turn: text,
      session: text,
      agent: maybe(text),
      model: text,
      position: maybe(orNull(num)),
      key: maybe(text),
      purpose: text,
      directory: text,
      permit: callPermit,
      before: maybe(num),
    }),
  ),
  turns: table(
    shape({
      turn: text,
      session: text,
      directory: text,
      agent: text,
      lead: text,
      model: text,
      switches: num,
      tried: list(shape({ model: text, kind: text })),
      left: maybe(list(text)),
      held: list(text),
      cut: list(text),
      failedAttempts: num,
      used: maybe(record),
      isMoved: maybe(flag),
      hostSince: maybe(num),
    }),
  ),
  speakers: table(
    shape({
      session: text,
      agent: text,
      lead: text,
      active: text,
      since: num,
      status: text,
      waits: maybe(shape({ ...failed, by: text, since: num, at: maybe(num), until: orNull(num) })),
    }),
  ),
  sessions: table(
    shape({
      session: text,
      parent: orNull(text),
      directory: text,
      at: num,
      quick: maybe(num),
      answered: maybe(text),
      refused: maybe(list(text)),
      outcomes: maybe(text),
    }),
  ),
  shown: table(text),
  troubled: list(shape({ model: text, at: num })),
  manual: table(shape({ isolatedBy: list(text), hold: orNull(shape({ ...until, state: text })) })),
  flaps: table(list(num)),
  resets: table(num),
  revisions: table(num),
  pins: table(shape({ ...until, model: text })),
  pause: orNull(shape(until)),
  budgets: table(shape({ retries: num, isWarned: flag })),
  streaks: table(shape({ kind: text, used: num, at: num })),
  unreached: table(num),
  offline: orNull(shape({ since: num, at: num })),
  questions: list(shape({ id: text, session: text, turn: text, model: text, kind: text, putAt: orNull(num) })),
  money: list(
    shape({
      id: text,
      period: text,
      action: text,
      limit: num,
      spent: num,
      until: orNull(num),
      maxPrice: orNull(num),
      provider: orNull(text),
      agent: orNull(text),
      directory: orNull(text),
      session: orNull(text),
      isAllowed: flag,
      allowsUnpriced: maybe(flag),
    } satisfies Record<keyof BudgetLevel, Check>),
  ),
  budgetMarks: table(num),
  drains: table(shape({ said: text, until: num })),
  resumedAt: orNull(num),
  windows,
  counted: windows,
};

/** Older states may lack parts. */
function isWhole(state: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(STATE).every(([name, check]) => state[name] === undefined || check(state[name]));
}
