import { type Walk, walkChain } from './chain';
import type { Considered, Decision, DecisionAction, Failure } from './decision';
import type { DecidedAction } from './events';
import type { ModelId } from './ids';
import type { PolicyStep } from './policy';
import { SWIFT } from './policy';
import { chainOf, type EngineState, planOf, standingOf, type Turn } from './state';
import { get } from './table';
import { withChosen, withoutChosen } from './trace';

/** Failed requests of one message after which it ends, whatever the policy says: no loop outlives this. */
const FAILED_ATTEMPTS_MAX = 12;
/** A malformed stream makes OpenCode ask again for ever; a turn that stays with its model may do so this often in a row. */
const MALFORMED_ALONE_MAX = 3;

export type Choice = Readonly<{ action: DecisionAction; code: string; trace: readonly Considered[] }>;

/** What to do about a failed attempt, by the agent's policy and what is left of its chain. */
export function decideFailure(
  state: EngineState,
  turn: Turn,
  failed: Readonly<{ model: ModelId; failure: Failure; now: number }>,
): Choice {
  const { model, failure, now } = failed;
  const tried = [...turn.tried, { model, kind: failure.kind }];
  const walk = walkChain(state, chainOf(state, turn), { now, tried, failure, from: model });
  const question: Question = { state, turn, model, failure, now, walk };
  if (!planOf(state, turn.directory, turn.agent)) return passed(question);
  const isAlone = !hasUnderstudy(state, turn);
  if (!isAlone && turn.failedAttempts + 1 >= FAILED_ATTEMPTS_MAX) return ended(question);
  const choice = isAlone ? passed(question) : byPolicy(question);
  const isLooping = tried.filter(({ kind }) => kind === 'early_termination').length >= MALFORMED_ALONE_MAX;
  return choice.action.kind === 'pass' && failure.kind === 'early_termination' && isLooping ? ended(question) : choice;
}

type Question = Readonly<{
  state: EngineState;
  turn: Turn;
  model: ModelId;
  failure: Failure;
  now: number;
  walk: Walk;
}>;

/** The failure goes to OpenCode as it is. */
function passed({ failure, walk }: Question): Choice {
  return { action: { kind: 'pass' }, code: `pass.${failure.kind}`, trace: withoutChosen(walk.trace) };
}

/** The turn ends here, with one clear error. */
function ended({ failure, walk }: Question): Choice {
  const action = { kind: 'exhausted', soonest: walk.soonest } as const;
  return { action, code: `exhausted.${failure.kind}`, trace: withoutChosen(walk.trace) };
}

/** The first step of the failure's row that applies. */
function byPolicy(question: Question): Choice {
  const { state, turn, failure } = question;
  const row = planOf(state, turn.directory, turn.agent)?.policy[failure.kind] ?? SWIFT[failure.kind];
  for (let at = 0; at < row.length; at++) {
    const step = row[at];
    const choice = step && apply(step, question, at === row.length - 1);
    if (choice) return choice;
  }
  return passed(question);
}

