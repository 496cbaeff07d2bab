import {
  DEFAULT_HEALTH,
  type EngineEvent,
  type EngineState,
  type Evidence,
  initialState,
  type ModelId,
  type ScopeConfig,
  type Step,
  step,
} from '../../../src/engine';
import { PRESETS } from '../../../src/engine/policy/presets';
import type { LogEntry } from '../../../src/engine/tools';
import { seeded } from '../../engine/naive';

const DIRECTORY = '/project';
export const CHAIN_LENGTH = 5;
/** As many agents as make 1,000 models, each with a chain of its own. */
const AGENTS = 200;
export const MODELS = AGENTS * CHAIN_LENGTH;
const PROVIDERS = 50;
/** Turns come from so many conversations, one after the other. */
const SESSIONS = 50;
/** Share of requests that fail in a history. */
const FAILURE_SHARE = 0.2;
/** Between two turns, ms. */
const PAUSE_MS = 2_000;

export const LIMITED: Evidence = {
  phase: 'body',
  status: 429,
  code: 'rate_limit_exceeded',
  message: 'Rate limit reached for requests. Please try again in 20s.',
  headers: { 'retry-after': '20' },
};
const KINDS: readonly Evidence[] = [
  LIMITED,
  { phase: 'body', status: 500, message: 'The server had an error' },
  { phase: 'body', status: 529, code: 'overloaded_error', message: 'Overloaded' },
  { phase: 'watchdog', observed: 'timeout', message: 'No first token within 60 s' },
  { phase: 'headers', code: 'ECONNRESET', message: 'read ECONNRESET' },
];

const modelOf = (number: number): ModelId => `p${number % PROVIDERS}/m${number}`;
const chainOf = (agent: number): readonly ModelId[] =>
  Array.from({ length: CHAIN_LENGTH }, (_, position) => modelOf(agent + position * AGENTS));

const config: ScopeConfig = {
  enabled: true,
  health: DEFAULT_HEALTH,
  maxFallbackDepth: 3,
  onExhausted: 'error',
  backupModel: null,
  agents: Object.fromEntries(
    Array.from({ length: AGENTS }, (_, agent) => [`agent-${agent}`, { chain: chainOf(agent), policy: PRESETS.swift }]),
  ),
};

/** Who asks in the turn of a number. */
function asker(number: number) {
  const agent = number % AGENTS;
  const who = { turn: `t${number}`, session: `s${number % SESSIONS}`, directory: DIRECTORY, agent: `agent-${agent}` };
  return { who, lead: chainOf(agent)[0] as ModelId };
}

export function prompted(number: number): EngineEvent {
  const { who, lead } = asker(number);
  return { type: 'prompt.submitted', ...who, model: lead, hostLead: lead, isExplicit: false };
}

export function started(number: number, attempt: string, model = asker(number).lead): EngineEvent {
  return { type: 'attempt.started', attempt, ...asker(number).who, model, purpose: 'turn' };
}

export const succeeded = (attempt: string): EngineEvent => ({
  type: 'attempt.succeeded',
  attempt,
  durationMs: 900,
  firstTokenMs: 300,
  outputChars: 120,
});

export const failed = (attempt: string, evidence: Evidence): EngineEvent => ({
  type: 'attempt.failed',
  attempt,
  evidence,
  durationMs: 80,
});

/** An engine that writes down what it is told. */
function recorder() {
  const log: LogEntry[] = [];
  let state: EngineState = initialState;
  return {
    log,
    state: () => state,
    tell(event: EngineEvent, at: number): Step {
      log.push({ at, event });
      const result = step(state, event, at, 0.5);
      state = result.state;
      return result;
    },
  };
}

/** A state that knows 1,000 models, each of which has answered once, with one turn under way for every agent. */
export function seasoned(): EngineState {
  const { tell, state } = recorder();
  tell({ type: 'scope.configured', directory: DIRECTORY, config }, 0);
  for (let number = 0; number < MODELS; number++) {
    tell(started(number, `warm-${number}`, modelOf(number)), number);
    tell(succeeded(`warm-${number}`), number);
  }
  for (let session = 0; session < SESSIONS; session++) tell({ type: 'session.closed', session: `s${session}` }, MODELS);
  for (let agent = 0; agent < AGENTS; agent++) tell(prompted(agent), MODELS);
  return state();
}

/** Turns under way in `seasoned()`. */
export const TURNS_UNDER_WAY = AGENTS;

/** A log of whole turns over 1,000 models, a fifth of whose requests fail in five ways. */
export function history(events: number): readonly LogEntry[] {
  const random = seeded(1);
  const { tell, log } = recorder();
  tell({ type: 'scope.configured', directory: DIRECTORY, config }, 0);
  let now = 0;
  for (let number = 0; log.length < events; number++) {
    now += PAUSE_MS;
    let action = tell(prompted(number), now).decisions[0]?.action;
    for (let request = 0; action && 'to' in action; request++) {
      const attempt = `t${number}.${request}`;
      const refusal = tell(started(number, attempt, action.to), now).decisions[0];
      if (refusal) {
        action = refusal.action;
        continue;
      }
      if (random() >= FAILURE_SHARE) {
        tell(succeeded(attempt), now);
        break;
      }
      const evidence = KINDS[Math.floor(random() * KINDS.length)] as Evidence;
      action = tell(failed(attempt, evidence), now).decisions[0]?.action;
    }
    tell({ type: 'session.idle', session: `s${number % SESSIONS}` }, now);
  }
  return log.slice(0, events);
}
