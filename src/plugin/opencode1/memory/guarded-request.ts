import { INTERNAL_AGENTS } from '../../../contract/opencode-agents';
import type { Needs } from '../../../engine';
import type { Rejoining } from '../../user/commands';
import type { Fetch } from './fetch-wrap';
import { type Instance, turnKey, turnsIn } from './instance';
import type { Purpose, TurnMemory } from './turn-memory';
import type { UserMessage } from './types';

/** What `chat.headers` knew of a request, kept until the fetch wrapper sees its number. */
export type GuardedRequest = Readonly<{
  instance: Instance;
  session: string;
  /** The user message as it was when OpenCode made the request. */
  user: UserMessage;
  agent: string;
  model: string;
  npm: string;
  /** Title, compaction and summary requests are OpenCode's own: watched, never switched. */
  isInternal: boolean;
  turn: TurnMemory;
  needs?: Needs;
  reply?: string;
  /** Who has come back by it, and is tried before the user is told. */
  rejoining?: Rejoining;
  standIn?: Fetch;
  /** Has its turn stopped, in place of an error that the host would show. */
  giveUp?: () => void;
  /** One request of the turn; retries inside the wrapper count on from it. */
  number: string;
}>;

export const purposeOf = ({ agent, isInternal }: Pick<GuardedRequest, 'agent' | 'isInternal'>): Purpose => ({
  isInternal,
  isHousekeeping: INTERNAL_AGENTS.has(agent),
});

/** The header that carries a request's number from `chat.headers` to the fetch wrapper; it never leaves this machine. */
export const REQUEST_HEADER = 'x-understudy';

/**
 * The header that keeps a request of OpenAI's off the web socket OpenCode may hold for its session, where nobody sees what comes: it
 * marks what OpenCode always asks over HTTP. OpenCode reads it before it fetches; no provider gets it. [seen: 1.18.34 with
 * OPENCODE_EXPERIMENTAL_WEBSOCKETS, and the dev channel, which has it on]
 */
export const OVER_HTTP_HEADER = 'x-opencode-title';

/** Providers that OpenCode 1 may ask over a web socket. */
export const mayUseSocket = (provider: string): boolean => provider === 'openai';

/** Whether a request is signed over all that it carries (Bedrock): nothing of it may be changed. */
export const isSigned = (headers: Headers): boolean => /AWS4-HMAC/.test(headers.get('authorization') ?? '');

/** The headers a provider gets: ours is taken out, unless the request is signed over all of them (Bedrock). */
export function headersToSend(input: string | URL | Request, init: RequestInit | undefined): Headers {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  if (!isSigned(headers)) for (const name of [REQUEST_HEADER, OVER_HTTP_HEADER]) headers.delete(name);
  return headers;
}

/**
 * The turn a request belongs to, as the engine knows it: one goes on in the steps of a command that came while it was
 * under way; and after an overflow OpenCode compacts the conversation and asks anew in a copy of the user's message, which
 * no prompt announced.
 */
export function turnIdOf(request: Pick<GuardedRequest, 'instance' | 'session' | 'user'>): string {
  const { instance, session, user } = request;
  const { continues } = instance.turns.get(turnKey(session, user.id)) ?? {};
  return continues ?? overflowedTurn(request)?.message ?? user.id;
}

/** Whether this turn's conversation was too long before. */
export const hasOverflowed = (request: GuardedRequest): boolean =>
  request.turn.hasOverflowed || overflowedTurn(request) !== null;

function overflowedTurn({ instance, session, user }: Pick<GuardedRequest, 'instance' | 'session' | 'user'>) {
  const prompted = turnsIn(instance, session).findLast((turn) => turn.isPrompted);
  return prompted?.hasOverflowed && prompted.message !== user.id ? prompted : null;
}
