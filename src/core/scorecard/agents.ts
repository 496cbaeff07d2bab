import type { AgentFigures } from '../../contract/scorecard';
import { createTimesSum, rateOf, type TimesSum } from '../../engine/scorecard';
import type { AttemptExport, RefusedTurn } from '../base/store-rows';
import { rounded } from './document';

type Result = 'answered' | 'failed' | 'neutral' | 'open';

type Turn = {
  readonly agent: string;
  attempts: number;
  failures: number;
  retries: number;
  waitedMs: number;
  /** Requests that failed, or were replaced by another model without an answer. */
  troubles: number;
  hasLeadFailed: boolean;
  isTakenOver: boolean;
  last: Readonly<{ model: string; isLead: boolean; result: Result; at: number; endedAt: number | null }>;
};

type Attempt = Pick<
  AttemptExport,
  'at' | 'turn' | 'agent' | 'model' | 'position' | 'purpose' | 'outcome' | 'durationMs' | 'kind'
>;

type Requests = { successes: number; failures: number; times: TimesSum; reasons: Map<string, number> };

const RESULTS: Readonly<Record<Attempt['outcome'], Result>> = {
  success: 'answered',
  slow: 'answered',
  failure: 'failed',
  limited: 'failed',
  neutral: 'neutral',
  inFlight: 'open',
};

/**
 * A turn has the result of its last request; the primary is position 0, or any model without a chain. Titles and
 * compactions are not turns. A refused turn has failed unless a model was called for it later, as OpenCode does where
 * the turn cannot be moved. @param attempts oldest first.
 */
export function agentRows(attempts: Iterable<Attempt>, refused: Iterable<RefusedTurn> = []): AgentFigures[] {
  const tally = createAgentTally();
  tally.add(attempts);
  return tally.rows(refused);
}

/** {@link agentRows} for attempts in several parts, oldest first. */
export function createAgentTally() {
  const turns = new Map<string, Turn>();
  const internal = new Map<string, number>();
  const requests = new Map<string, Requests>();
  return {
    add(attempts: Iterable<Attempt>): void {
      for (const attempt of attempts)
        if (attempt.purpose === 'turn') {
          note(turns, attempt);
          noteRequest(requests, attempt);
        } else internal.set(`${attempt.agent} ${attempt.turn}`, attempt.at);
    },
    rows: (refused: Iterable<RefusedTurn> = []) => rowsFrom({ turns, internal, requests }, refused),
  };
}

type Tallied = Readonly<{
  turns: ReadonlyMap<string, Turn>;
  internal: ReadonlyMap<string, number>;
  requests: ReadonlyMap<string, Requests>;
}>;

function rowsFrom({ turns, internal, requests }: Tallied, refused: Iterable<RefusedTurn>): AgentFigures[] {
  const agents = new Map<string, Turns>();
  const of = (agent: string): Turns => {
    const theirs = agents.get(agent) ?? { asked: [], unasked: new Set() };
    agents.set(agent, theirs);
    return theirs;
  };
  for (const { turn, agent, at } of refused) {
    const existing = turns.get(turn);
    if (existing && existing.last.at <= at) existing.last = { ...existing.last, result: 'failed' };
    else if (!existing && (internal.get(`${agent} ${turn}`) ?? Number.NEGATIVE_INFINITY) < at)
      of(agent).unasked.add(turn);
  }
  for (const turn of turns.values()) of(turn.agent).asked.push(turn);
  return [...agents]
    .map(([agent, theirs]) => ({ ...rowOf(agent, theirs), ...requestFigures(requests.get(agent)) }))
    .sort((a, b) => (a.agent < b.agent ? -1 : 1));
}

function noteRequest(requests: Map<string, Requests>, { agent, outcome, durationMs, kind }: Attempt): void {
  const of = requests.get(agent) ?? { successes: 0, failures: 0, times: createTimesSum(), reasons: new Map() };
  requests.set(agent, of);
  const result = RESULTS[outcome];
  if (result === 'failed') of.failures++;
  if (result === 'answered') {
    of.successes++;
    if (durationMs !== null) of.times.add(durationMs);
  }
  if (kind !== null) of.reasons.set(kind, (of.reasons.get(kind) ?? 0) + 1);
}

