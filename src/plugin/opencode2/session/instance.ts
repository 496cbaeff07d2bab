import type { Offers } from '../../../core/base/offers';
import type { Decision, Evidence, Needs } from '../../../engine';
import { remember } from '../../../engine/tools';
import type { Companion } from '../../runtime/host';
import type { ToolMemory } from '../../runtime/tool-ends';
import type { Accounts } from './account';
import type { Actuator } from './actuator';
import type { Away } from './away-note';
import type { ModelRef, PluginContext, RequestKind } from './types';
import type { Voice } from './voice';

export type ModelCall = {
  readonly id: string;
  readonly session: string;
  readonly kind: RequestKind;
  readonly agent: string;
  readonly model: string;
  /** OpenCode's name, without an account. */
  readonly host: string;
  readonly startedAt: number;
  /** Counts for its model but never moves a turn. */
  readonly isWatched: boolean;
  /** A response arrived, and its body shows how it ends. */
  isSeen: boolean;
  /** Must not be sent. */
  isRefused: boolean;
  /** Aborted once its request has passed the hook, or never will. */
  readonly cameBy: AbortController;
  /** The real request, if we send it. */
  held: Request | null;
  /** Engine ms, also for a frame on a WebSocket; null before, and for an HTTP request that OpenCode sends. */
  sentAt: number | null;
  /** OpenCode reads our replaced response. */
  isRead: boolean;
  /** OpenCode shows our message as its error. */
  isTold: boolean;
  /** A retry would use the same failing model. */
  isHopeless: boolean;
  /** Aborted when the call is cancelled. */
  readonly gone: AbortController;
  end: 'open' | 'answered' | 'failed';
  failure: Evidence | null;
  /** Engine ms; null once the retry hook has run. */
  failedAt: number | null;
  /** The engine's decision until a hook applies it. */
  decision: Decision | null;
  asking: Asking | null;
};

export type Asking = {
  readonly decision: Decision;
  /** Null if the question was withdrawn. */
  readonly answer: Promise<Decision | null>;
  /** Shown as an error that OpenCode retries. */
  isSaid: boolean;
  /** Needs another retry to be shown. */
  isNew: boolean;
};

export type TurnMemory = {
  readonly id: string;
  /** OpenCode received the last failure unchanged; the next call is its own retry. */
  isPassedOn: boolean;
  /** Resumed once after it failed. */
  isTakenUp: boolean;
  asking: Asking | null;
};

export type SessionMemory = {
  readonly id: string;
  parent: string | null;
  agent: string | null;
  turn: TurnMemory | null;
  isWorking: boolean;
  /** No model was selected at its newest prompt. */
  isUnchosen: boolean;
  readonly calls: Map<RequestKind, ModelCall>;
  made: number;
  /** Restored when the session rests; null if not moved. */
  home: ModelRef | null;
  away: Away | null;
  /** A move of an earlier process was looked up. */
  isLookedUp: boolean;
  noting: Promise<unknown>;
  /** Set if it uses another account than the one in use: a model's names in the engine and in OpenCode. */
  account: Readonly<{ model: string; of: string }> | null;
  /** Target of an unconfirmed move. */
  expected: string | null;
  /** Our switches without an event so far, by model. */
  readonly ours: Map<string, number>;
  needs: Needs | null;
  readonly said: Set<string>;
  readonly unsaid: string[];
  readonly atRest: Set<() => void>;
};

/** Author of an answer, and the steps and tool calls already counted. */
export type Writer = Readonly<{ agent: string; model: string; counted: Set<string> }>;

export type Instance = {
  readonly companion: Companion;
  readonly context: PluginContext;
  readonly directory: string;
  readonly voice: Voice;
  readonly actuator: Actuator;
  readonly sessions: Map<string, SessionMemory>;
  readonly writers: Map<string, Writer>;
  readonly toolEnds: ToolMemory;
  /** Engine ms. */
  readonly openedAt: number;
  listed: Offers;
  /** Null if OpenCode gives plugins no accounts. */
  accounts: Accounts | null;
  listing: Promise<void> | null;
  /** Before its configuration, OpenCode lists only built-in models. */
  isListWhole: boolean;
  /** Changed since the last read. */
  isListOld: boolean;
  leads: Readonly<Record<string, string | null>>;
  /** Reasons by listed model. */
  readonly unstartable: Map<string, string>;
  readonly seen: Set<string>;
  readonly failedLogins: Map<string, string>;
  /** Packages not imported yet, by model. */
  files: Map<string, string>;
  /** OpenCode applies the agent's model if the user selected none; 2.0.15 applies its default. */
  heedsAgentModel: boolean;
  defaultModel: string | null;
  hearsEnds: boolean;
  /** Whether OpenCode reads replaced responses. */
  replaced: 'unknown' | 'read' | 'refused';
  /** Socket requests can be ended. */
  seesSockets: boolean;
  /** `opencode run` exits when a session rests. */
  exitsAtRest: boolean;
  isSilent: boolean;
  isGone: boolean;
  answerFor?: (model: string, url: string) => Response;
};

export const newInstance = (
  parts: Pick<Instance, 'companion' | 'context' | 'directory' | 'voice' | 'actuator'>,
): Instance => ({
  ...parts,
  sessions: new Map(),
  writers: new Map(),
  toolEnds: new Map(),
  openedAt: parts.companion.brain.now(),
  listed: { models: [], catalogue: {} },
  accounts: null,
  listing: null,
  isListWhole: false,
  isListOld: false,
  leads: {},
  unstartable: new Map(),
  seen: new Set(),
  failedLogins: new Map(),
  files: new Map(),
  heedsAgentModel: false,
  defaultModel: null,
  hearsEnds: false,
  replaced: 'unknown',
  seesSockets: true,
  exitsAtRest: process.argv.includes('run'),
  isSilent: false,
  isGone: false,
});

const SESSIONS_MAX = 500;

export function sessionOf(instance: Instance, id: string): SessionMemory {
  return (
    instance.sessions.get(id) ??
    remember(
      instance.sessions,
      id,
      {
        id,
        parent: null,
        agent: null,
        turn: null,
        isWorking: false,
        isUnchosen: false,
        calls: new Map(),
        made: 0,
        home: null,
        account: null,
        away: null,
        isLookedUp: false,
        noting: Promise.resolve(),
        expected: null,
        ours: new Map(),
        needs: null,
        said: new Set(),
        unsaid: [],
        atRest: new Set(),
      },
      SESSIONS_MAX,
    )
  );
}

export const beginTurn = (session: SessionMemory, id: string): TurnMemory => {
  session.turn = { id, isPassedOn: false, isTakenUp: false, asking: null };
  return session.turn;
};

/** A turn without a prompt gets an id from its session. */
export const turnOf = (session: SessionMemory): TurnMemory =>
  session.turn ?? beginTurn(session, `${session.id}:${++session.made}`);
