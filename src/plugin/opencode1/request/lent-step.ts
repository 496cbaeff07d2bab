import { parseJson } from '../../../contract/parse-json';
import { type GuardedRequest, isSigned } from '../memory/guarded-request';
import { noteLent, noteSpent } from '../memory/turn-memory';
import type { Call } from './call';

/** What OpenCode tells a model whose agent has no step left. [seen: 1.17.19 to 1.18.34] */
const LAST_STEP = 'MAXIMUM STEPS REACHED';
/** Where the wires keep a conversation, and who speaks for the model in it. */
const LISTS = ['messages', 'input', 'contents'] as const;
const SPEAKERS: readonly unknown[] = ['assistant', 'model'];

/**
 * The body of a request that OpenCode takes for the agent's last step, as long as it has counted steps of ours: without its
 * word that it is; null where nothing is to be changed. A signed body is left alone.
 */
export function lentBody({ isInternal, turn }: GuardedRequest, headers: Headers, body: unknown): string | null {
  if (isInternal || turn.lentSteps === 0 || isSigned(headers)) return null;
  const lent = withoutLastStep(body);
  if (lent !== null) headers.delete('content-length');
  return lent;
}

/**
 * OpenCode is made to take a step that is none of the agent's. One that was lent itself is lent on; after the agent's own last
 * one none is, or it could take a step more than the user allows.
 */
export function lendStep({ request, isLent, isLast }: Pick<Call, 'request' | 'isLent' | 'isLast'>): void {
  if (!isLent && !isLast) noteLent(request.turn);
}

/** A model has answered: a step that was lent is the agent's from now on. */
export function spendStep({ request, isLent }: Pick<Call, 'request' | 'isLent'>): void {
  if (isLent) noteSpent(request.turn);
}

/**
 * The body of a request without OpenCode's word that it is the agent's last step, which it puts at the end in the model's own
 * name; null where it says no such thing.
 */
export function withoutLastStep(body: unknown): string | null {
  if (typeof body !== 'string' || !body.includes(LAST_STEP)) return null;
  const request = objectIn(body);
  for (const name of LISTS) {
    const list = request?.[name];
    if (!Array.isArray(list)) continue;
    const last: unknown = list.at(-1);
    if (isSpeakers(last) && JSON.stringify(last).includes(LAST_STEP))
      return JSON.stringify({ ...request, [name]: list.slice(0, -1) });
  }
  return null;
}

const isSpeakers = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'role' in message && SPEAKERS.includes(message.role);

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? { ...value } : null;
}
