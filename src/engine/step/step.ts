import type { Decision } from '../base/decision';
import { SPREAD } from '../base/window';
import { askedUntil } from '../state/ask';
import type { EngineEvent, EventOf, EventType } from '../state/events';
import type { Fact } from '../state/facts';
import { draftOf, type EngineState, finished } from '../state/state';
import type { Ignored, Work } from '../state/work';
import { announce, isTime } from './announce';
import { onAnswered, onRetried, settleBudgets, settleQuestions } from './asking';
import { onAborted, onCarried, onFailed, onSucceeded } from './finish';
import { onRecounted, onSeen } from './headroom';
import { onHostRetrying, onLeaseRequested, onWoken } from './host';
import { onCounted } from './money';
import { onManual, onPaused, onPinned, onReset, onResumed } from './people';
import { onPrompt } from './prompt';
import { onConfigured, onScopeClosed } from './scopes';
import { onClosed, onFirstToken, onIdle, onWaiting } from './sessions';
import { onStarted } from './start';
import { onHeard, onSynced } from './sync';

export type Step = Readonly<{
  state: EngineState;
  decisions: readonly Decision[];
  /** Changes by time, then results of the event, then changed states. */
  facts: readonly Fact[];
  /** Engine ms at which a `tick` is due; null for none. */
  wakeAt: number | null;
}>;

/**
 * @param now monotonic ms of the host.
 * @param random uniform sample in [0, 1), so that a log replays identically.
 * @throws RangeError for `random` outside its range.
 */
export function step(state: EngineState, event: EngineEvent, now: number, random: number): Step {
  if (!(random >= 0 && random < 1)) throw new RangeError(`random must be in [0, 1), got ${random}`);
  const dueAt = state.troubled[0]?.at;
  if (dueAt === undefined || dueAt > now || isTime(event)) return stepped(state, event, now, random);
  // A log without its host's ticks must give the same state.
  const late: Work = { state: draftOf(state), now, random, decisions: [], facts: [] };
  announce(state, late, { type: 'tick' });
  const { state: next, decisions, facts, wakeAt } = stepped(finished(state, late.state), event, now, random);
  return { state: next, decisions, facts: [...late.facts, ...facts], wakeAt };
}

function stepped(state: EngineState, event: EngineEvent, now: number, random: number): Step {
  const work: Work = { state: draftOf(state), now, random, decisions: [], facts: [] };
  const refusal = handle(work, event.type, event);
  if (refusal) work.facts.push(refusal);
  settleQuestions(work);
  for (const decision of work.decisions) noteMove(work.facts, decision);
  const wakeAt = soonestOf(work, announce(state, work, event));
  return {
    state: finished(state, work.state),
    decisions: work.decisions,
    facts: work.facts,
    wakeAt,
  };
}

function noteMove(facts: Fact[], decision: Decision): void {
  const { action, attempt, code } = decision;
  // Neither a redirect to the primary nor one to another account of its model is a move.
  if (code === SPREAD) return;
  if (action.kind === 'switch' || (action.kind === 'redirect' && action.position > 0))
    facts.push({ type: 'speaker.moved', decision });
  else if (action.kind === 'exhausted') facts.push({ type: 'chain.exhausted', decision, isUnasked: attempt === null });
}

type Handlers = { readonly [T in EventType]: (work: Work, event: EventOf<T>) => Ignored | undefined };

function handle<T extends EventType>(work: Work, type: T, event: EventOf<T>): Ignored | undefined {
  // Logs of older versions contain events that no longer exist.
  const handler: Partial<Handlers>[T] = HANDLERS[type];
  return handler?.(work, event);
}

const HANDLERS: Handlers = {
  'scope.configured': onConfigured,
  'scope.closed': onScopeClosed,
  'prompt.submitted': onPrompt,
  'attempt.started': onStarted,
  'attempt.failed': onFailed,
  'attempt.succeeded': onSucceeded,
  'attempt.aborted': onAborted,
  'attempt.silent': onFirstToken,
  'attempt.answering': onFirstToken,
  'headroom.seen': onSeen,
  'headroom.counted': onRecounted,
  'money.counted': (work, event) => {
    onCounted(work, event);
    settleBudgets(work);
  },
  'switch.carried': onCarried,
  'session.idle': onIdle,
  'session.waiting': onWaiting,
  'session.closed': onClosed,
  'health.reset': onReset,
  'health.synced': onSynced,
  'fleet.heard': onHeard,
  'health.isolated': onManual,
  'health.released': onManual,
  'health.held': onManual,
  'agent.pinned': onPinned,
  'switching.paused': onPaused,
  'switching.resumed': onResumed,
  'question.answered': onAnswered,
  'speaker.retried': onRetried,
  'host.resumed': onWoken,
  'host.retrying': onHostRetrying,
  'lease.requested': onLeaseRequested,
  tick: () => {},
};

function soonestOf({ state, now }: Work, models: number | null): number | null {
  let soonest = models;
  for (const at of [askedUntil(state.questions), state.pause?.until ?? null])
    if (at !== null && at > now && (soonest === null || at < soonest)) soonest = at;
  return soonest;
}
