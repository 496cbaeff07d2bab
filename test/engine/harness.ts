import {
  type Decision,
  type EngineEvent,
  type EngineState,
  type Evidence,
  initialState,
  type Policy,
  type ScopeConfig,
  type Step,
  standingOf,
  step,
} from '../../src/engine';
import { DEFAULT_HEALTH } from '../../src/engine/base/config';
import { PRESETS } from '../../src/engine/policy/presets';
import { asidesIn } from './asides';

export const DIRECTORY = '/project';
export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;

export const RATE_LIMIT: Evidence = { phase: 'body', status: 429, message: 'Rate limit reached' };
export const SERVER_ERROR: Evidence = { phase: 'body', status: 500, message: 'Internal error' };
export const BAD_GATEWAY: Evidence = { phase: 'body', status: 502, message: 'Bad gateway' };
export const NETWORK: Evidence = { phase: 'headers', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' };
export const NO_KEY: Evidence = { phase: 'body', status: 401, message: 'Invalid API key' };
export const INVALID: Evidence = { phase: 'body', status: 400, message: 'Bad schema' };

type Setting = Partial<Omit<ScopeConfig, 'agents'>> & { chain?: readonly string[]; policy?: Policy };

/** A configuration of one agent, `build`, over a/1, b/1 and c/1. */
export function scope({ chain = ['a/1', 'b/1', 'c/1'], policy = PRESETS.swift, ...rest }: Setting = {}): ScopeConfig {
  return {
    enabled: true,
    health: DEFAULT_HEALTH,
    maxFallbackDepth: 3,
    onExhausted: 'error',
    backupModel: null,
    agents: { build: { chain, policy } },
    ...rest,
  };
}

/** An engine in virtual time, with shorthands for what a host tells it. */
export function createEngine(config: ScopeConfig = scope(), from: EngineState = initialState) {
  let state = from;
  let now = 0;
  let random = 0.5;
  let attempts = 0;
  let last: Step | null = null;
  const asides: ReturnType<typeof asidesIn> = [];

  const tell = (event: EngineEvent): Step => {
    last = step(state, event, now, random);
    state = last.state;
    asides.push(...asidesIn(last.facts));
    return last;
  };
  const engine = {
    tell,
    at(time: number) {
      now = time;
      return engine;
    },
    after: (ms: number) => engine.at(now + ms),
    chance(sample: number) {
      random = sample;
      return engine;
    },
    configure: (next: ScopeConfig) => tell({ type: 'scope.configured', directory: DIRECTORY, config: next }),
    prompt(turn: string, more: Partial<Extract<EngineEvent, { type: 'prompt.submitted' }>> = {}): Decision {
      const chain = config.agents.build?.chain ?? [];
      const model = chain[0] ?? 'a/1';
      const told = tell({
        type: 'prompt.submitted',
        turn,
        session: 's',
        directory: DIRECTORY,
        agent: 'build',
        model,
        hostLead: model,
        isExplicit: false,
        ...more,
      });
      return told.decisions[0] as Decision;
    },
    /** @returns the attempt's id and the decision that refuses it. */
    start(turn: string, model: string, more: Partial<Extract<EngineEvent, { type: 'attempt.started' }>> = {}) {
      const attempt = `x${++attempts}`;
      const told = tell({
        type: 'attempt.started',
        attempt,
        turn,
        session: 's',
        directory: DIRECTORY,
        agent: 'build',
        model,
        purpose: 'turn',
        ...more,
      });
      return { attempt, refusal: told.decisions[0] ?? null };
    },
    fail(turn: string, model: string, evidence: Evidence): Decision {
      const { attempt } = engine.start(turn, model);
      return engine.failed(attempt, evidence);
    },
    failed(attempt: string, evidence: Evidence): Decision {
      return tell({ type: 'attempt.failed', attempt, evidence, durationMs: 1 }).decisions[0] as Decision;
    },
    succeed(turn: string, model: string) {
      const { attempt } = engine.start(turn, model);
      return engine.succeeded(attempt);
    },
    succeeded: (attempt: string) =>
      tell({ type: 'attempt.succeeded', attempt, durationMs: 1, firstTokenMs: 1, outputChars: 1 }),
    tick: () => tell({ type: 'tick' }),
    standing: (model: string) => standingOf(state, model, now),
    shown(model: string) {
      const { state: shown, code, use, until } = standingOf(state, model, now);
      return { state: shown, code, use, until };
    },
    codes: () => asides.map(({ type }): string => type),
    asides: () => asides,
    state: () => state,
    wakeAt: () => last?.wakeAt ?? null,
    now: () => now,
  };
  engine.configure(config);
  return engine;
}
export type Engine = ReturnType<typeof createEngine>;