/** One step of a policy row; null when it does not apply here and the next one is to be tried. */
function apply(step: PolicyStep, question: Question, isLast: boolean): Choice | null {
  const { turn, model, failure } = question;
  switch (step.step) {
    case 'waitHint': {
      const { hintMs, outputChars } = failure;
      // What the user has read cannot be asked for again.
      if (hintMs === null || hintMs > step.maxMs || outputChars > 0 || turn.held.includes(model)) return null;
      return {
        action: { kind: 'hold', to: model, waitMs: hintMs },
        code: `hold.${failure.kind}`,
        trace: withoutChosen(question.walk.trace),
      };
    }
    case 'switch':
      return switched(question) ?? (isLast ? ending(question) : null);
    case 'return':
    case 'compact':
      // OpenCode compacts by itself when the failure reaches it.
      return passed(question);
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

const isSpent = ({ state, turn }: Question): boolean =>
  turn.switches >= (get(state.scopes, turn.directory)?.maxFallbackDepth ?? 0);

function switched(question: Question): Choice | null {
  if (isSpent(question)) return null;
  const { state, turn, model, failure, now, walk } = question;
  const next = nextSpeaker(state, turn, { now, tried: [...turn.tried, { model }], walk });
  if (!next) return null;
  const { model: to, position, trace } = next;
  return { action: { kind: 'switch', from: model, to, position }, code: `switch.${failure.kind}`, trace };
}

function ending(question: Question): Choice {
  const { state, turn, walk } = question;
  if (isNative(state, turn)) return passed(question);
  const end = ended(question);
  if (!isSpent(question)) return end;
  return { action: end.action, code: 'exhausted.depth', trace: withoutChosen(walk.trace, 'chain.depth') };
}

/** Whether OpenCode's own retry takes over where the chain ends. */
export function isNative(state: EngineState, { directory }: Pick<Turn, 'directory'>): boolean {
  return get(state.scopes, directory)?.onExhausted === 'native';
}

/** Whether anybody could stand in for the lead of this turn; alone, a model's failures are OpenCode's business. */
export function hasUnderstudy(state: EngineState, turn: Turn): boolean {
  const spare = get(state.scopes, turn.directory)?.backupModel ?? null;
  return chainOf(state, turn).length > 1 || (spare !== null && spare !== turn.lead);
}

type Speech = Readonly<{ model: ModelId; position: number; trace: readonly Considered[] }>;
type Asked = Readonly<{ now: number; tried: readonly Readonly<{ model: ModelId }>[]; walk: Walk }>;

/** Whom a walk chose, else the model of last resort; null when nobody is left. */
export function nextSpeaker(state: EngineState, turn: Turn, asked: Asked): Speech | null {
  const { chosen, trace } = asked.walk;
  return chosen ? { model: chosen.model, position: chosen.position, trace } : backup(state, turn, asked);
}

/** The model of last resort, when it has not failed in this turn and is not out itself. */
function backup(state: EngineState, turn: Turn, { now, tried, walk }: Asked): Speech | null {
  const model = get(state.scopes, turn.directory)?.backupModel ?? null;
  if (model === null || tried.some((entry) => entry.model === model)) return null;
  const { use, state: shown } = standingOf(state, model, now);
  const chain = chainOf(state, turn);
  if (use === 'out' || chain.includes(model)) return null;
  const position = chain.length;
  const trace = withChosen(walk.trace, model, { position, state: shown, code: 'chain.backup' });
  return { model, position, trace };
}

/** The choice another host has already carried out, with this host's own view of the chain as its trace. */
export function adopt(
  state: EngineState,
  decided: DecidedAction,
  own: Readonly<{ from: ModelId; chain: readonly ModelId[]; choice: Choice; now: number }>,
): Choice {
  const to = decided.to ?? own.from;
  const { chain, choice } = own;
  const position = chain.includes(to) ? chain.indexOf(to) : chain.length;
  const soonest = choice.action.kind === 'exhausted' ? choice.action.soonest : null;
  const action = actionOf(decided, { from: own.from, to, position, soonest });
  const isMove = action.kind !== 'pass' && action.kind !== 'hold' && action.kind !== 'exhausted';
  if (!isMove || choice.trace.length === 0) return { action, code: decided.code, trace: withoutChosen(choice.trace) };
  const shown = standingOf(state, to, own.now).state;
  const trace = withChosen(choice.trace, to, { position, state: shown, code: 'chain.decided' });
  return { action, code: decided.code, trace };
}

function actionOf(
  decided: DecidedAction,
  at: Readonly<{ from: ModelId; to: ModelId; position: number; soonest: Walk['soonest'] }>,
): DecisionAction {
  const { from, to, position } = at;
  switch (decided.kind) {
    case 'switch':
    case 'redirect':
      return { kind: decided.kind, from, to, position };
    case 'home':
    case 'keep':
      return { kind: decided.kind, to };
    case 'hold':
      return { kind: 'hold', to, waitMs: decided.waitMs ?? 0 };
    case 'pass':
      return { kind: 'pass' };
    case 'exhausted':
      return { kind: 'exhausted', soonest: at.soonest };
  }
}

/** A choice as the decision that is logged and carried out. */
export function decisionOf(turn: Turn, choice: Choice, failure: Failure | null, attempt: string | null): Decision {
  const { session, agent } = turn;
  const { action, code, trace } = choice;
  return { turn: turn.turn, attempt, session, agent, action, code, failure, trace };
}
