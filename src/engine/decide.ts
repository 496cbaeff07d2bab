import { walkChain } from './chain';
import type { Considered, Decision, DecisionAction, Failure } from './decision';
import type { DecidedAction } from './events';
import type { ModelId } from './ids';
import type { PolicyStep } from './policy';
import { SWIFT } from './policy';
import { chainOf, type EngineState, planOf, type Turn } from './state';
import { get } from './table';

/** Failed requests of one message after which it ends, whatever the policy says: no loop outlives this. */
const FAILED_ATTEMPTS_MAX = 12;
/** A malformed stream makes OpenCode ask again for ever; without an understudy it may do so this often. */
const MALFORMED_ALONE_MAX = 3;
/** Switches of a turn in a directory without configuration (never reached: such turns have a chain of one). */
const DEPTH_DEFAULT = 3;

export type Choice = Readonly<{ action: DecisionAction; code: string; trace: readonly Considered[] }>;

/** What to do about a failed attempt, by the agent's policy and what is left of its chain. */
export function decideFailure(state: EngineState, turn: Turn, model: ModelId, failure: Failure, now: number): Choice {
  const chain = chainOf(state, turn);
  const tried = [...turn.tried, { model, kind: failure.kind }];
  const walk = walkChain(state, chain, { now, tried, failure, from: model });
  const pass: Choice = { action: { kind: 'pass' }, code: `pass.${failure.kind}`, trace: walk.trace };
  const plan = planOf(state, turn.directory, turn.agent);
  if (!plan) return pass;
  const end: Choice = {
    action: { kind: 'exhausted', soonest: walk.soonest },
    code: `exhausted.${failure.kind}`,
    trace: walk.trace,
  };
  if (chain.length < 2) {
    return failure.kind === 'early_termination' && turn.failedAttempts + 1 >= MALFORMED_ALONE_MAX ? end : pass;
  }
  if (turn.failedAttempts + 1 >= FAILED_ATTEMPTS_MAX) return end;
  for (const step of plan.policy[failure.kind] ?? SWIFT[failure.kind]) {
    const choice = apply(step, { state, turn, model, failure, walk, end, pass });
    if (choice) return choice;
  }
  return pass;
}

type Question = Readonly<{
  state: EngineState;
  turn: Turn;
  model: ModelId;
  failure: Failure;
  walk: ReturnType<typeof walkChain>;
  end: Choice;
  pass: Choice;
}>;

/** One step of a policy row; null when it does not apply here and the next one is to be tried. */
function apply(step: PolicyStep, question: Question): Choice | null {
  const { state, turn, model, failure, walk, end, pass } = question;
  switch (step.step) {
    case 'waitHint': {
      const { hintMs, outputChars } = failure;
      // What the user has read cannot be asked for again.
      if (hintMs === null || hintMs > step.maxMs || outputChars > 0 || turn.held.includes(model)) return null;
      return { action: { kind: 'hold', to: model, waitMs: hintMs }, code: `hold.${failure.kind}`, trace: walk.trace };
    }
    case 'switch': {
      const scope = get(state.scopes, turn.directory);
      if (turn.switches >= (scope?.maxFallbackDepth ?? DEPTH_DEFAULT))
        return ending({ ...end, code: 'exhausted.depth' }, question);
      const chosen = walk.chosen ?? backup(question);
      if (!chosen) return ending(end, question);
      const { model: to, position } = chosen;
      return {
        action: { kind: 'switch', from: model, to, position },
        code: `switch.${failure.kind}`,
        trace: walk.trace,
      };
    }
    case 'return':
    case 'compact':
      // OpenCode compacts by itself when the failure reaches it.
      return pass;
    case 'retry':
    case 'wait':
    case 'continue':
    case 'switchLarger':
    case 'ask':
    case 'defer':
    case 'hold':
      // No policy that ships uses these to move a turn yet; the row goes on to its next step.
      return null;
  }
}

function ending(end: Choice, { state, turn, pass }: Question): Choice {
  return get(state.scopes, turn.directory)?.onExhausted === 'native' ? pass : end;
}

/** The model of last resort, when it has not failed in this turn. */
function backup({ state, turn, model }: Question): Readonly<{ model: ModelId; position: number }> | null {
  const spare = get(state.scopes, turn.directory)?.backupModel ?? null;
  if (spare === null || spare === model || turn.tried.some((entry) => entry.model === spare)) return null;
  return { model: spare, position: chainOf(state, turn).length };
}

/** The choice another host has already carried out, with this host's own view of the chain as its trace. */
export function adopt(
  decided: DecidedAction,
  own: Readonly<{ from: ModelId; chain: readonly ModelId[]; trace: readonly Considered[] }>,
): Choice {
  const to = decided.to ?? own.from;
  const position = Math.max(0, own.chain.indexOf(to));
  const trace = own.trace.map((entry): Considered => {
    if (entry.model === to && decided.kind !== 'exhausted') return { ...entry, verdict: 'chosen' };
    return entry.verdict === 'chosen' ? { ...entry, verdict: 'skipped' } : entry;
  });
  return { action: actionOf(decided, { from: own.from, to, position }), code: decided.code, trace };
}

function actionOf(
  decided: DecidedAction,
  at: Readonly<{ from: ModelId; to: ModelId; position: number }>,
): DecisionAction {
  switch (decided.kind) {
    case 'switch':
    case 'redirect':
      return { kind: decided.kind, ...at };
    case 'home':
    case 'keep':
      return { kind: decided.kind, to: at.to };
    case 'hold':
      return { kind: 'hold', to: at.to, waitMs: decided.waitMs ?? 0 };
    case 'pass':
      return { kind: 'pass' };
    case 'exhausted':
      return { kind: 'exhausted', soonest: null };
  }
}

/** A choice as the decision that is logged and carried out. */
export function decisionOf(turn: Turn, choice: Choice, failure: Failure | null, attempt: string | null): Decision {
  const { session, agent } = turn;
  return {
    turn: turn.turn,
    attempt,
    session,
    agent,
    action: choice.action,
    code: choice.code,
    failure,
    trace: choice.trace,
  };
}
