import { backoffMs, retryDelayMs } from '../base/backoff';
import { DEFAULT_RETRY_BUDGET, NOTHING_SPENT, type RetryRefusal, retriesIn, retryRefusal } from '../base/budget';
import { isLarger } from '../base/catalogue';
import type { Ability } from '../base/config';
import type { Considered, DecisionAction, Failure, HoldTask } from '../base/decision';
import { type ModelId, providerOf } from '../base/ids';
import type { PolicyStep, StepCondition } from '../base/policy';
import { get } from '../base/table';
import { withChosen, withoutChosen } from '../base/trace';
import { NETWORK_HOLD_MAX_MS } from '../health/outage';
import { accountFor } from '../state/books';
import { chainIn, planIn } from '../state/chain';
import { rootOf } from '../state/read';
import type { EngineState, Turn } from '../state/state';
import { type Choice, choose, type Outlook } from './choice';

export type FailureContext = Outlook &
  Readonly<{
    model: ModelId;
    failure: Failure;
    random: number;
  }>;

export function passed({ failure, walk }: FailureContext, code = `pass.${failure.kind}`): Choice {
  return choose({ kind: 'pass' }, code, withoutChosen(walk.trace));
}

/** Waits before restarts of a turn without another model, in ms. Source: docs/failures.md, budgets. */
const RESTARTS_MS = [60_000, 120_000] as const;
/** Source: docs/failures.md, policies, `long_output`. */
const LONG_OUTPUT_CHARS = 500;

export const can = ({ scope }: Pick<Outlook, 'scope'>, ability: Ability): boolean =>
  scope?.abilities?.includes(ability) ?? false;

export const asks = (row: readonly PolicyStep[]): boolean => row.some(({ step }) => step === 'ask');

export const defers = (row: readonly PolicyStep[]): boolean => row.some(({ step }) => step === 'defer');

export const usedOf = (turn: Turn, step: string, model: ModelId): number => turn.used?.[`${step}|${model}`] ?? 0;

export const withUsed = (used: Turn['used'], step: string | undefined): Turn['used'] =>
  step === undefined ? used : { ...used, [step]: (used?.[step] ?? 0) + 1 };

/** A retry shows the user nothing twice. */
export function isRepeatable(context: FailureContext): boolean {
  const { turn, failure } = context;
  return turn.hostSince === undefined && (failure.outputChars === 0 || can(context, 'retry.output'));
}

export function holds(condition: StepCondition | undefined, failure: Failure): boolean {
  switch (condition) {
    case undefined:
      return true;
    case 'gateway':
      return failure.mayRetry || failure.status === 502 || failure.status === 503 || failure.status === 504;
    case 'routed':
      return !/\bno[ _](?:available )?providers?\b/i.test(failure.message);
    case 'output':
      return failure.outputChars > 0;
    case 'long_output':
      return failure.outputChars > LONG_OUTPUT_CHARS;
    case 'repeated':
      return failure.isRepeated === true;
  }
}

/** All other tasks use `hold`. */
const NAMED: readonly HoldTask[] = ['ask', 'defer', 'continue', 'compact'];

export function held(context: FailureContext, task: HoldTask, waitMs: number, to = context.model): Choice {
  const { model, failure, walk } = context;
  const code = `${NAMED.includes(task) ? task : 'hold'}.${task === 'soonest' ? task : failure.kind}`;
  const used = task === 'compact' ? task : `${task}|${task === 'soonest' ? to : model}`;
  const action: DecisionAction = { kind: 'hold', to, waitMs, ...(task === 'hint' ? {} : { task }) };
  return { action, code, trace: withoutChosen(walk.trace), used };
}

const isUnder = ({ turn, model }: FailureContext, step: string, times: number): boolean =>
  usedOf(turn, step, model) < times;

export function stay(step: PolicyStep, context: FailureContext): Choice | null {
  const isPaid = isAgainDue(step, context) && budgetRefusal(context) === null;
  switch (step.step) {
    case 'waitHint': {
      if (!isPaid) return null;
      const waitMs = Math.max(context.failure.hintMs ?? 0, backoffMs(0, context.random, context.scope?.backoff));
      return held(context, 'hint', waitMs);
    }
    case 'retry':
      return isPaid ? held(context, 'retry', retryWaitMs(context) ?? 0) : null;
    case 'continue':
      return isPaid ? held(context, 'continue', 0) : null;
    case 'hold':
      return context.failure.kind === 'local_network' ? untilNetwork(context) : restarted(context);
    case 'compact':
      return compacted(context);
    case 'defer':
      return can(context, 'defer') && isUnder(context, 'defer', 1) ? held(context, 'defer', 0) : null;
    case 'return':
      return passed(context);
    default:
      return null;
  }
}

function budgetRefusal({ state, turn, now, model, failure }: FailureContext): RetryRefusal | null {
  const spent = get(state.budgets, rootOf(state, turn.session)) ?? NOTHING_SPENT;
  const streak = get(state.streaks, accountFor(state, turn.directory, model));
  return retryRefusal(spent, streak, retryOf(state, turn, { model, now, steps: failure.steps }));
}

