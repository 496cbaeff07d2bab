import { parseJson } from '../../../contract/parse-json';
import { type GuardedRequest, isSigned } from '../memory/guarded-request';
import { noteLent, noteSpent } from '../memory/turn-memory';
import type { Call } from './call';

/** OpenCode adds this to an agent's last step. [seen: 1.17.19 to 1.18.34] */
const LAST_STEP = 'MAXIMUM STEPS REACHED';
const LISTS = ['messages', 'input', 'contents'] as const;
const SPEAKERS: readonly unknown[] = ['assistant', 'model'];

/** Removes the text while OpenCode counts steps of ours. A signed body stays. */
export function lentBody({ isInternal, turn }: GuardedRequest, headers: Headers, body: unknown): string | null {
  if (isInternal || turn.lentSteps === 0 || isSigned(headers)) return null;
  const lent = withoutLastStep(body);
  if (lent !== null) headers.delete('content-length');
  return lent;
}

/** Lends no step after the agent's own last one, or it could exceed the user's limit. */
export function lendStep({ request, isLent, isLast }: Pick<Call, 'request' | 'isLent' | 'isLast'>): void {
  if (!isLent && !isLast) noteLent(request.turn);
}

export function spendStep({ request, isLent }: Pick<Call, 'request' | 'isLent'>): void {
  if (isLent) noteSpent(request.turn);
}

/** OpenCode appends the text as the model's message; null without it. */
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
