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

/** One call of a model that OpenCode makes, from before it is built until its end is known. */
export type ModelCall = {
  readonly id: string;
  readonly session: string;
  readonly kind: RequestKind;
  readonly agent: string;
  readonly model: string;
  /** The same as OpenCode names it, whichever account is asked. */
  readonly host: string;
  readonly startedAt: number;
  /** It counts for its model, and never moves a turn. */
  readonly isWatched: boolean;
  /** A response came by; its body tells how it ends. */
  isSeen: boolean;
  /** It must not be sent: the engine has refused it. */
  isRefused: boolean;
  /** Raised when its request has come by, or will not any more. */
  readonly cameBy: AbortController;
  /** The real request, where OpenCode was given another one in its place and we send it. */
  held: Request | null;
  /** When we sent it, engine ms; null while OpenCode does. */
  sentAt: number | null;
  /** OpenCode reads the response we have put in the place of its own. */
  isRead: boolean;
  /** OpenCode has our sentence as its error: it need not be said again. */
  isTold: boolean;
  /** One of OpenCode's own that nobody can answer: asking again asks the same model. */
  isHopeless: boolean;
  /** Raised when nobody waits for it any more. */
  readonly gone: AbortController;
  end: 'open' | 'answered' | 'failed';
  failure: Evidence | null;
  /** When it failed, engine ms, until OpenCode has asked what to do about it. */
  failedAt: number | null;
  /** What the engine said of its failure, or in place of it, until somebody carries it out. */
  decision: Decision | null;
  /** The open question that `decision` is; null where it is none. */
  asking: Asking | null;
};

/** A question that a turn waits with. */
export type Asking = {
  readonly decision: Decision;
  /** What was decided on the answer; null when nobody needs it any more. */
  readonly answer: Promise<Decision | null>;
  /** It was put in the place of an error, which OpenCode shows while it asks once more. */
  isSaid: boolean;
  /** Asking once more takes the question further: it is to be said, or to be shown. */
  isNew: boolean;
};

export type TurnMemory = {
  readonly id: string;
  /** The last failure went to OpenCode as it was: another call is OpenCode's own retry. */
  isPassedOn: boolean;
  /** It failed for good and was taken up again once. */
  isTakenUp: boolean;
  /** The question it waits with; null while there is none. */
  asking: Asking | null;
};

export type SessionMemory = {
  readonly id: string;
  parent: string | null;
  agent: string | null;
  turn: TurnMemory | null;
  isWorking: boolean;
  /** Nobody had chosen a model for it when its newest prompt came: its next call shows whom OpenCode asks then. */
  isUnchosen: boolean;
  readonly calls: Map<RequestKind, ModelCall>;
  made: number;
  /** The model it shall have again when it rests; null while it was not moved. */
  home: ModelRef | null;
  /** What is written down of that for whoever comes after this process; null while nothing is. */
  away: Away | null;
  /** It is known here whether a process before this one has moved it. */
  isLookedUp: boolean;
  /** Ends when what was written down of it last is. */
  noting: Promise<unknown>;
  /** Another account than the one in use that is asked for a model in it: the model as the engine and as OpenCode name it. */
  account: Readonly<{ model: string; of: string }> | null;
  /** The model it was moved to, until a call shows whether OpenCode has taken it. */
  expected: string | null;
  /** Switches of ours whose event has not come yet, by model. */
  readonly ours: Map<string, number>;
  needs: Needs | null;
  readonly said: Set<string>;
  readonly unsaid: string[];
  readonly atRest: Set<() => void>;
};

/** Who writes an answer, with what has been counted of it: its step, and calls of tools. */
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
  /** Providers of which OpenCode keeps several accounts; null where it does not tell of any. */
  accounts: Accounts | null;
  listing: Promise<void> | null;
  /** OpenCode has read its configuration: before, it lists only what is built in. */
  isListWhole: boolean;
  /** Something listed may have changed since the lists were last asked for. */
  isListOld: boolean;
  /** The model each agent has of its own. */
  leads: Readonly<Record<string, string | null>>;
  /** Models that OpenCode lists and cannot start, with the reason. */
  readonly unstartable: Map<string, string>;
  /** How requests to a provider were seen, each once. */
  readonly seen: Set<string>;
  readonly failedLogins: Map<string, string>;
  /** Packages that are files and were not imported yet, by model. */
  files: Map<string, string>;
  /** Whether OpenCode asks an agent's own model in a session nobody has chosen one for; 2.0.15 asks its default. */
  heedsAgentModel: boolean;
  defaultModel: string | null;
  /** OpenCode tells how executions end. */
  hearsEnds: boolean;
  /** What becomes of a response that is put in another's place: nothing is known before OpenCode has read one. */
  replaced: 'unknown' | 'read' | 'refused';
  /** Where a request goes over a web socket, that socket is seen: what comes over it can be ended. */
  seesSockets: boolean;
  /** OpenCode exits when a session rests, as `opencode run` does. */
  exitsAtRest: boolean;
  /** Nothing is said in its conversations: nobody follows them. */
  isSilent: boolean;
  isGone: boolean;
  /** Answers each request in the place of its provider; absent where providers answer. */
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

/** The turn under way; one that no prompt announced is named after its session. */
export const turnOf = (session: SessionMemory): TurnMemory =>
  session.turn ?? beginTurn(session, `${session.id}:${++session.made}`);
