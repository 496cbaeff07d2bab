import type { Spent, TurnFault, TurnFaultKind } from '../rules/base/types';
import type { Checked, Place } from '../rules/said/calls';
import type { Command } from '../rules/state/events';
import type { Uttered } from './talk';

export type OpenCommand = Extract<Command, { kind: 'open' }>;
export type PromptCommand = Extract<Command, { kind: 'prompt' }>;

export type Answer =
  | Readonly<{ ok: true; text: string; spent: Spent }>
  | Readonly<{ ok: false; fault: TurnFault; spent: Spent }>;

/** A retry of the same model; `attempt` is the next one, from 2. */
export type Retrying = Readonly<{ attempt: number; waitMs: number; durationMs: number; kind: TurnFaultKind }>;

/**
 * The OpenCode of a run's participants. It guarantees that every prompt ends, that `abort` stops further requests to
 * the model, and that participants change nothing.
 */
export type CouncilHost = Readonly<{
  /** Creates the session of a participant, or finds the one with its title. Rejects on failure. */
  open(command: OpenCommand): Promise<string>;
  /** Never rejects. */
  prompt(command: PromptCommand, tell: (retrying: Retrying) => void): Promise<Answer>;
  /** Returns the answer that an earlier process received; null if it received none. Never rejects. */
  recover(command: PromptCommand): Promise<Answer | null>;
  /** Aborts the current work of a session. Never rejects. */
  abort(session: string): Promise<void>;
  /**
   * Messages of a session, oldest first; null if unavailable. Never rejects. Absent if the host cannot read sessions.
   */
  uttered?(session: string): Promise<readonly Uttered[] | null>;
  /** Checks quotes in the repository; null stays null. Never rejects. */
  check(places: readonly (Place | null)[]): Promise<readonly (Checked | null)[]>;
}>;

/** Mark at the end of each prompt. It identifies the prompt even if the text before it has changed. */
const MARK = /\(r[\w-]+\/c\d+\)\s*$/;

export function isPromptOf({ text }: Pick<PromptCommand, 'text'>, message: string | undefined): boolean {
  const mark = MARK.exec(text)?.[0].trim();
  return message !== undefined && (mark === undefined ? message === text : message.trimEnd().endsWith(mark));
}