export type Again = Readonly<{ model: ModelId; now: number; steps?: Failure['steps'] | undefined }>;

/** A retry costs its share of all that the policy allows a turn on the provider's models. */
export function retryOf(state: EngineState, turn: Turn, { model, now, steps }: Again) {
  const scope = get(state.scopes, turn.directory);
  const plan = planIn(scope, turn.agent);
  const models = chainIn(plan, turn.lead).filter((each) => providerOf(each) === providerOf(model));
  const rows = steps ? [steps] : Object.values(plan?.policy ?? {});
  const retries = retriesIn(rows, plan?.maxRetries ?? scope?.maxRetries) * Math.max(1, models.length);
  return { now, budget: scope?.retryBudget ?? DEFAULT_RETRY_BUDGET, cost: 1 / retries };
}

function isAgainDue(step: PolicyStep, context: FailureContext): boolean {
  const { turn, model, failure } = context;
  if (failure.mayRetry === false && step.step !== 'continue') return false;
  switch (step.step) {
    case 'waitHint':
      return isShort(failure, step.maxMs) && !turn.held.includes(model) && isRepeatable(context);
    case 'retry':
      return hasRetryLeft(context, step.n) && isRepeatable(context) && retryWaitMs(context) !== null;
    case 'continue':
      return can(context, 'continue') && isUnder(context, 'continue', step.n);
    case 'wait':
      return isUnder(context, 'wait', 1) && isRepeatable(context);
    default:
      return false;
  }
}

const isShort = ({ hintMs }: Failure, maxMs: number): boolean => hintMs !== null && hintMs <= maxMs;

export const refusedBy = (step: PolicyStep, context: FailureContext): RetryRefusal | null =>
  isAgainDue(step, context) ? budgetRefusal(context) : null;

function hasRetryLeft(context: FailureContext, times: number): boolean {
  const { scope, turn } = context;
  const most = planIn(scope, turn.agent)?.maxRetries ?? scope?.maxRetries ?? times;
  return isUnder(context, 'retry', Math.min(times, most));
}

/** Null if the hint is a cooldown. */
function retryWaitMs({ turn, model, failure: { hintMs }, random, scope }: FailureContext): number | null {
  return retryDelayMs(usedOf(turn, 'retry', model), { hintMs, random }, scope?.backoff, scope?.hintWaitMaxMs);
}

export function waited(context: FailureContext, waitMs: number): Choice | null {
  const isPaid = isAgainDue({ step: 'wait', ms: waitMs }, context) && budgetRefusal(context) === null;
  return isPaid ? held(context, 'wait', waitMs) : null;
}

function restarted(context: FailureContext): Choice | null {
  const waitMs = RESTARTS_MS[usedOf(context.turn, 'restart', context.model)];
  return waitMs !== undefined && isRepeatable(context) ? held(context, 'restart', waitMs) : null;
}

/** Retries for up to four minutes, outside all budgets. */
function untilNetwork(context: FailureContext): Choice | null {
  const { turn, model, now, random, scope } = context;
  const leftMs = NETWORK_HOLD_MAX_MS - (now - (turn.offlineSince ?? now));
  if (leftMs <= 0 || !isRepeatable(context)) return null;
  const delayMs = backoffMs(usedOf(turn, 'network', model), random, scope?.backoff);
  return held(context, 'network', Math.min(leftMs, delayMs));
}

/** OpenCode itself compacts when it receives the failure. */
function compacted(context: FailureContext): Choice | null {
  const { turn } = context;
  if ((turn.used?.compact ?? 0) > 0 || turn.hostSince !== undefined) return null;
  return can(context, 'compact') ? held(context, 'compact', 0) : { ...passed(context), used: 'compact' };
}

/** The first available model with a larger known context. */
export function switchedLarger(context: FailureContext): Choice | null {
  const { scope, turn, model, walk } = context;
  const models = scope?.models;
  const fitting = walk.trace.filter(
    (entry) =>
      isChoosable(entry) &&
      walk.drains.get(entry.model)?.mode !== 'never' &&
      isLarger(models, model, entry.model, turn.needs) &&
      entry.model !== model,
  );
  const isNear = ({ model: near }: Considered): boolean => walk.shorts.has(near) || walk.drains.has(near);
  const well = fitting.filter((entry) => !isNear(entry));
  const fits = well.find(({ code }) => code !== 'chain.left') ?? well[0] ?? fitting[0];
  if (!fits) return null;
  const { model: to, position, state: shown } = fits;
  const trace = withChosen(walk.trace, { model: to, position, state: shown, code: 'chain.larger' });
  const drain = walk.drains.get(to)?.short;
  return { ...choose({ kind: 'switch', from: model, to, position }, 'switch.larger', trace), drain };
}

/** True if only its rank excluded the model. */
function isChoosable({ verdict, code, state }: Considered): boolean {
  if (verdict !== 'skipped') return verdict === 'chosen';
  return (
    code === 'chain.later' ||
    code.startsWith('headroom.') ||
    code === 'chain.left' ||
    (code === 'breaker.counting' && state === 'degraded') ||
    code.startsWith('rest.')
  );
}
