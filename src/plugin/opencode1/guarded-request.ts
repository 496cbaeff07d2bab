import type { Instance, TurnMemory } from './instance';
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
  /** One request of the turn; retries inside the wrapper count on from it. */
  number: string;
}>;

/** The header that carries a request's number from `chat.headers` to the fetch wrapper; it never leaves this machine. */
export const REQUEST_HEADER = 'x-understudy';
