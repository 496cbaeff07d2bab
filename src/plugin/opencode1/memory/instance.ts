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

export type PendingRepoint = { user: UserMessage; next: string; waiting: number; hits: number };

/** A session in which another model answers one of OpenCode's own requests. */
export type Aside = {
  readonly system: string;
  isAsked: boolean;
  evidence: Evidence | null;
  /** Set if the session only tests whether its model starts. */
  readonly look?: { hasStarted: boolean };
};

export type Asking = Readonly<{ agent: string; model: string; npm: string }>;

/** OpenCode repeats finished messages under new ids when a session is forked: count only those in progress. */
export type Writing = Readonly<{ info: AssistantInfo; counted: Set<string> }>;

/** A session of ours with a throwaway engine, hidden from the user. */
export type Apart = Readonly<{
  instance: Instance;
  /** Responds in a drill: the first model fails, every other one answers. */
  answerFor: ((asking: Asking) => Fetch) | null;
  /** An error would reach every program on OpenCode's bus. */
  giveUp?: () => void;
  /** Replaces OpenCode's instructions; null keeps them. */
  system: string | null;
}>;

export type Memory = {
  readonly parents: Map<string, string>;
  readonly turns: Map<string, TurnMemory>;
  readonly pending: Map<string, PendingRepoint>;
  readonly written: Map<string, (info: UserMessage) => void>;
  /** Empty messages of failed steps: message id to session id. */
  readonly leftovers: Map<string, string>;
  /** The user undid the end of these sessions: any write would make that final. */
  readonly reverted: Set<string>;
  /** OpenCode emits events of a session after its deletion. */
  readonly asides: Map<string, Aside>;
  readonly working: Set<string>;
  readonly needs: Map<string, Needs>;
  readonly writing: Map<string, Writing>;
  readonly toolEnds: ToolMemory;
  readonly told: Set<string>;
};

export type Instance = Memory & {
  readonly companion: Companion;
  readonly client: Client;
  readonly directory: string;
  readonly voice: Voice;
  /** Shared by all instances: a reopened one handles earlier sessions. */
  readonly apart: Map<string, Apart>;
  listed: Listing;
  listing: Promise<void> | null;
  readonly logins: (() => void)[];
  readonly seen: Set<string>;
  readonly failedLogins: Map<string, string>;
  readonly unstartable: Map<string, string>;
  leads: Readonly<Record<string, string | null>>;
  /** Their entry uses `models` as a fallback setting. */
  sharedKeyAgents: ReadonlySet<string>;
  defaultModel: string | null;
  /** Neither a short command nor `opencode run`. */
  staysOpen: boolean;
  exitsAtRest: boolean;
  isGone: boolean;
};

const apart = new Map<string, Apart>();

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
 * Shares the memory of a directory: OpenCode before 1.17.9 opens it twice, and events of one instance reach the other.
 * @returns `leave`: true for the last instance.
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

/** Commands that load plugins, do one thing and exit. */
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

export function turnsIn(instance: Instance, session: string): readonly TurnMemory[] {
  return [...instance.turns.values()]
    .filter((turn) => turn.session === session)
    .sort((a, b) => (a.message < b.message ? -1 : 1));
}

/**
 * Returns the home of a message. One that OpenCode made (after a compaction or a sub-task) names the model of the one
 * before, moved or not, and has that one's home.
 */
export function homeOf(instance: Instance, user: UserMessage): Home {
  const named = namedIn(user);
  const before = turnsIn(instance, user.sessionID).findLast(
    (turn) => turn.message < user.id && turn.user !== null && refOf(turn.user.model) === named.model,
  );
  return (before && homeIn(before)) ?? named;
}
