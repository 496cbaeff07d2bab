import { remember } from '../../core/remember';
import type { Evidence, Needs } from '../../engine';
import type { Rejoining } from '../commands';
import type { Companion } from '../host';
import type { ToolMemory } from '../tool-ends';
import { type Listing, NOTHING_LISTED } from './catalogue';
import type { Drill } from './drill';
import { refOf } from './model-ref';
import type { Client, UserMessage } from './types';
import type { Replay } from './unseen';
import type { Writing } from './usage';
import type { Voice } from './voice';

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

/** A re-point on its way: the hook that rewrites the message looks here. */
export type PendingRepoint = { user: UserMessage; next: string; waiting: number; hits: number };

/** A session of ours, in which another model answers one of OpenCode's own requests. */
export type Aside = {
  /** The instructions of that request: the session is told nothing else. */
  readonly system: string;
  isAsked: boolean;
  /** How it failed. */
  evidence: Evidence | null;
};

/** What is remembered of one directory of one OpenCode process. */
export type Memory = {
  readonly parents: Map<string, string>;
  readonly turns: Map<string, TurnMemory>;
  readonly pending: Map<string, PendingRepoint>;
  /** Called when a user message has been written. */
  readonly written: Map<string, (info: UserMessage) => void>;
  /** Empty messages of failed steps: message id to session id. */
  readonly leftovers: Map<string, string>;
  /** Sessions whose end the user has undone: any write of ours would make that final. */
  readonly reverted: Set<string>;
  /** By session id; OpenCode speaks of a session after it is gone. */
  readonly asides: Map<string, Aside>;
  /** Sessions with a turn under way. */
  readonly working: Set<string>;
  /** What the newest request of each session asked of its model. */
  readonly needs: Map<string, Needs>;
  /** Answers that are being written, by message id. */
  readonly writing: Map<string, Writing>;
  readonly toolEnds: ToolMemory;
  /** What the user has been told of this OpenCode, each once. */
  readonly told: Set<string>;
};

/** One directory of one OpenCode process, as one call of the plugin serves it. */
export type Instance = Memory & {
  readonly companion: Companion;
  readonly client: Client;
  readonly directory: string;
  readonly voice: Voice;
  /** By session id; the same for all instances: one that is opened anew hears of a drill of the one before. */
  readonly drills: Map<string, Drill>;
  listed: Listing;
  /** Until OpenCode has listed its models. */
  listing: Promise<void> | null;
  leads: Readonly<Record<string, string | null>>;
  /** Agents whose entry uses `models` as a fallback setting. */
  sharedKeyAgents: ReadonlySet<string>;
  defaultModel: string | null;
  /** This process lives until somebody ends it: neither a command that exits when it is through, nor `opencode run`. */
  staysOpen: boolean;
  /** OpenCode exits when a session rests, as `opencode run` does. */
  exitsAtRest: boolean;
  isGone: boolean;
};

const drills = new Map<string, Drill>();

/** A memory with nothing in it. */
export const newMemory = (): Memory => ({
  parents: new Map(),
  turns: new Map(),
  pending: new Map(),
  written: new Map(),
  leftovers: new Map(),
  reverted: new Set(),
  asides: new Map(),
  working: new Set(),
  needs: new Map(),
  writing: new Map(),
  toolEnds: new Map(),
  told: new Set(),
});

const memories = new Map<string, { memory: Memory; users: number }>();

/**
 * The memory of a directory, one for all who serve it: OpenCode before 1.17.9 opens a directory twice, and what one of the
 * two asks of it comes by in the hooks and events of the other.
 *
 * @returns it, and what lets go of it: whether nobody serves the directory any more, and it is forgotten.
 */
export function shareMemory(directory: string): Readonly<{ memory: Memory; leave: () => boolean }> {
  const shared = memories.get(directory) ?? { memory: newMemory(), users: 0 };
  memories.set(directory, shared);
  shared.users++;
  const leave = (): boolean => {
    if (--shared.users > 0) return false;
    memories.delete(directory);
    return true;
  };
  return { memory: shared.memory, leave };
}

/** Commands of OpenCode that load plugins, do one thing and exit. */
const PASSING: ReadonlySet<string> = new Set(
  'run models agent auth providers mcp stats export import github pr session debug db plugin upgrade uninstall'.split(
    ' ',
  ),
);

/** What an instance begins with. */
export function newInstance(
  companion: Companion,
  client: Client,
  directory: string,
  voice: Voice,
  memory: Memory = newMemory(),
): Instance {
  return {
    ...memory,
    companion,
    client,
    directory,
    voice,
    drills,
    listed: NOTHING_LISTED,
    listing: null,
    leads: {},
    sharedKeyAgents: new Set(),
    defaultModel: null,
    staysOpen: !process.argv.slice(2).some((word) => PASSING.has(word)),
    exitsAtRest: process.argv.includes('run'),
    isGone: false,
  };
}

export const turnKey = (session: string, message: string): string => `${session}|${message}`;

/** The memory of a turn, made on first sight. */
export function turnOf(instance: Instance, session: string, message: string): TurnMemory {
  const key = turnKey(session, message);
  return instance.turns.get(key) ?? remember(instance.turns, key, newTurn(session, message));
}

/** Begins the memory of a message anew: the user has just sent it. */
export function beginTurn(instance: Instance, user: UserMessage, home: string): TurnMemory {
  const turn = newTurn(user.sessionID, user.id);
  turn.user = structuredClone(user);
  turn.home = home;
  turn.isPrompted = true;
  return remember(instance.turns, turnKey(user.sessionID, user.id), turn);
}

function newTurn(session: string, message: string): TurnMemory {
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

/** What is remembered of a session's messages, oldest first. */
export function turnsIn(instance: Instance, session: string): readonly TurnMemory[] {
  return [...instance.turns.values()]
    .filter((turn) => turn.session === session)
    .sort((a, b) => (a.message < b.message ? -1 : 1));
}

/**
 * A message that OpenCode made itself (after a compaction or a sub-task) has the model of the one before, moved or not:
 * its home is that one's.
 */
export function homeOf(instance: Instance, user: UserMessage): string {
  const model = refOf(user.model);
  const before = turnsIn(instance, user.sessionID).findLast(
    (turn) => turn.message < user.id && turn.user !== null && refOf(turn.user.model) === model,
  );
  return before?.home ?? model;
}
