import { SKIP_MS } from './ask';
import { unfitFor } from './catalogue';
import { type Walk, walkChain } from './chain';
import type { Considered, Decision, DecisionAction, Failure } from './decision';
import type { DecidedAction } from './events';
import type { ModelId } from './ids';
import { isPaused, pinOf } from './pins';
import type { PolicyStep } from './policy';
import { SWIFT } from './presets';
import { boundariesOf, chainOf, type EngineState, planOf, standingOf, type Turn } from './state';
import {
  type Choice,
  can,
  holds,
  isRepeatable,
  isRetryUnpaid,
  passed,
  type Question,
  stay,
  switchedLarger,
  usedOf,
  waited,
} from './steps';
import { get } from './table';
import { withChosen, withoutChosen } from './trace';

export type { Choice } from './steps';

/** Failed requests of one message after which it ends, whatever the policy says: no loop outlives this. */
const FAILED_ATTEMPTS_MAX = 12;
/** A malformed stream makes OpenCode ask again for ever; a turn that stays with its model may do so this often in a row. */
const MALFORMED_ALONE_MAX = 3;
/** An exhausted turn holds for a model that is back this soon, in ms. Source: engine specification, policy. */
const SOON_MS = 30_000;

/** What to do about a failed attempt, by the agent's policy and what is left of its chain. */
export function decideFailure(
  state: EngineState,
  turn: Turn,
  failed: Readonly<{ model: ModelId; failure: Failure; now: number; random: number }>,
): Choice {
  const { model, failure, now, random } = failed;
  const tried = [...turn.tried, { model, kind: failure.kind }];
  const walk = walkChain(state, chainOf(state, turn), { now, tried, failure, from: model, turn });
  const question: Question = { state, turn, model, failure, now, random, walk };
  if (!planOf(state, turn.directory, turn.agent)) return passed(question);
  if (isPaused(state.pause, now)) return { ...passed(question), code: 'pass.paused' };
  const isAlone = !hasUnderstudy(state, turn);
  if (!isAlone && turn.failedAttempts + 1 >= FAILED_ATTEMPTS_MAX) return ended(question);
  const choice = isAlone ? passed(question) : byPolicy(question);
  const isLooping = tried.filter(({ kind }) => kind === 'early_termination').length >= MALFORMED_ALONE_MAX;
  return choice.action.kind === 'pass' && failure.kind === 'early_termination' && isLooping ? ended(question) : choice;
}

/** The turn ends here, with one clear error. */
function ended({ failure, walk }: Question): Choice {
  const action = { kind: 'exhausted', soonest: walk.soonest } as const;
  return { action, code: `exhausted.${failure.kind}`, trace: withoutChosen(walk.trace) };
}

/** The row in force: a provider map's own, else the policy's. */
function rowOf({ state, turn, failure }: Question): readonly PolicyStep[] {
  return failure.steps ?? planOf(state, turn.directory, turn.agent)?.policy[failure.kind] ?? SWIFT[failure.kind];
}

/** The first step of the failure's row that applies; a `wait` before it delays it. */
function byPolicy(question: Question): Choice {
  const row = rowOf(question);
  let waitMs: number | null = null;
  for (let at = 0; at < row.length; at++) {
    const step = row[at];
    if (!step || !holds(step.when, question.failure)) continue;
    if (step.step === 'wait' && usedOf(question.turn, 'wait', question.model) === 0) waitMs = step.ms;
    const choice = apply(step, question, at === row.length - 1);
    if (choice) return waitMs === null ? choice : delayed(choice, waitMs, question);
  }
  return (waitMs === null ? null : waited(question, waitMs)) ?? passed(question);
}

function apply(step: PolicyStep, question: Question, isLast: boolean): Choice | null {
  switch (step.step) {
    case 'switch':
      return moved(question, switched) ?? (isLast ? ending(question) : null);
    case 'switchLarger':
      return moved(question, switchedLarger);
    case 'ask':
      return asked(question);
    case 'retry':
      return stay(step, question) ?? (isRetryUnpaid(question, step.n) ? moved(question, switched) : null);
    default:
      return stay(step, question);
  }
}

/** A choice that comes after a wait. A host that cannot wait for another model is given it at once. */
function delayed(choice: Choice, waitMs: number, question: Question): Choice {
  const { action } = choice;
  const used = `wait|${question.model}`;
  if (action.kind === 'hold' && action.to === question.model)
    return { ...choice, action: { ...action, waitMs: action.waitMs + waitMs } };
  if (action.kind !== 'switch' || !can(question, 'hold.other') || !isRepeatable(question)) return choice;
  const { failure } = question;
  return {
    ...choice,
    action: { kind: 'hold', to: action.to, waitMs, task: 'wait' },
    code: `hold.${failure.kind}`,
    used,
  };
}

/** Puts the failure to the person, once a turn and model: yes takes the next model, anything else degrades the speaker. */
function asked(question: Question): Choice | null {
  const { model, failure, turn } = question;
  if (!can(question, 'ask')) return null;
  const used = `ask|${model}`;
  if (usedOf(turn, 'ask', model) > 0) return { ...passed(question), code: `degraded.${failure.kind}` };
  return {
    action: { kind: 'hold', to: model, waitMs: SKIP_MS, task: 'ask' },
    code: `ask.${failure.kind}`,
    trace: withoutChosen(question.walk.trace),
    used,
  };
}

/** A move to another model, unless the agent is pinned to this one. */
function moved(question: Question, move: (question: Question) => Choice | null): Choice | null {
  const { state, turn, now } = question;
  if (pinOf(state.pins, turn.directory, turn.agent, now)) return { ...passed(question), code: 'pass.pinned' };
  return isSpent(question) ? null : move(question);
}

