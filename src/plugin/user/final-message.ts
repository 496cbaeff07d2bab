import { nearOf } from '../../core/headroom/rows';
import { plainRow } from '../../core/history/event-rows';
import {
  type Considered,
  type Decision,
  type FailureKind,
  isOutByHand,
  keyIn,
  lastFailureOf,
  type ModelId,
  type Shortage,
  standingIn,
} from '../../engine';
import { activeOf, get, haltedBy, isBareRefusal } from '../../engine/tools';
import { eventSentence } from '../../wording/event-words';
import { budgetPhrase } from '../../wording/headroom-words';
import { reasonPhrase } from '../../wording/reason-words';
import { clock, kindPhrase, ownerPhrase, shortName } from '../../wording/wording';
import type { Brain } from '../base/brain';
import type { Companion } from '../runtime/host';

/** Available models that may not, or cannot, take this request. */
const UNFIT = /^(?:needs|vendor|price)\./;

/** Last part of a health code: `limit.rate_limit`, `blocked.auth`. */
const kindIn = (code: string): FailureKind | null => {
  const family = code.slice(0, code.indexOf('.'));
  return family === 'limit' || family === 'blocked' || family === 'rest'
    ? (code.slice(code.indexOf('.') + 1) as FailureKind)
    : null;
};

function finalMessage(decision: Decision, brain: Pick<Brain, 'state' | 'now'>, now: number): string {
  const state = brain.state();
  const directory = get(state.sessions, decision.session)?.directory ?? '';
  const isRefused = decision.code === 'exhausted.refused';
  const reasons = decision.trace.flatMap((entry) => {
    const unfit = UNFIT.test(entry.code) ? reasonPhrase(entry.code) : null;
    if (unfit) return `${shortName(entry.model)} ${unfit.startsWith('cannot') ? '' : 'is '}${unfit}`;
    const kind = lastFailureOf(state, keyIn(state, directory, entry.model))?.kind ?? decision.failure?.kind ?? null;
    return isRefused && isBareRefusal(kind) ? [] : `${shortName(entry.model)} is ${reasonOf(entry, kind)}`;
  });
  const { action } = decision;
  const soonest = action.kind === 'exhausted' ? action.soonest : null;
  const why = reasons.join('; ');
  const depth = get(state.scopes, directory)?.maxFallbackDepth ?? 0;
  if (decision.code === 'exhausted.depth')
    return `Understudy: defaults.maxFallbackDepth ends a turn after ${depth} ${depth === 1 ? 'switch' : 'switches'} (${why}). Your session is safe; send the message again to continue.`;
  if (decision.code === 'exhausted.attempts')
    return `Understudy: too many requests of this turn failed (${why}). Your session is safe; send the message again to continue.`;
  const all = isRefused ? 'the other models refused this conversation' : 'all models of this chain are unavailable';
  if (soonest?.inMs === 0)
    return `Understudy: ${all} for this message (${why}). ${shortName(soonest.model)} takes the next one. Your session is safe; send the message again.`;
  const source = soonest && standingIn(state, directory, soonest.model, brain.now()).source;
  const owner = source ? ` (${ownerPhrase(source)})` : '';
  const back = soonest ? ` ${shortName(soonest.model)} is back first, about ${clock(now + soonest.inMs)}${owner}.` : '';
  if (decision.code === 'exhausted.paused')
    return `Understudy: ${why}, and switching is paused, so no request is sent.${back} Your session is safe; enable the model or resume switching, then send the message again.`;
  return `Understudy: ${all} (${why}).${back} Your session is safe; send the message again ${soonest ? 'then' : 'once that is fixed'}.`;
}

/** Ends a request that no other model can take; null without a spent budget. */
export function overBudgetMessage(
  { brain }: Pick<Companion, 'brain'>,
  asking: Parameters<typeof haltedBy>[1],
  model: ModelId,
): string | null {
  const short = haltedBy(brain.state(), asking, model, brain.now());
  return short && spentMessage('exhausted.money', short);
}

