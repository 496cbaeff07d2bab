import type { RetryRefusal } from '../base/budget';
import type { Failure } from '../base/decision';
import type { ModelId } from '../base/ids';
import type { PolicyStep } from '../base/policy';
import { withFailed, withoutChosen } from '../base/trace';
import { isPaused } from '../health/pins';
import { SWIFT } from '../policy/swift';
import { SKIP_MS } from '../state/ask';
import { type EngineState, pinFor, standingIn, type Turn } from '../state/state';
import { type Choice, choose, outlookOf } from './choice';
import { hasUnderstudy, isNative, nextSpeaker, panicFor, soonestFor } from './spare';
import {
  asks,
  can,
  held,
  holds,
  isRepeatable,
  passed,
  type Question,
  refusedBy,
  stay,
  switchedLarger,
  usedOf,
  waited,
} from './steps';

/** Failed requests of one message after which it ends, whatever the policy says: no loop outlives this. */
const FAILED_ATTEMPTS_MAX = 12;
/** A malformed stream makes OpenCode ask again for ever; a turn that stays with its model may do so this often in a row. */
const MALFORMED_ALONE_MAX = 3;

/** What to do about a failed attempt, by the agent's policy and what is left of its chain. */
export function decideFailure(
  state: EngineState,
  turn: Turn,
  failed: Readonly<{ model: ModelId; failure: Failure; now: number; random: number }>,
): Choice {
  const { model, failure, now, random } = failed;
  const { scope, plan, chain, tried, walk } = outlookOf(state, turn, now, failed);
  const question: Question = { state, turn, now, scope, plan, chain, tried, walk, model, failure, random };
  if (!plan) return passed(question, 'pass.no_chain');
  if (isPaused(state.pause, now)) return passed(question, 'pass.paused');
  const isAlone = !hasUnderstudy(question);
  if (!isAlone && turn.failedAttempts + 1 >= FAILED_ATTEMPTS_MAX) return ended(question);
  // The row in force: a provider map's own, else the policy's.
  const row = failure.steps ?? plan.policy[failure.kind] ?? SWIFT[failure.kind];
  const isOpenCodes = isAlone && !(asks(row) && can(question, 'ask'));
  const choice = isOpenCodes ? passed(question) : byPolicy(question, row);
  const malformed = tried.filter(({ kind }) => kind === 'early_termination');
  const isLooping = failure.kind === 'early_termination' && malformed.length >= MALFORMED_ALONE_MAX;
  return choice.action.kind === 'pass' && isLooping ? ended(question) : choice;
}

/** The turn ends here, with one clear error. */
function ended({ failure, walk }: Question): Choice {
  return choose({ kind: 'exhausted', soonest: walk.soonest }, `exhausted.${failure.kind}`, withoutChosen(walk.trace));
}

/** The first step of the failure's row that applies; a `wait` before it delays it. */
function byPolicy(question: Question, row: readonly PolicyStep[]): Choice {
  let waitMs: number | null = null;
  let refused: RetryRefusal | null = null;
  for (let at = 0; at < row.length; at++) {
    const step = row[at];
    if (!step || !holds(step.when, question.failure)) continue;
    if (step.step === 'wait' && usedOf(question.turn, 'wait', question.model) === 0) waitMs = step.ms;
    if (step.step !== 'wait') refused ??= refusedBy(step, question);
    const choice = apply(step, question, at === row.length - 1);
    if (choice) return told(waitMs === null ? choice : delayed(choice, waitMs, question), refused, question);
  }
  const rested = waitMs === null ? null : waited(question, waitMs);
  if (rested) return rested;
  if (waitMs !== null) refused ??= refusedBy({ step: 'wait', ms: waitMs }, question);
  return told(passed(question, refused ? 'pass.budget' : undefined), refused, question);
}

/** A choice that says of the model that failed which budget alone forbade to ask it again. */
function told(choice: Choice, refused: RetryRefusal | null, { state, turn, model, now }: Question): Choice {
  if (refused === null) return choice;
  const { state: shown } = standingIn(state, turn.directory, model, now);
  return { ...choice, trace: withFailed(choice.trace, { model, code: refused, state: shown }) };
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
      return stay(step, question) ?? unpaid(question, step);
    default:
      return stay(step, question);
  }
}

/** A choice that comes after a wait. A host that cannot wait for another model is given it at once. */
function delayed(choice: Choice, waitMs: number, question: Question): Choice {
  const { action, trace } = choice;
  if (action.kind === 'hold' && action.to === question.model)
    return { ...choice, action: { ...action, waitMs: action.waitMs + waitMs } };
  if (action.kind !== 'switch' || !can(question, 'hold.other') || !isRepeatable(question)) return choice;
  return { ...held(question, 'wait', waitMs, action.to), trace };
}

/** A retry that only the budgets forbid: another model answers instead, unless its policy has a person asked first. */
function unpaid(question: Question, step: PolicyStep): Choice | null {
  if (refusedBy(step, question) === null || Object.values(question.plan?.policy ?? {}).some(asks)) return null;
  return moved(question, switched);
}

/**
 * Puts the failure to the person, once a turn and model: yes takes the next model, anything else degrades the speaker, and so
 * does that there is nobody to ask about.
 */
function asked(question: Question): Choice | null {
  const { model, failure, turn } = question;
  if (!can(question, 'ask')) return null;
  const isOver = usedOf(turn, 'ask', model) > 0 || !hasUnderstudy(question);
  return isOver ? passed(question, `degraded.${failure.kind}`) : held(question, 'ask', SKIP_MS);
}

/** A move to another model, unless the agent is pinned to this one. */
function moved(question: Question, move: (question: Question) => Choice | null): Choice | null {
  const { state, turn, now } = question;
  if (pinFor(state, turn, now)) return passed(question, 'pass.pinned');
  return isSpent(question) ? null : move(question);
}

const isSpent = ({ scope, turn }: Question): boolean => turn.switches >= (scope?.maxFallbackDepth ?? 0);

function switched(question: Question): Choice | null {
  const next = nextSpeaker(question) ?? panicFor(question);
  if (!next) return null;
  const { model: to, position, trace, early } = next;
  const code = early ? 'switch.panic' : `switch.${question.failure.kind}`;
  const choice = choose({ kind: 'switch', from: question.model, to, position }, code, trace);
  return early ? { ...choice, used: early } : choice;
}

function ending(question: Question): Choice {
  if (isNative(question)) return passed(question);
  const end = ended(question);
  if (!isSpent(question)) return soon(question) ?? end;
  return choose(end.action, 'exhausted.depth', withoutChosen(question.walk.trace, 'chain.depth'));
}

/** A model that is back within 30 s is worth the wait, once a turn. */
function soon(question: Question): Choice | null {
  const soonest = soonestFor(question);
  if (!soonest || !isRepeatable(question)) return null;
  const { model: to, inMs } = soonest;
  return to === question.model || can(question, 'hold.other') ? held(question, 'soonest', inMs, to) : null;
}
