import { type Decision, type Evidence, nameOf } from '../../../engine';
import type { Wire } from '../../answer/wire';
import { endMessage, isDeferred, isLeftOut, isOfBudget, overflowMessage } from '../../user/final-message';
import type { Fetch } from '../memory/fetch-wrap';
import { type GuardedRequest, hasOverflowed } from '../memory/guarded-request';
import { notePassed } from '../memory/turn-memory';

export type Call = Readonly<{
  request: GuardedRequest;
  original: Fetch;
  input: string | URL | Request;
  init: RequestInit;
  wire: Wire;
  /** OpenCode takes it for the agent's last step only because it counted ours. */
  isLent: boolean;
  isLast: boolean;
  /** Raised by the user's stop and by OpenCode's time limits. */
  signal: AbortSignal | null;
}>;

export const opencodeOf = ({ request }: Call): string => request.instance.companion.selfCheck.opencode();

export function tellFailed(
  { request }: Call,
  attempt: string,
  failure: Readonly<{ evidence: Evidence; durationMs: number }>,
): Decision | undefined {
  const { companion } = request.instance;
  const evidence = companion.named(request, failure.evidence);
  return companion.brain.decide({ type: 'attempt.failed', attempt, evidence, durationMs: failure.durationMs });
}

export function finalText(call: Call, decision: Decision): string {
  if (isOverflowedAgain(call, decision)) return overflowMessage(call.request.model);
  return (
    endMessage(decision, call.request.instance.companion.brain, Date.now()) ??
    'Understudy: OpenCode did not switch to the next model of this chain. Your session is safe; send the message again.'
  );
}

/** Disappears with the failed response. */
export function askedAgainText({ request }: Call): string {
  const { turn, model } = request;
  const next = turn.replay ? nameOf(turn.replay.to) : 'the next model';
  return `Understudy: ${nameOf(model)} failed. ${next} answers this message now.`;
}

/** True if another compaction would loop. */
export const isOverflowedAgain = ({ request }: Call, { action, failure }: Decision): boolean =>
  action.kind === 'pass' && failure?.kind === 'context_length' && hasOverflowed(request);

export const isEnd = (call: Call, decision: Decision): boolean =>
  decision.action.kind === 'exhausted' ||
  isDeferred(decision) ||
  isLeftOut(decision) ||
  isOfBudget(decision) ||
  isOverflowedAgain(call, decision);

/** The next request is OpenCode's retry, or what it compacted. */
export function notePassedOn({ request }: Call, decision: Decision | undefined): void {
  if (request.isInternal) return;
  notePassed(request.turn, decision?.failure?.kind === 'context_length');
}
