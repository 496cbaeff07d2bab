import type { Companion } from '../host';
import type { Client, UserMessage } from './types';

/** What the adapter remembers of one user message while it is answered. */
export type TurnMemory = {
  /** The model our own write put into the message; another one seen later is a stale write of OpenCode's. */
  expected: string | null;
  /** Models this turn has left. */
  readonly left: Set<string>;
  /** Requests for a model this turn had already left. */
  lost: number;
  /** Failed steps whose empty message has not been found yet. */
  readonly drops: { model: string; isKept: boolean }[];
  /** The user message as the last request saw it: what a mend has to restore. */
  user: UserMessage | null;
  isMending: boolean;
  /** Requests made so far, those of OpenCode's own included: numbers the attempts. */
  requests: number;
  /** What the next request has to say to a model that stopped too early; the transform takes it. */
  continueWith: string | null;
  /** The last failure went to OpenCode as it was: another request of this turn is OpenCode's own retry. */
  isPassedOn: boolean;
  /** The conversation was too long, and OpenCode has been left to compact it. */
  hasOverflowed: boolean;
};

/** A re-point on its way: the hook that rewrites the message looks here. */
export type PendingRepoint = { user: UserMessage; next: string; waiting: number; hits: number };

/** One directory of one OpenCode process. */
export type Instance = {
  readonly companion: Companion;
  readonly client: Client;
  readonly directory: string;
  /** Newest user message of each session. */
  readonly latest: Map<string, UserMessage>;
  readonly parents: Map<string, string>;
  readonly turns: Map<string, TurnMemory>;
  readonly pending: Map<string, PendingRepoint>;
  /** Called when a user message has been written. */
  readonly written: Map<string, (info: UserMessage) => void>;
  /** Empty messages of failed steps: message id to session id. */
  readonly leftovers: Map<string, string>;
  leads: Readonly<Record<string, string | null>>;
  /** Agents whose entry uses `models` as a fallback setting. */
  sharedKeyAgents: ReadonlySet<string>;
  defaultModel: string | null;
  isGone: boolean;
};

/** Sessions and messages remembered at most, so that a long-lived server does not grow. */
const REMEMBERED_MAX = 500;

/** Puts a value under a key as the newest, and forgets the oldest beyond the limit. */
export function remember<V>(map: Map<string, V>, key: string, value: V): V {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next().value;
  if (map.size > REMEMBERED_MAX && oldest !== undefined) map.delete(oldest);
  return value;
}

export const turnKey = (session: string, message: string): string => `${session}|${message}`;

/** The memory of a turn, made on first sight. */
export function turnOf(instance: Instance, session: string, message: string): TurnMemory {
  const key = turnKey(session, message);
  const known = instance.turns.get(key);
  if (known) return known;
  const fresh: TurnMemory = {
    expected: null,
    left: new Set(),
    lost: 0,
    drops: [],
    user: null,
    isMending: false,
    requests: 0,
    continueWith: null,
    isPassedOn: false,
    hasOverflowed: false,
  };
  return remember(instance.turns, key, fresh);
}