const isSpent = ({ state, turn }: Question): boolean =>
  turn.switches >= (get(state.scopes, turn.directory)?.maxFallbackDepth ?? 0);

function switched(question: Question): Choice | null {
  const { state, turn, model, failure, now, walk } = question;
  const about = { now, tried: [...turn.tried, { model }], walk };
  const next = nextSpeaker(state, turn, about) ?? panicFor(state, turn, about);
  if (!next) return null;
  const { model: to, position, trace } = next;
  const isPanic = 'isPanic' in next;
  return {
    action: { kind: 'switch', from: model, to, position },
    code: isPanic ? 'switch.panic' : `switch.${failure.kind}`,
    trace,
    ...(isPanic ? { used: 'panic' } : {}),
  };
}

function ending(question: Question): Choice {
  const { state, turn, walk } = question;
  if (isNative(state, turn)) return passed(question);
  const end = ended(question);
  if (!isSpent(question)) return soon(question) ?? end;
  return { action: end.action, code: 'exhausted.depth', trace: withoutChosen(walk.trace, 'chain.depth') };
}

/** The model a request may wait for before it is sent, where the host can do that; once a turn and model. */
export function soonestFor(state: EngineState, turn: Turn, soonest: Walk['soonest']): Walk['soonest'] {
  const isAble = get(state.scopes, turn.directory)?.abilities?.includes('hold.start') ?? false;
  if (!isAble || !soonest || soonest.inMs > SOON_MS) return null;
  return usedOf(turn, 'soonest', soonest.model) > 0 ? null : soonest;
}

/** A model that is back within 30 s is worth the wait, once a turn. */
function soon(question: Question): Choice | null {
  const { model, turn, walk } = question;
  const { soonest } = walk;
  if (!soonest || soonest.inMs > SOON_MS || usedOf(turn, 'soonest', soonest.model) > 0) return null;
  if (soonest.model !== model && !can(question, 'hold.other')) return null;
  if (!isRepeatable(question)) return null;
  const { model: to, inMs: waitMs } = soonest;
  return {
    action: { kind: 'hold', to, waitMs, task: 'soonest' },
    code: 'hold.soonest',
    trace: withoutChosen(walk.trace),
    used: `soonest|${to}`,
  };
}

type Known = Readonly<{ now: number; tried: readonly Readonly<{ model: ModelId }>[]; walk: Walk }>;
type Spare = Readonly<{ model: ModelId; position: number; trace: readonly Considered[] }>;

/** The least bad model that is out, where a directory allows one such request a turn: the one that is back first. */
export function panicFor(
  state: EngineState,
  turn: Turn,
  { now, tried, walk }: Known,
): (Spare & { isPanic: true }) | null {
  if (!get(state.scopes, turn.directory)?.panicProbe || (turn.used?.panic ?? 0) > 0) return null;
  const outs = walk.trace.filter(
    ({ model, state: shown, backInMs }) =>
      (shown === 'cooling' || shown === 'open') && backInMs !== null && !tried.some((entry) => entry.model === model),
  );
  if (outs.length === 0) return null;
  const { model, position } = outs.reduce((a, b) => ((b.backInMs ?? 0) < (a.backInMs ?? 0) ? b : a));
  const shown = standingOf(state, model, now).state;
  const trace = withChosen(walk.trace, model, { position, state: shown, code: 'chain.panic' });
  return { model, position, trace, isPanic: true };
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

/** Whom a walk chose, else the model of last resort; null when nobody is left. */
export function nextSpeaker(state: EngineState, turn: Turn, asked: Known): Spare | null {
  const { chosen, trace } = asked.walk;
  return chosen ? { model: chosen.model, position: chosen.position, trace } : backup(state, turn, asked);
}

/** The model of last resort, when it has not failed in this turn, is not out itself and may take the request. */
function backup(state: EngineState, turn: Turn, { now, tried, walk }: Known): Spare | null {
  const model = get(state.scopes, turn.directory)?.backupModel ?? null;
  if (model === null || tried.some((entry) => entry.model === model)) return null;
  const { use, state: shown } = standingOf(state, model, now);
  const chain = chainOf(state, turn);
  if (use === 'out' || chain.includes(model)) return null;
  const boundaries = boundariesOf(state, turn.directory);
  if (unfitFor(model, { lead: turn.lead, needs: turn.needs, boundaries })) return null;
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
  const used = usedBy(decided, own);
  const isMove = action.kind !== 'pass' && action.kind !== 'hold' && action.kind !== 'exhausted';
  if (!isMove || choice.trace.length === 0)
    return { action, code: decided.code, trace: withoutChosen(choice.trace), ...used };
  const shown = standingOf(state, to, own.now).state;
  const trace = withChosen(choice.trace, to, { position, state: shown, code: 'chain.decided' });
  return { action, code: decided.code, trace, ...used };
}

/** How a turn counts a step that another host has taken: as this one would, had it decided the same. */
function usedBy(
  decided: DecidedAction,
  { from, choice }: Readonly<{ from: ModelId; choice: Choice }>,
): { used?: string } {
  const { kind, task, to = from } = decided;
  if (kind === 'hold')
    return { used: task === 'compact' ? task : `${task ?? 'hint'}|${task === 'soonest' ? to : from}` };
  if (decided.code.endsWith('.panic')) return { used: 'panic' };
  return choice.action.kind === kind && choice.used !== undefined ? { used: choice.used } : {};
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
      return { kind: 'hold', to, waitMs: decided.waitMs ?? 0, ...(decided.task ? { task: decided.task } : {}) };
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
