import {
  type Ability,
  type DecisionAction,
  type EngineEvent,
  type EngineState,
  type Evidence,
  initialState,
  type Policy,
  type Step,
  step,
} from '../../src/engine';
import { PRESETS } from '../../src/engine/policy/presets';
import { DIRECTORY, HOUR, MINUTE, scope } from './harness';
import { seeded } from './naive';

const KINDS: readonly Evidence[] = [
  { phase: 'body', status: 500, message: 'Internal error' },
  { phase: 'body', status: 503, message: 'Service unavailable' },
  { phase: 'body', status: 529, message: 'Overloaded' },
  { phase: 'body', status: 429, message: 'Rate limit reached' },
  { phase: 'body', status: 429, message: 'Rate limit reached', headers: { 'retry-after': '2' } },
  { phase: 'watchdog', observed: 'timeout', message: 'No first token' },
  { phase: 'headers', code: 'ECONNRESET', message: 'read ECONNRESET' },
  { phase: 'stream', observed: 'stream_interrupted', outputChars: 20 },
];
const LEAD = 'a/1';
/** How often each model of the chain fails. */
const FAILURE_SHARE: Readonly<Record<string, number>> = { [LEAD]: 0.3, 'b/1': 0.1, 'c/1': 0.1 };

/** The limits of each turn and session: 12 failed requests for each of three models. Source: docs/failures.md, budgets. */
export const BOUNDS = { attempts: 36, switches: 3, retries: 30 } as const;

const TURNS_A_SESSION = 60;
/** Between two turns at most; on average half of it. */
const PAUSE_MAX_MS = 2 * HOUR - 80 * MINUTE;
const ANSWER_MS = 2_000;
/** The person takes this long to say yes. */
const YES_MS = 5_000;

export type Conditions = Readonly<{ turns: number; seed: number; policy: Policy; abilities?: readonly Ability[] }>;

export type Availability = Readonly<{
  /** Shares of turns answered: as the engine does it, and by the first request to the lead alone. */
  withFallback: number;
  without: number;
  /** The most requests and switches any turn took, and the most retries any session paid for between two answers. */
  most: Readonly<{ attempts: number; switches: number; retries: number }>;
}>;

/** Plays turns in virtual time against models that fail by chance, with a person who says yes whenever asked. */
export function availability({ turns, seed, policy, abilities = [] }: Conditions): Availability {
  const stage = openStage(seed, policy, abilities);
  const most = { attempts: 0, switches: 0, retries: 0 };
  let answered = 0;
  let alone = 0;
  let retries = 0;
  for (let number = 0; number < turns; number++) {
    if (number % TURNS_A_SESSION === 0) retries = 0;
    const turn = playTurn(stage, number);
    retries += turn.retries;
    if (turn.isAnswered) answered++;
    if (turn.isLeadUp) alone++;
    most.attempts = Math.max(most.attempts, turn.attempts);
    most.switches = Math.max(most.switches, turn.switches);
    most.retries = Math.max(most.retries, retries);
    if (turn.isAnswered) retries = 0;
  }
  return { withFallback: answered / turns, without: alone / turns, most };
}

type Stage = Readonly<{ random: () => number; wait: (ms: number) => void; tell: (event: EngineEvent) => Step }>;

function openStage(seed: number, policy: Policy, abilities: readonly Ability[]): Stage {
  const random = seeded(seed);
  let state: EngineState = initialState;
  let now = 0;
  const tell = (event: EngineEvent): Step => {
    const result = step(state, event, now, random());
    state = result.state;
    return result;
  };
  const chain = Object.keys(FAILURE_SHARE);
  const config = scope({ chain, policy, abilities, maxFallbackDepth: BOUNDS.switches });
  tell({ type: 'scope.configured', directory: DIRECTORY, config });
  const wait = (ms: number): void => {
    now += ms;
  };
  return { random, wait, tell };
}

