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

export type Limits = Readonly<{ firstTokenTimeoutMs: number; stallTimeoutMs: number }>;

export type Host = Readonly<{
  directory: string;
  /** Never throws. */
  warn(message: string): void;
  /** Never throws. */
  notify(notice: Notice): void;
  /** Lists the oldest first; absent if OpenCode lists no sessions. Never rejects. */
  titles?(): Promise<readonly Titled[]>;
  stepsOf?: StepsOf;
  /** Empty if unknown. Never rejects. */
  version(): Promise<string>;
}>;

/** `attempt` is null if the engine has none. */
export type Asked = Readonly<{ attempt: string | null; model: string }>;

/** Null for OpenCode's default agent. Never rejects. */
export type RunDrill = (agent: string | null) => Promise<DrillOutcome>;

export type Configured = HostModels &
  Readonly<{
    listing?: KeptListing | undefined;
    /** Listed by an earlier start. */
    isKept?: boolean;
  }>;

export type Companion = Readonly<{
  instance: string;
  brain: Brain;
  usage: UsageBook;
  configure(models: Configured): void;
  /**
   * Await before a decision: reads changed files and, without an app, other processes' health.
   * @param isTurns accepts data of the last second.
   * @returns `isArmed()`.
   */
  refresh(isTurns?: boolean): Promise<boolean>;
  /** A valid configuration is enabled, and the breaker is closed. */
  isArmed(): boolean;
  /**
   * Call before a request is sent: its account selects the partition of the result. Await it before a decision, for
   * reports of other machines.
   */
  noteAsked(model: string, sent: Sent): Promise<void> | undefined;
  named(met: Readonly<{ model: string; agent: string }>, evidence: Evidence): Evidence;
  heardLimits(request: Asked, headers: Iterable<readonly [name: string, value: string]>): void;
  heardLimitsIn(request: Asked, event: unknown): void;
  spendOf: SpendBook['next'];
  limits(): Limits;
  firstTokens: FirstTokens;
  userPrompts: UserPrompts;
  /** Ignored if the user forbids titles. */
  titled(session: string, title: string): void;
  selfCheck: SelfCheck;
  onDrill(run: RunDrill): void;
  /** Resolves when health, log and reports are written. */
  close(): Promise<void>;
}>;
