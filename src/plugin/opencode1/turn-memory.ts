import type { Rejoining } from '../commands';
import type { UserMessage } from './types';

/** A turn that has ended in an error and goes on with another model as soon as OpenCode is through with it. */
export type Replay = Readonly<{ from: string; to: string; failed: string | null }>;

/** What the adapter remembers of one user message. */
export type TurnMemory = {
  readonly session: string;
  readonly message: string;
  /** Whether the user sent it; OpenCode makes messages of its own. */
  isPrompted: boolean;
  /** The model the message named when it came, and shall name again when its session rests; null while not known. */
  home: string | null;
  /** The model our own write put into the message; another one seen later is a stale write of OpenCode's. */
  expected: string | null;
  /** Models this turn has left. */
  readonly left: Set<string>;
  /** Requests for a model this turn had already left. */
  lost: number;
  /** Failed steps whose empty message has not been found yet. */
  readonly drops: { model: string; isKept: boolean }[];
  /** The user message as it was seen last. */
  user: UserMessage | null;
  /** A stale write that is being mended. */
  mending: Promise<void> | null;
  /** A request of the turn has been numbered for the fetch wrapper. */
  isNumbered: boolean;
  /** Requests made so far, those of OpenCode's own included: numbers the attempts. */
  requests: number;
  /** Short pieces of an answer, kept for the model that shall go on from them; another one begins anew. */
  halves: number;
  /** What the next request has to say to a model that shall go on from a kept piece; the transform takes it. */
  continueWith: string | null;
  /** Steps that OpenCode has counted for ours, and not given back to the agent yet. */
  lentSteps: number;
  /** The last failure went to OpenCode as it was: another request of this turn is OpenCode's own retry. */
  isPassedOn: boolean;
  /** Whether anything was said or any tool called in it; null while its history has not come by. */
  hasBegun: boolean | null;
  /** It was moved, and OpenCode has not asked the next model yet. */
  isAwaited: boolean;
  /** It ends in an error, and another model takes over when the session rests. */
  replay: Replay | null;
  /** The conversation was too long, and OpenCode has been left to compact it. */
  hasOverflowed: boolean;
  /** The message is a command of ours: what the user is told; null for any other message. */
  reply: string | null;
  /** The agent this command has brought back, until it has been tried. */
  rejoining: Rejoining | null;
  /** The user has been told. */
  isReplied: boolean;
  /** The turn that goes on in this command's steps, because it was under way when the command came. */
  continues: string | null;
  /** The newest message in which this one is answered. */
  answering: string | null;
};

/** The memory of a message of which nothing is known. */
export function newTurn(session: string, message: string): TurnMemory {
  return {
    session,
    message,
    isPrompted: false,
    home: null,
    expected: null,
    left: new Set(),
    lost: 0,
    drops: [],
    user: null,
    mending: null,
    isNumbered: false,
    requests: 0,
    halves: 0,
    lentSteps: 0,
    continueWith: null,
    isPassedOn: false,
    hasBegun: null,
    isAwaited: false,
    replay: null,
    hasOverflowed: false,
    reply: null,
    rejoining: null,
    isReplied: false,
    continues: null,
    answering: null,
  };
}
