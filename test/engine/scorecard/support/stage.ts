import type { ScopeConfig } from '../../../../src/engine/base/config';
import { DEFAULT_HEALTH } from '../../../../src/engine/base/config';
import type { Decision } from '../../../../src/engine/base/decision';
import type { ModelId } from '../../../../src/engine/base/ids';
import { SWIFT } from '../../../../src/engine/policy/swift';
import {
  emptyScorecard,
  record,
  type Scorecard,
  type ScorecardEvent,
  type ScorecardOptions,
  type ScorecardQuery,
  type ScorecardReport,
  type ScorecardStep,
  scorecardOf,
} from '../../../../src/engine/scorecard';
import type { EngineEvent, Evidence } from '../../../../src/engine/state/events';
import { type EngineState, initialState } from '../../../../src/engine/state/state';
import { step } from '../../../../src/engine/step/step';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
/** A lead of one provider and two understudies, the first of the lead's own provider. */
export const LEAD = 'acme/lead';
export const UNDERSTUDY = 'acme/second';
export const OTHER = 'globex/third';

/** Error bodies the real classifier reads as the kind they are filed under. */
export const EVIDENCE = {
  rate_limit: { phase: 'body', status: 429, message: 'rate limit exceeded' },
  short_hint: { phase: 'body', status: 429, headers: { 'retry-after-ms': '1500' } },
  long_hint: { phase: 'body', status: 429, headers: { 'retry-after': '900' } },
  network_transient: { phase: 'headers', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' },
  quota: { phase: 'body', status: 429, code: 'insufficient_quota', message: 'quota' },
  server_error: { phase: 'body', status: 500, message: 'internal server error' },
  overloaded: { phase: 'body', status: 529, code: 'overloaded_error', message: 'overloaded' },
  auth: { phase: 'body', status: 401, message: 'invalid api key' },
  model_not_found: { phase: 'body', status: 404, code: 'model_not_found', message: 'no such model' },
  empty_response: { phase: 'stream', observed: 'empty_response' },
  early_termination: { phase: 'stream', observed: 'early_termination', outputChars: 40 },
  stream_interrupted: { phase: 'stream', observed: 'stream_interrupted', outputChars: 40 },
  invalid_request: { phase: 'body', status: 422, message: 'schema' },
  aborted: { phase: 'stream', observed: 'aborted' },
} as const satisfies Record<string, Evidence>;
export type EvidenceName = keyof typeof EVIDENCE;

export const config = (chain: readonly ModelId[] = [LEAD, UNDERSTUDY, OTHER]): ScopeConfig => ({
  enabled: true,
  health: DEFAULT_HEALTH,
  maxFallbackDepth: 3,
  onExhausted: 'error',
  backupModel: null,
  agents: { '*': { chain, policy: SWIFT } },
});

type Heard = Readonly<{ tellsFlaws?: true }>;

/** An engine and a scorecard that hear the same events. */
export type Stage = Readonly<{
  tell: (event: ScorecardEvent, at: number) => readonly Decision[];
  prompt: (turn: string, at: number, session?: string) => readonly Decision[];
  start: (attempt: string, model: ModelId, at: number, session?: string, more?: Heard) => readonly Decision[];
  fail: (attempt: string, how: EvidenceName | Evidence, at: number, durationMs?: number) => readonly Decision[];
  answer: (attempt: string, at: number, durationMs?: number, firstTokenMs?: number) => void;
  idle: (at: number, session?: string) => void;
  card: () => Scorecard;
  state: () => EngineState;
  steps: () => readonly ScorecardStep[];
  report: (query?: Partial<ScorecardQuery>) => ScorecardReport;
}>;

/** Opens a stage. An attempt named `turn:n` belongs to `turn`. */
export function stage(options: Partial<ScorecardOptions> = {}, scope = config()): Stage {
  let state = initialState;
  let card = emptyScorecard(options);
  const steps: ScorecardStep[] = [];
  const tell = (event: ScorecardEvent, at: number): readonly Decision[] => {
    const own = event.type === 'usage.recorded' || event.type === 'answer.continued' || event.type === 'tool.failed';
    const result = own ? { state, decisions: [], facts: [] } : step(state, event as EngineEvent, at, 0.5);
    state = result.state;
    const { decisions, facts } = result;
    const taken = { event, decisions, facts, now: at };
    steps.push(taken);
    card = record(card, taken);
    return result.decisions;
  };
  tell({ type: 'scope.configured', directory: '/project', config: scope }, 0);
  const where = { directory: '/project', agent: 'build' };
  return {
    tell,
    prompt: (turn, at, session = 's1') =>
      tell({ type: 'prompt.submitted', turn, session, ...where, model: LEAD, hostLead: LEAD, isExplicit: false }, at),
    start: (attempt, model, at, session = 's1', more = {}) => {
      const turn = attempt.slice(0, attempt.lastIndexOf(':'));
      return tell({ type: 'attempt.started', attempt, turn, session, ...where, model, purpose: 'turn', ...more }, at);
    },
    fail: (attempt, how, at, durationMs = 200) => {
      const evidence = typeof how === 'string' ? EVIDENCE[how] : how;
      return tell({ type: 'attempt.failed', attempt, evidence, durationMs }, at);
    },
    answer: (attempt, at, durationMs = 1_000, firstTokenMs = 300) => {
      tell({ type: 'attempt.succeeded', attempt, durationMs, firstTokenMs, outputChars: 10 }, at);
    },
    idle: (at, session = 's1') => {
      tell({ type: 'session.idle', session }, at);
    },
    card: () => card,
    state: () => state,
    steps: () => steps,
    report: (query = {}) => scorecardOf(card, { now: steps.at(-1)?.now ?? 0, ...query }),
  };
}

/** One turn of one request by the lead, answered. */
export function answeredTurn(on: Stage, turn: string, at: number, session = 's1'): void {
  on.prompt(turn, at, session);
  on.start(`${turn}:1`, LEAD, at, session);
  on.answer(`${turn}:1`, at + SECOND);
  on.idle(at + SECOND, session);
}