type Played = Readonly<{
  isAnswered: boolean;
  isLeadUp: boolean;
  attempts: number;
  switches: number;
  retries: number;
}>;

function playTurn(stage: Stage, number: number): Played {
  const { random, wait, tell } = stage;
  wait(Math.round(random() * PAUSE_MAX_MS));
  const session = `s${Math.floor(number / TURNS_A_SESSION)}`;
  const at = { turn: `t${number}`, session, directory: DIRECTORY, agent: 'build' } as const;
  const isLeadUp = random() >= (FAILURE_SHARE[LEAD] ?? 0);
  const count = { attempts: 0, switches: 0, retries: 0 };
  let isAnswered = false;
  let isLeadAsked = false;
  const prompt = { type: 'prompt.submitted', ...at, model: LEAD, hostLead: LEAD, isExplicit: false } as const;
  let action = tell(prompt).decisions[0]?.action;
  while (action && 'to' in action && !isAnswered) {
    const model = action.to;
    const attempt = `${at.turn}.${count.attempts}`;
    const refusal = tell({ type: 'attempt.started', ...at, attempt, model, purpose: 'turn' }).decisions[0];
    if (refusal) {
      action = refusal.action;
      continue;
    }
    count.attempts++;
    wait(ANSWER_MS);
    // The lead's first request meets the same luck as it would have had alone.
    isAnswered = model === LEAD && !isLeadAsked ? isLeadUp : random() >= (FAILURE_SHARE[model] ?? 0);
    isLeadAsked ||= model === LEAD;
    action = isAnswered ? succeed(stage, attempt) : fail(stage, attempt);
    if (action?.kind === 'switch') count.switches++;
    if (action && isPaid(action, model)) count.retries++;
  }
  tell({ type: 'session.idle', session });
  return { isAnswered, isLeadUp, ...count };
}

function succeed({ tell }: Stage, attempt: string): undefined {
  tell({ type: 'attempt.succeeded', attempt, durationMs: ANSWER_MS, firstTokenMs: 500, outputChars: 100 });
}

/** What to do after a failure of one of the kinds, once a hold is over and a question answered. */
function fail({ random, wait, tell }: Stage, attempt: string): DecisionAction | undefined {
  const evidence = KINDS[Math.floor(random() * KINDS.length)] as Evidence;
  const action = tell({ type: 'attempt.failed', attempt, evidence, durationMs: ANSWER_MS }).decisions[0]?.action;
  if (action?.kind !== 'hold') return action;
  wait(action.task === 'ask' ? YES_MS : action.waitMs);
  if (action.task !== 'ask') return action;
  return tell({ type: 'question.answered', yes: true, actor: 'ann' }).decisions[0]?.action;
}

/** True if a hold asks the same model again at the session's expense: waiting for a dead network costs nothing. */
const isPaid = (action: DecisionAction, model: string): boolean =>
  action.kind === 'hold' && action.to === model && ['hint', 'retry', 'wait'].includes(action.task ?? 'hint');

/** The policies that ship, and what the host and its person can do beside the plain actions; how many turns must be answered. */
export const CASES = [
  { name: 'swift', abilities: [], atLeast: 0.99 },
  { name: 'steady', abilities: [], atLeast: 0.99 },
  { name: 'patient', abilities: [], atLeast: 0.99 },
  // Without its question, and its second try of an answer that broke off, council gives up early: it never switches unasked.
  { name: 'council', abilities: [], atLeast: 0.92 },
  { name: 'council', abilities: ['ask', 'defer', 'retry.output'], atLeast: 0.99 },
] as const;

/** A case in words. */
export const caseName = ({ name, abilities }: (typeof CASES)[number]): string =>
  abilities.length === 0 ? name : `${name} with ${abilities.join(', ')}`;

/** Plays the turns of one case. */
export const played = ({ name, abilities }: (typeof CASES)[number], turns: number, seed: number): Availability =>
  availability({ turns, seed, policy: PRESETS[name], abilities });