function requestFigures(
  of: Requests = { successes: 0, failures: 0, times: createTimesSum(), reasons: new Map() },
): Pick<AgentFigures, 'successes' | 'successRate' | 'avgResponseTimeMs' | 'p50Ms' | 'p95Ms' | 'failureReasons'> {
  const { avgResponseTimeMs, ...percentiles } = of.times.figures();
  return {
    successes: of.successes,
    successRate: rounded(rateOf(of.successes, of.successes + of.failures)),
    avgResponseTimeMs: avgResponseTimeMs === null ? null : Math.round(avgResponseTimeMs),
    ...percentiles,
    failureReasons: Object.fromEntries(of.reasons),
  };
}

type Turns = Readonly<{ asked: Turn[]; unasked: Set<string> }>;

function note(turns: Map<string, Turn>, attempt: Attempt): void {
  const { at, turn, agent, model, position, outcome, durationMs } = attempt;
  const isLead = position === null || position === 0;
  const result = RESULTS[outcome];
  const last = { model, isLead, result, at, endedAt: durationMs === null ? null : at + durationMs };
  const existing = turns.get(turn);
  const open = existing ?? { agent, last, ...NEW };
  if (existing && existing.last.model !== model && existing.last.result === 'neutral') trouble(open, existing.last);
  if (existing?.last.result === 'failed') {
    if (existing.last.model === model) open.retries++;
    open.waitedMs += Math.max(0, at - (existing.last.endedAt ?? at));
  }
  open.attempts++;
  open.isTakenOver ||= !isLead;
  open.last = last;
  if (result === 'failed') {
    open.failures++;
    trouble(open, last);
  }
  if (!existing) turns.set(turn, open);
}

const NEW = {
  attempts: 0,
  failures: 0,
  retries: 0,
  waitedMs: 0,
  troubles: 0,
  hasLeadFailed: false,
  isTakenOver: false,
};

function trouble(turn: Turn, { isLead }: Turn['last']): void {
  turn.troubles++;
  turn.hasLeadFailed ||= isLead;
}

function rowOf(agent: string, { asked: turns, unasked }: Turns): AgentFigures {
  const count = (isIt: (turn: Turn) => boolean, among = turns): number => among.filter(isIt).length;
  const sum = (of: (turn: Turn) => number): number => turns.reduce((all, turn) => all + of(turn), 0);
  const answered = turns.filter(({ last }) => last.result === 'answered');
  const failed = count(({ last }) => last.result === 'failed') + unasked.size;
  const decided = answered.length + failed;
  const rate = (hits: number, n = decided) => rounded(rateOf(hits, n));
  const firstTry = count(({ troubles }) => troubles === 0, answered);
  const byLead = count(({ last }) => last.isLead, answered);
  const saved = count(({ last, hasLeadFailed }) => !last.isLead && hasLeadFailed, answered);
  const takenOver = turns.filter(
    ({ isTakenOver, last }) => isTakenOver && (last.result === 'answered' || last.result === 'failed'),
  );
  return {
    agent,
    turns: {
      total: turns.length + unasked.size,
      open: count(({ last }) => last.result === 'open'),
      answered: answered.length,
      failed,
      neutral: count(({ last }) => last.result === 'neutral'),
      firstTry,
      byLead,
      saved,
      spared: answered.length - byLead - saved,
    },
    availability: { withFallback: rate(answered.length), withoutFallback: rate(byLead) },
    firstTry: rate(firstTry),
    fallbacks: rate(
      count(({ last }) => last.result === 'answered', takenOver),
      takenOver.length,
    ),
    attempts: sum(({ attempts }) => attempts),
    failures: sum(({ failures }) => failures),
    retries: sum(({ retries }) => retries),
    waitedMs: Math.round(sum(({ waitedMs }) => waitedMs)),
  };
}
