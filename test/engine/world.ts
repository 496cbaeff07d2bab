import {
  DEFAULT_HEALTH,
  type DecidedAction,
  type Decision,
  type EngineEvent,
  type EngineState,
  type Evidence,
  initialState,
  type ModelId,
  type ScopeConfig,
  type Step,
  SWIFT,
  standingOf,
  step,
} from '../../src/engine';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const DIRECTORY = '/project';
export const AGENT = 'build';

/** A failure of each sort that tests speak of most. */
export const EVIDENCE = {
  rateLimit: { phase: 'body', status: 429, message: 'Rate limit reached' },
  quota: { phase: 'body', status: 429, code: 'insufficient_quota', message: 'You exceeded your current quota' },
  serverError: { phase: 'body', status: 500, message: 'The server had an error' },
  overloaded: { phase: 'body', status: 529, code: 'overloaded_error', message: 'Overloaded' },
  auth: { phase: 'body', status: 401, code: 'invalid_api_key', message: 'Incorrect API key provided' },
  permission: { phase: 'body', status: 403, message: 'Forbidden' },
  network: { phase: 'headers', code: 'ECONNREFUSED', message: 'Unable to connect' },
  silence: { phase: 'watchdog', observed: 'timeout', message: 'No first token within 60 s' },
  malformed: { phase: 'stream', observed: 'early_termination' },
  empty: { phase: 'stream', observed: 'empty_response' },
  invalid: { phase: 'body', status: 400, message: 'messages: at least one message is required' },
  picture: { phase: 'body', status: 400, message: 'This model does not support image input' },
} as const satisfies Record<string, Evidence>;

/** A configuration with one chain for every agent. */
export function scopeOf(chain: readonly ModelId[], changes: Partial<ScopeConfig> = {}): ScopeConfig {
  return {
    enabled: true,
    health: DEFAULT_HEALTH,
    maxFallbackDepth: 3,
    onExhausted: 'error',
    backupModel: null,
    agents: chain.length > 0 ? { '*': { chain, policy: SWIFT } } : {},
    ...changes,
  };
}

type Prompt = Partial<Omit<Extract<EngineEvent, { type: 'prompt.submitted' }>, 'type'>>;
type Start = Partial<Omit<Extract<EngineEvent, { type: 'attempt.started' }>, 'type'>>;

/** The engine under a clock that only the test moves. */
export class World {
  now = 0;
  state: EngineState = initialState;
  last: Step | null = null;
  /** Decisions of the whole run, in order. */
  readonly decisions: Decision[] = [];
  #attempts = 0;

  constructor(chain: readonly ModelId[] = ['a/1', 'b/1', 'c/1'], changes: Partial<ScopeConfig> = {}) {
    this.configure(scopeOf(chain, changes));
  }

  configure(config: ScopeConfig, directory = DIRECTORY): Step {
    return this.tell({ type: 'scope.configured', directory, config });
  }

  /** Moves the clock on. */
  wait(ms: number): this {
    this.now += ms;
    return this;
  }

  tell(event: EngineEvent): Step {
    const result = step(this.state, event, this.now, 0.5);
    this.state = result.state;
    this.last = result;
    this.decisions.push(...result.decisions);
    return result;
  }

  tick(): Step {
    return this.tell({ type: 'tick' });
  }

  /** A user message of session `s`, by default one that names no model and would go to the lead. */
  prompt(turn: string, changes: Prompt = {}): Decision {
    const [decision] = this.tell({
      type: 'prompt.submitted',
      turn,
      session: 's',
      directory: DIRECTORY,
      agent: AGENT,
      model: 'a/1',
      hostLead: 'a/1',
      isExplicit: false,
      ...changes,
    }).decisions;
    if (!decision) throw new Error('a prompt without a decision');
    return decision;
  }

  /** A request that leaves. @returns its id, and the decision when it was refused. */
  start(turn: string, model: ModelId, changes: Start = {}): { attempt: string; decision: Decision | null } {
    const attempt = `${turn}:${this.#attempts++}`;
    const [decision = null] = this.tell({
      type: 'attempt.started',
      attempt,
      turn,
      session: 's',
      directory: DIRECTORY,
      agent: AGENT,
      model,
      purpose: 'turn',
      ...changes,
    }).decisions;
    return { attempt, decision };
  }

  fail(attempt: string, evidence: Evidence, decided?: DecidedAction): Decision | null {
    const event = {
      type: 'attempt.failed',
      attempt,
      evidence,
      durationMs: 10,
      ...(decided ? { decided } : {}),
    } as const;
    return this.tell(event).decisions[0] ?? null;
  }

  succeed(attempt: string): Step {
    return this.tell({ type: 'attempt.succeeded', attempt, durationMs: 900, firstTokenMs: 300, outputChars: 120 });
  }

  /** A request that leaves and fails at once. */
  failing(turn: string, model: ModelId, evidence: Evidence): Decision | null {
    return this.fail(this.start(turn, model).attempt, evidence);
  }

  /** A request that leaves and is answered at once. */
  answering(turn: string, model: ModelId): Step {
    return this.succeed(this.start(turn, model).attempt);
  }

  /** The request of a session of its own, which leaves every other one alone. */
  failingAlone(model: ModelId, evidence: Evidence): void {
    const id = `alone-${this.#attempts}`;
    const { attempt } = this.start(id, model, { session: id });
    this.fail(attempt, evidence);
    this.tell({ type: 'session.closed', session: id });
  }

  standing(model: ModelId): { state: string; use: string; code: string | null; inMs: number | null } {
    const { state, use, code, until } = standingOf(this.state, model, this.now);
    return { state, use, code, inMs: until === null ? null : until - this.now };
  }
}

/** Who a decision is for, without its trace. */
export const outline = (decision: Decision | null): unknown => decision && { ...decision.action, code: decision.code };
