import type { HostModels } from '../../core/config';
import type { UsageBook } from '../../core/history/usage';
import type { Sent } from '../../core/providers/credential';
import type { Evidence } from '../../engine';
import type { KeptListing } from '../../node/base/kept-models';
import type { DrillOutcome } from '../../protocol';
import type { Brain } from '../base/brain';
import type { StepsOf } from '../stores/reservations';
import type { SpendBook } from '../stores/spend';
import type { Titled } from '../stores/titles';
import type { Notice } from './episodes';
import type { FirstTokens } from './first-tokens';
import type { SelfCheck } from './self-check';
import type { UserPrompts } from './user-prompts';

/** How long a request may stay silent before it counts as failed, in ms. */
export type Limits = Readonly<{ firstTokenTimeoutMs: number; stallTimeoutMs: number }>;

/** What the host-neutral middle needs from the OpenCode generation it lives in. */
export type Host = Readonly<{
  directory: string;
  /** Tells the user, in words for people; never throws. */
  warn(message: string): void;
  /** Tells the user in passing what happened; never throws. */
  notify(notice: Notice): void;
  /** What OpenCode calls the newest conversations here, the oldest first; absent where it does not list them. Never rejects. */
  titles?(): Promise<readonly Titled[]>;
  stepsOf?: StepsOf;
  /** OpenCode's version; empty when it does not say. Never rejects. */
  version(): Promise<string>;
}>;

/** A request that was made: its name for the engine, null where it has none. */
export type Asked = Readonly<{ attempt: string | null; model: string }>;

/** Makes a drill of an agent; null for OpenCode's default. Never rejects. */
export type RunDrill = (agent: string | null) => Promise<DrillOutcome>;

/** What an adapter may ask of the middle, for one directory. */
/** What OpenCode is configured with, and how its models were listed. */
export type Configured = HostModels &
  Readonly<{
    /** What a later start needs beyond the models to do without a listing. */
    listing?: KeptListing | undefined;
    /** The models were listed by an earlier start. */
    isKept?: boolean;
  }>;

export type Companion = Readonly<{
  instance: string;
  brain: Brain;
  usage: UsageBook;
  /** Takes in what OpenCode is configured with, and arms the directory if its configuration says so. */
  configure(models: Configured): void;
  /**
   * To be awaited before a decision: reads the configuration again when its files have changed, and what other processes
   * have found out while no app is there. @param isTurns a look of the last second will do. @returns whether fallback is armed here.
   */
  refresh(isTurns?: boolean): Promise<boolean>;
  /** Whether fallback is armed here: a valid configuration exists and is enabled. */
  isArmed(): boolean;
  /**
   * To be told before a request leaves: which account it goes to decides where what comes of it is written down. Resolves when what
   * other machines say of it may be known; it is waited for where the request is decided after that.
   */
  noteAsked(model: string, sent: Sent): Promise<void> | undefined;
  /** Evidence of a failure that an agent met with a model, with what the provider's maps and the user's phrases say of it. */
  named(met: Readonly<{ model: string; agent: string }>, evidence: Evidence): Evidence;
  /** A response to a request came: what its headers say of limits is told. */
  heardLimits(asked: Asked, headers: Iterable<readonly [name: string, value: string]>): void;
  /** The same of an event within an answer. */
  heardLimitsIn(asked: Asked, event: unknown): void;
  /** What the next request of a conversation takes, in tokens; undefined where nothing is known of it. */
  spendOf: SpendBook['next'];
  limits(): Limits;
  firstTokens: FirstTokens;
  userPrompts: UserPrompts;
  /** What OpenCode calls a session; forgotten at once where the user does not let that be shown. */
  titled(session: string, title: string): void;
  selfCheck: SelfCheck;
  onDrill(run: RunDrill): void;
  /** Ends what this directory holds, and resolves when what was learned and its log are written. */
  close(): Promise<void>;
}>;
