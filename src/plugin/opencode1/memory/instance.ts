import type { Evidence, Needs } from '../../../engine';
import { remember } from '../../../engine/tools';
import type { Companion } from '../../runtime/host';
import type { ToolMemory } from '../../runtime/tool-ends';
import { type Listing, NOTHING_LISTED } from './catalogue';
import type { Fetch } from './fetch-wrap';
import { refOf } from './model-ref';
import { type Home, homeIn, namedIn, newTurn, promptedTurn, type TurnMemory } from './turn-memory';
import type { AssistantInfo, Client, UserMessage } from './types';
import type { Voice } from './voice';

/** A re-point on its way: the hook that rewrites the message looks here. */
export type PendingRepoint = { user: UserMessage; next: string; waiting: number; hits: number };

/** A session of ours, in which another model answers one of OpenCode's own requests. */
export type Aside = {
  /** The instructions of that request: the session is told nothing else. */
  readonly system: string;
  isAsked: boolean;
  /** How it failed. */
  evidence: Evidence | null;
  /** Present if it only tries whether its model starts. */
  readonly look?: { hasStarted: boolean };
};

export type Asking = Readonly<{ agent: string; model: string; npm: string }>;

/**
 * A message that is being written, with the steps and calls of tools in it that have been counted. Only such a message is counted: OpenCode
 * tells of finished ones again when a session is forked, under new ids.
 */
export type Writing = Readonly<{ info: AssistantInfo; counted: Set<string> }>;

/** A session of ours with an engine of its own, which is thrown away: whatever happens in it, nobody else hears of it. */
export type Apart = Readonly<{
  instance: Instance;
  /** Of a drill, in which no provider is asked: answers in its place; the first model asked fails, every other one answers. */
  answerFor: ((asking: Asking) => Fetch) | null;
  /** Hears of a turn that could not be moved: it is stopped, since its error would reach every program on the host's bus. */
  giveUp?: () => void;
  /** What it is told in place of the host's instructions; null where it is told those. */
  system: string | null;
}>;

/** What is remembered of one directory of one OpenCode process. */
export type Memory = {
  readonly parents: Map<string, string>;
  readonly turns: Map<string, TurnMemory>;
  readonly pending: Map<string, PendingRepoint>;
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
  /** By session id; the same for all instances: one that is opened anew hears of those of the one before. */
  readonly apart: Map<string, Apart>;
  listed: Listing;
  /** Until OpenCode has listed its models. */
  listing: Promise<void> | null;
  /** Gives providers the fetch of their login plugin back. */
  readonly logins: (() => void)[];
  /** How requests to a provider were seen, each once. */
  readonly seen: Set<string>;
  readonly failedLogins: Map<string, string>;
  /** Models that OpenCode lists and cannot start, with the reason. */
  readonly unstartable: Map<string, string>;
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

const apart = new Map<string, Apart>();

/** A switch is always tried in it, whatever is known. */
const TRYING: Omit<Companion['selfCheck'], 'opencode'> = {
  actuator: () => 'soft',
  isKnown: () => true,
  offer: () => undefined,
  settled: async () => 'soft',
  learn: async () => undefined,
};
const SILENT: Voice = {
  warn: () => undefined,
  notify: () => undefined,
  fail: () => undefined,
  arrive: () => undefined,
};

/** The same instance with another engine, and nobody to tell. */
export function withBrain(instance: Instance, brain: Companion['brain']): Instance {
  const selfCheck = { ...TRYING, opencode: instance.companion.selfCheck.opencode };
  const companion = { ...instance.companion, brain, selfCheck, isArmed: () => true, refresh: async () => true };
  return { ...instance, companion, voice: SILENT, told: new Set() };
}

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
    apart,
    listed: NOTHING_LISTED,
    listing: null,
    logins: [],
    failedLogins: new Map(),
    unstartable: new Map(),
    seen: new Set(),
    leads: {},
    sharedKeyAgents: new Set(),
    defaultModel: null,
    staysOpen: !process.argv.slice(2).some((word) => PASSING.has(word)),
    exitsAtRest: process.argv.includes('run'),
    isGone: false,
  };
}

export const turnKey = (session: string, message: string): string => `${session}|${message}`;

export function turnOf(instance: Instance, session: string, message: string): TurnMemory {
  const key = turnKey(session, message);
  return instance.turns.get(key) ?? remember(instance.turns, key, newTurn(session, message));
}

export function beginTurn(instance: Instance, user: UserMessage, home: Home): TurnMemory {
  return remember(instance.turns, turnKey(user.sessionID, user.id), promptedTurn(user, home));
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
export function homeOf(instance: Instance, user: UserMessage): Home {
  const named = namedIn(user);
  const before = turnsIn(instance, user.sessionID).findLast(
    (turn) => turn.message < user.id && turn.user !== null && refOf(turn.user.model) === named.model,
  );
  return (before && homeIn(before)) ?? named;
}
