import type { RetryRefusal } from '../base/budget';
import type { Failure } from '../base/decision';
import type { ModelId } from '../base/ids';
import { isBareRefusal } from '../base/kinds';
import type { PolicyStep } from '../base/policy';
import { withFailed, withoutChosen } from '../base/trace';
import { isOut } from '../health/flapping';
import { isPaused } from '../health/pins';
import { SWIFT } from '../policy/swift';
import { SKIP_MS } from '../state/ask';
import { pinFor, standingIn } from '../state/read';
import type { EngineState, Turn } from '../state/state';
import { soonestOf } from './chain';
import { type Choice, choose, outlookOf } from './choice';
import { asksOfDrain } from './halt';
import { firstFor, guessedFor, hasUnderstudy, isNative, nextSpeaker, panicFor, soonestFor } from './spare';
import {
  asks,
  can,
  defers,
  type FailureContext,
  held,
  holds,
  isRepeatable,
  passed,
  refusedBy,
  stay,
  switchedLarger,
  usedOf,
  waited,
} from './steps';

/** Failed requests per message and model of the chain; more is a loop. */
const FAILURES_PER_MODEL = 12;
/** OpenCode retries a malformed stream forever; so many in a row end the turn. */
const MALFORMED_ALONE_MAX = 3;

export function decideFailure(
  state: EngineState,
  turn: Turn,
  failed: Readonly<{ model: ModelId; failure: Failure; now: number; random: number }>,
): Choice {
  const { model, failure, now, random } = failed;
  const { scope, plan, chain, tried, walk } = outlookOf(state, turn, now, failed);
  const context: FailureContext = { state, turn, now, scope, plan, chain, tried, walk, model, failure, random };
  if (!plan) return passed(context, 'pass.no_chain');
  if (isPaused(state.pause, now)) return passed(context, 'pass.paused');
  const isAlone = !hasUnderstudy(context);
  if (!isAlone && turn.failedAttempts + 1 >= FAILURES_PER_MODEL * modelsOf(context))
    return cutShort(context, 'exhausted.attempts', 'chain.attempts');
  if (!isAlone && isRefusal(context)) return refused(context);
  const row = failure.steps ?? plan.policy[failure.kind] ?? SWIFT[failure.kind];
  // Steps that involve the user or other participants need no fallback model.
  const isHeard = (asks(row) && can(context, 'ask')) || (defers(row) && can(context, 'defer'));
  const isOpenCodes = isAlone && !isHeard;
  const choice = isOpenCodes ? passed(context) : byPolicy(context, row);
  const malformed = tried.filter(({ kind }) => kind === 'early_termination');
  const isLooping = failure.kind === 'early_termination' && malformed.length >= MALFORMED_ALONE_MAX;
  return choice.action.kind === 'pass' && isLooping ? ended(context) : choice;
}

/** After a switch, the model refuses other models' messages. A conversation that is too long has its own kind. */
const isRefusal = ({ turn, failure: { kind, status } }: FailureContext): boolean =>
  turn.isMoved === true && (status === 400 || status === 422) && isBareRefusal(kind);

/** The first refusal counts against the switch and tries the next model; a second one ends the turn. */
function refused(context: FailureContext): Choice {
  const isSecond = context.turn.tried.some(({ kind }) => isBareRefusal(kind));
  const next = isSecond ? null : moved(context, switched);
  if (next) return next.action.kind === 'switch' ? { ...next, code: 'switch.refused' } : next;
  if (isNative(context)) return passed(context);
  const { trace } = context.walk;
  const soonest = soonestOf(trace.filter(({ state }) => isOut(state)));
  return choose({ kind: 'exhausted', soonest }, 'exhausted.refused', withoutChosen(trace));
}

const modelsOf = ({ chain, scope }: FailureContext): number => chain.length + (scope?.backupModel == null ? 0 : 1);

function ended(context: FailureContext): Choice {
  const { failure, walk } = context;
  const soonest = firstFor(context);
  return choose({ kind: 'exhausted', soonest }, `exhausted.${failure.kind}`, withoutChosen(walk.trace));
}

/** `code` is the reason only while a model remains. */
function cutShort(context: FailureContext, code: string, unrequested: string): Choice {
  if (!(nextSpeaker(context) ?? panicFor(context))) return ended(context);
  const { soonest, trace } = context.walk;
  const action = { kind: 'exhausted', soonest: soonest && firstFor(context) } as const;
  return choose(action, code, withoutChosen(trace, unrequested));
}

