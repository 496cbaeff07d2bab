import { INTERNAL_AGENTS } from '../../../contract/opencode-agents';
import type { Needs } from '../../../engine';
import type { Rejoining } from '../../user/commands';
import type { Fetch } from './fetch-wrap';
import { type Instance, turnKey, turnsIn } from './instance';
import type { Purpose, TurnMemory } from './turn-memory';
import type { UserMessage } from './types';

export type GuardedRequest = Readonly<{
  instance: Instance;
  session: string;
  /** Copied when OpenCode made the request. */
  user: UserMessage;
  agent: string;
  model: string;
  npm: string;
  /** Watched, never switched: OpenCode's own requests, and turns that cannot move. */
  isInternal: boolean;
  turn: TurnMemory;
  needs?: Needs;
  reply?: string;
  rejoining?: Rejoining;
  standIn?: Fetch;
  /** Stops the turn in place of an error that OpenCode would show. */
  giveUp?: () => void;
  number: string;
}>;

export const purposeOf = ({ agent, isInternal }: Pick<GuardedRequest, 'agent' | 'isInternal'>): Purpose => ({
  isInternal,
  isHousekeeping: INTERNAL_AGENTS.has(agent),
});

/** Carries a request's number from `chat.headers` to the fetch wrapper. */
export const REQUEST_HEADER = 'x-understudy';

/**
 * Keeps a request of OpenAI's off the session's web socket, which Understudy cannot see. OpenCode reads it before it
 * fetches; no provider gets it. [seen: 1.18.34 with OPENCODE_EXPERIMENTAL_WEBSOCKETS, and the dev channel, which has
 * it on]
 */
export const OVER_HTTP_HEADER = 'x-opencode-title';

export const mayUseSocket = (provider: string): boolean => provider === 'openai';

/** Bedrock signs all of a request: do not change it. */
export const isSigned = (headers: Headers): boolean => /AWS4-HMAC/.test(headers.get('authorization') ?? '');

/** Removes our headers, except from signed requests. */
export function headersToSend(input: string | URL | Request, init: RequestInit | undefined): Headers {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  if (!isSigned(headers)) for (const name of [REQUEST_HEADER, OVER_HTTP_HEADER]) headers.delete(name);
  return headers;
}

/**
 * A command during a turn continues it, and after an overflow OpenCode sends a copy of the user's message without a
 * prompt.
 */
export function turnIdOf(request: Pick<GuardedRequest, 'instance' | 'session' | 'user'>): string {
  const { instance, session, user } = request;
  const { continues } = instance.turns.get(turnKey(session, user.id)) ?? {};
  return continues ?? overflowedTurn(request)?.message ?? user.id;
}

export const hasOverflowed = (request: GuardedRequest): boolean =>
  request.turn.hasOverflowed || overflowedTurn(request) !== null;

function overflowedTurn({ instance, session, user }: Pick<GuardedRequest, 'instance' | 'session' | 'user'>) {
  const prompted = turnsIn(instance, session).findLast((turn) => turn.isPrompted);
  return prompted?.hasOverflowed && prompted.message !== user.id ? prompted : null;
}
