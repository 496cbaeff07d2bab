import type { Handlers, QueryOutput } from '../../contract/contract';
import type { TimelineAttempt, TimelineTurn } from '../../contract/sessions';
import type { EventRow } from '../../contract/snapshot';
import { NANOS } from '../../engine/scorecard';
import type { AttemptExport, Store, StoredTurn, StoredUse } from '../base/store-rows';

export type TimelineSources = Readonly<{
  store: Pick<Store, 'attempts' | 'used'>;
  /** In memory, oldest first. */
  decisions(): readonly EventRow[];
  /** The session itself first, then its sub-agents. */
  family: readonly string[];
}>;

type Page = Omit<Parameters<Handlers['sessions.timeline']>[0], 'session' | 'isAxisWanted'>;
type Numbered = StoredTurn & Readonly<{ number: number }>;

/** The others are only counted: a page of 50 turns must fit one response of the socket. */
const ATTEMPTS_SHOWN = 20;
/** Maximum time between an attempt and its decision, in ms. */
const CLOCKS_APART_MS = 1_000;

export function timelineOf(
  turns: readonly StoredTurn[],
  { store, decisions, family }: TimelineSources,
  { after, limit, isTroubleOnly, within }: Page,
): Omit<QueryOutput<'sessions.timeline'>, 'entry' | 'axis'> {
  const all: Numbered[] = turns.map((turn, at) => ({ ...turn, number: at + 1 }));
  const troubled = all.filter(({ isTroubled }) => isTroubled);
  const fitting = (isTroubleOnly ? troubled : all).filter((turn) => within === null || isIn(turn, within));
  const wanted = fitting.filter(({ number }) => number > (after ?? 0));
  const shown = wanted.slice(0, limit);
  const sinceMs = Math.min(...shown.map(({ at }) => at));
  const untilMs = Math.max(...shown.map(({ lastAt }) => lastAt)) + 1;
  const isAny = shown.length > 0;
  const attempts = grouped(isAny ? store.attempts({ sinceMs, untilMs, sessions: family }) : [], isOfTurn);
  const used = grouped(isAny ? store.used(family, sinceMs) : [], () => true);
  const events = decisions().filter(({ session, trace }) => trace.length > 0 && family.includes(session ?? ''));
  return {
    turns: shown.map((turn) => {
      const own = { attempts: attempts.get(turn.turn) ?? [], used: used.get(turn.turn) ?? [], events };
      return turnOf(turn, own, turn.session !== family[0]);
    }),
    total: all.length,
    troubled: troubled.length,
    found: fitting.length,
    next: wanted.length > shown.length ? (shown.at(-1)?.number ?? null) : null,
  };
}

const isIn = ({ at, until }: StoredTurn, time: NonNullable<Page['within']>): boolean =>
  at <= time.until && until >= time.since;

const isOfTurn = ({ purpose }: AttemptExport): boolean => purpose === 'turn';

function grouped<T extends { turn: string }>(rows: Iterable<T>, isMeant: (row: T) => boolean): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    if (!isMeant(row)) continue;
    const group = groups.get(row.turn);
    if (group) group.push(row);
    else groups.set(row.turn, [row]);
  }
  return groups;
}

type Own = Readonly<{ attempts: readonly AttemptExport[]; used: readonly StoredUse[]; events: readonly EventRow[] }>;

function turnOf({ number, turn, agent, at, isTroubled }: Numbered, own: Own, isSubAgent: boolean): TimelineTurn {
  const runs = runsOf(own.attempts);
  for (const use of own.used) addUse(runs, use);
  runs.forEach((run, index) => {
    run.event = eventOf(run, { agent, events: own.events, next: runs[index + 1], isFirst: index === 0 });
  });
  const hidden = Math.max(0, runs.length - ATTEMPTS_SHOWN);
  runs.splice(ATTEMPTS_SHOWN / 2, hidden);
  return {
    number,
    turn,
    agent,
    isSubAgent,
    at,
    outcome: outcomeOf(own.attempts.at(-1)),
    isTroubled,
    attempts: runs,
    hidden,
  };
}

function outcomeOf(last: AttemptExport | undefined): TimelineTurn['outcome'] {
  switch (last?.outcome) {
    case 'success':
    case 'slow':
      return 'answered';
    case 'failure':
    case 'limited':
      return 'lost';
    case 'inFlight':
      return 'open';
    default:
      return 'stopped';
  }
}

type Run = { -readonly [Key in keyof TimelineAttempt]: TimelineAttempt[Key] };

const isAnswered = ({ outcome }: Pick<AttemptExport, 'outcome'>): boolean =>
  outcome === 'success' || outcome === 'slow';

/** Merges consecutive answers of one model: a turn with tools has dozens. */
function runsOf(attempts: readonly AttemptExport[]): Run[] {
  const runs: Run[] = [];
  for (const attempt of attempts) {
    const last = runs.at(-1);
    const { model, position, outcome, kind, status, at, durationMs, firstTokenMs } = attempt;
    const until = durationMs === null ? null : at + durationMs;
    if (last?.model === model && isAnswered(last) && isAnswered(attempt)) {
      last.requests += 1;
      last.until = until;
      last.durationMs = (last.durationMs ?? 0) + (durationMs ?? 0);
      if (outcome === 'slow') last.outcome = outcome;
      continue;
    }
    const run = { model, position, outcome, kind: kind as Run['kind'], status, at, until, durationMs, firstTokenMs };
    runs.push({ ...run, requests: 1, tokens: null, cost: null, event: null });
  }
  return runs;
}

/** A usage report names no attempt: it belongs to the last run of its model before it. */
function addUse(runs: readonly Run[], { model, at, tokens, costNanos }: StoredUse): void {
  const own = runs.filter((run) => run.model === model);
  const run = own.findLast((each) => each.at <= at) ?? own[0];
  if (!run) return;
  run.tokens = (run.tokens ?? 0) + tokens;
  if (costNanos !== null) run.cost = (run.cost ?? 0) + costNanos / NANOS;
}

type Around = Readonly<{ agent: string; events: readonly EventRow[]; next: Run | undefined; isFirst: boolean }>;

/** The decision after the failure, or the reason for beginning with a fallback; null if not in memory. */
function eventOf(run: Run, { agent, events, next, isFirst }: Around): number | null {
  const isNear = (event: EventRow, from: number, to: number): boolean =>
    event.agent === agent && event.at >= from - CLOCKS_APART_MS && event.at <= to + CLOCKS_APART_MS;
  if (!isAnswered(run)) {
    const ended = run.until ?? next?.at ?? run.at;
    return events.find((event) => event.model === run.model && isNear(event, ended, next?.at ?? ended))?.id ?? null;
  }
  if (!isFirst || (run.position ?? 0) === 0) return null;
  return events.findLast((event) => event.to === run.model && isNear(event, run.at, run.at))?.id ?? null;
}