function spentMessage(code: string, short: Shortage): string {
  const why = code === 'skipped.money' ? ', and you did not approve more in time' : '';
  const phrase = budgetPhrase(nearOf(short));
  if (short.code === 'money.unpriced')
    return `Understudy: ${phrase}${why}, so no request is sent. Your session is safe. Set its price in your own opencode.json, or choose a model of another provider; the budget is set in your model-fallback.json.`;
  const anew = { 'money.day': 'at midnight', 'money.week': 'on Monday', 'money.session': 'with a new session' };
  const when = Object.entries(anew).find(([own]) => own === short.code)?.[1] ?? 'later';
  return `Understudy: ${phrase}${why}, so no request is sent. Your session is safe. The budget resets ${when}; it is set in your model-fallback.json.`;
}

/** Null unless a user disabled the model. */
export function outByHandPhrase({ brain }: Pick<Companion, 'brain'>, directory: string, model: ModelId): string | null {
  const [state, now] = [brain.state(), brain.now()];
  if (!isOutByHand(state, model, now)) return null;
  return reasonPhrase(standingIn(state, directory, model, now).code ?? '') ?? 'out of use';
}

export function outByHandMessage(of: Pick<Companion, 'brain'>, directory: string, model: ModelId): string | null {
  const why = outByHandPhrase(of, directory, model);
  if (why === null) return null;
  return `Understudy: ${shortName(model)} is ${why}, so no request is sent. Your session is safe; enable it or choose another model.`;
}

/**
 * Null if the turn continues.
 * @param now Unix ms.
 */
export function endMessage(decision: Decision, brain: Pick<Brain, 'state' | 'now'>, now: number): string | null {
  if (isOfBudget(decision) && decision.short) return spentMessage(decision.code, decision.short);
  if (isDeferred(decision)) return (decision.failure?.outputChars ?? 0) > 0 ? LOST : DEFERRED;
  if (isLeftOut(decision))
    return leftOutMessage(decision.agent, activeOf(brain.state(), decision.session).active === 0);
  if (decision.action.kind !== 'exhausted') return null;
  return finalMessage(decision, brain, now);
}

/** The council that plays the session decides about the next model. */
export const isDeferred = ({ action }: Decision): boolean => action.kind === 'hold' && action.task === 'defer';
/** Follows the partial response, which stays. */
const LOST = '[Connection lost mid-response] Understudy: this response was cut off. Its council requests it again.';
const DEFERRED = 'Understudy: this participant could not answer now. Its council continues without this turn.';

/** True after a declined or unanswered question. */
export const isLeftOut = ({ code }: Decision): boolean =>
  /^(?:declined|skipped|degraded)\.(?!money$)|^exhausted\.degraded$/.test(code);

export const isOfBudget = ({ code }: Decision): boolean => /^(?:exhausted|declined|skipped)\.money$/.test(code);

function leftOutMessage(agent: string, isPaused: boolean): string {
  const rows = [plainRow('exhausted.degraded', { agent }), ...(isPaused ? [plainRow('session.paused')] : [])];
  return `Understudy: ${rows.map((row) => `${eventSentence(row)}.`).join(' ')} Your session is safe.`;
}

export const overflowMessage = (model: ModelId): string =>
  `Understudy: this conversation is too long for ${shortName(model)}, even after OpenCode compacted it, and no model of this chain is known to have a larger context. Start a new session, or choose a model with a larger context.`;

function reasonOf(entry: Considered, failedKind: FailureKind | null): string {
  // A user's action explains more than the last failure.
  if (entry.code.startsWith('held.') || entry.code === 'headroom.drain')
    return reasonPhrase(entry.code) ?? 'held out of use';
  if (entry.code === 'chain.depth' || entry.code === 'chain.attempts') return 'not requested';
  const kind = kindIn(entry.code);
  if (kind) return kindPhrase(kind, null);
  const isFailed = entry.verdict === 'failed' || entry.code === 'provider.failed';
  if (isFailed) return failedKind ? kindPhrase(failedKind, null) : 'failing';
  if (entry.state === 'ready' || entry.state === 'unseen' || entry.state === 'degraded') return 'not requested';
  return 'resting after failures';
}
