import { type Decision, type Evidence, nameOf } from '../../../engine';
import type { Wire } from '../../answer/wire';
import { endMessage, isDeferred, isLeftOut, isOfBudget, overflowMessage } from '../../user/final-message';
import type { Fetch } from '../memory/fetch-wrap';
import { type GuardedRequest, hasOverflowed } from '../memory/guarded-request';
import { notePassed } from '../memory/turn-memory';

/** One call of OpenCode's SDK to its provider, as the wrapper carries it. */
export type Call = Readonly<{
  request: GuardedRequest;
  original: Fetch;
  input: string | URL | Request;
  init: RequestInit;
  wire: Wire;
  /** It is one of the agent's steps that OpenCode has counted for one of ours. */
  isLent: boolean;
  /** It is the agent's own last step, and says so. */
  isLast: boolean;
  /** OpenCode's: raised by the user's stop, and by its own time limits. */
  signal: AbortSignal | null;
}>;

/** OpenCode's version; empty until OpenCode has reported it. */
export const opencodeOf = ({ request }: Call): string => request.instance.companion.selfCheck.opencode();

/** Reports a failed attempt, with what its provider's map says of it. @returns what to do about it. */
export function tellFailed(
  { request }: Call,
  attempt: string,
  failure: Readonly<{ evidence: Evidence; durationMs: number }>,
): Decision | undefined {
  const { companion } = request.instance;
  const evidence = companion.named(request, failure.evidence);
  return companion.brain.decide({ type: 'attempt.failed', attempt, evidence, durationMs: failure.durationMs });
}

/** The sentence that ends a turn which nobody can go on with. */
export function finalText(call: Call, decision: Decision): string {
  if (isOverflowedAgain(call, decision)) return overflowMessage(call.request.model);
  return (
    endMessage(decision, call.request.instance.companion.brain, Date.now()) ??
    'Understudy: OpenCode did not take the next model of this chain. Your session is safe; send the message again.'
  );
}

/** What ends a turn whose message is asked again of another model. It goes with the answer that failed. */
export function askedAgainText({ request }: Call): string {
  const { turn, model } = request;
  const next = turn.replay ? nameOf(turn.replay.to) : 'the next model';
  return `Understudy: ${nameOf(model)} failed. ${next} answers this message now.`;
}

/** A conversation that is too long after it was compacted would be compacted again, for ever. */
export const isOverflowedAgain = ({ request }: Call, { action, failure }: Decision): boolean =>
  action.kind === 'pass' && failure?.kind === 'context_length' && hasOverflowed(request);

export const isEnd = (call: Call, decision: Decision): boolean =>
  decision.action.kind === 'exhausted' ||
  isDeferred(decision) ||
  isLeftOut(decision) ||
  isOfBudget(decision) ||
  isOverflowedAgain(call, decision);

/** Notes that a failure goes to OpenCode as it is: what is asked next is OpenCode's own retry, or what it compacted. */
export function notePassedOn({ request }: Call, decision: Decision | undefined): void {
  if (request.isInternal) return;
  notePassed(request.turn, decision?.failure?.kind === 'context_length');
}