/** A `wait` before the step that applies delays it. */
function byPolicy(context: FailureContext, row: readonly PolicyStep[]): Choice {
  let waitMs: number | null = null;
  let refused: RetryRefusal | null = null;
  for (let at = 0; at < row.length; at++) {
    const step = row[at];
    if (!step || !holds(step.when, context.failure)) continue;
    if (step.step === 'wait' && usedOf(context.turn, 'wait', context.model) === 0) waitMs = step.ms;
    if (step.step !== 'wait') refused ??= refusedBy(step, context);
    const choice = apply(step, context, at === row.length - 1);
    if (choice) return applyRefusal(waitMs === null ? choice : delayed(choice, waitMs, context), refused, context);
  }
  const rested = waitMs === null ? null : waited(context, waitMs);
  if (rested) return rested;
  if (waitMs !== null) refused ??= refusedBy({ step: 'wait', ms: waitMs }, context);
  return applyRefusal(passed(context, refused ? 'pass.budget' : undefined), refused, context);
}

function applyRefusal(
  choice: Choice,
  refused: RetryRefusal | null,
  { state, turn, model, now }: FailureContext,
): Choice {
  if (refused === null) return choice;
  const { state: shown } = standingIn(state, turn.directory, model, now);
  return { ...choice, trace: withFailed(choice.trace, { model, code: refused, state: shown }) };
}

function apply(step: PolicyStep, context: FailureContext, isLast: boolean): Choice | null {
  switch (step.step) {
    case 'switch':
      return moved(context, switched) ?? (isLast ? ending(context) : null);
    case 'switchLarger':
      return moved(context, switchedLarger);
    case 'ask':
      return chooseAsking(context);
    case 'retry':
      return stay(step, context) ?? unpaid(context, step);
    default:
      return stay(step, context);
  }
}

/** Without `hold.other` the host switches at once. */
function delayed(choice: Choice, waitMs: number, context: FailureContext): Choice {
  const { action, trace } = choice;
  if (action.kind === 'hold' && action.to === context.model)
    return { ...choice, action: { ...action, waitMs: action.waitMs + waitMs } };
  if (action.kind !== 'switch' || !can(context, 'hold.other') || !isRepeatable(context)) return choice;
  return { ...held(context, 'wait', waitMs, action.to), trace, drain: choice.drain };
}

/** Switches when only budgets prevent a retry, unless the policy asks the user. */
function unpaid(context: FailureContext, step: PolicyStep): Choice | null {
  if (refusedBy(step, context) === null || Object.values(context.plan?.policy ?? {}).some(asks)) return null;
  return moved(context, switched);
}

/** Asks once per turn and model. Without a question the agent is paused (`degraded`). */
function chooseAsking(context: FailureContext): Choice | null {
  const { model, failure, turn } = context;
  if (!can(context, 'ask')) return null;
  const isOver = usedOf(turn, 'ask', model) > 0 || !hasUnderstudy(context);
  return isOver ? passed(context, `degraded.${failure.kind}`) : held(context, 'ask', SKIP_MS);
}

function moved(context: FailureContext, move: (context: FailureContext) => Choice | null): Choice | null {
  const { state, turn, now } = context;
  if (pinFor(state, turn, now)) return passed(context, 'pass.pinned');
  return isSpent(context) ? null : move(context);
}

const isSpent = ({ scope, turn }: FailureContext): boolean => turn.switches >= (scope?.maxFallbackDepth ?? 0);

function switched(context: FailureContext): Choice | null {
  const next = nextSpeaker(context) ?? panicFor(context) ?? guessedFor(context);
  if (!next) return null;
  const { model: to, position, trace, early, drain } = next;
  if (drain?.mode === 'ask') return asksOfDrain(context.model, drain);
  const action = { kind: 'switch', from: context.model, to, position } as const;
  return { action, code: `switch.${early ?? context.failure.kind}`, trace, used: early, drain: drain?.short };
}

function ending(context: FailureContext): Choice {
  if (isNative(context)) return passed(context);
  if (isSpent(context)) return cutShort(context, 'exhausted.depth', 'chain.depth');
  return soon(context) ?? ended(context);
}

function soon(context: FailureContext): Choice | null {
  const soonest = soonestFor(context);
  if (!soonest || !isRepeatable(context)) return null;
  const { model: to, inMs } = soonest;
  return to === context.model || can(context, 'hold.other') ? held(context, 'soonest', inMs, to) : null;
}
