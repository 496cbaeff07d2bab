import type { Spent, TurnFault, TurnFaultKind } from '../rules/base/types';
import type { Checked, Place } from '../rules/said/calls';
import type { Command } from '../rules/state/events';
import type { Uttered } from './talk';

export type OpenCommand = Extract<Command, { kind: 'open' }>;
export type PromptCommand = Extract<Command, { kind: 'prompt' }>;

export type Answer =
  | Readonly<{ ok: true; text: string; spent: Spent }>
  | Readonly<{ ok: false; fault: TurnFault; spent: Spent }>;

/** `attempt` is the next one, from 2. */
export type Retrying = Readonly<{ attempt: number; waitMs: number; durationMs: number; kind: TurnFaultKind }>;

/** Guarantees that every prompt ends, that `abort` stops further requests, and that participants change nothing. */
export type CouncilHost = Readonly<{
  /** Reuses a session with that title. Rejects on failure. */
  open(command: OpenCommand): Promise<string>;
  /** Never rejects. */
  prompt(command: PromptCommand, tell: (retrying: Retrying) => void): Promise<Answer>;
  /** Returns the answer that an earlier process received, if any. Never rejects. */
  recover(command: PromptCommand): Promise<Answer | null>;
  /** Never rejects. */
  abort(session: string): Promise<void>;
  /** Oldest first; null if unavailable. Never rejects. Absent if the host cannot read sessions. */
  uttered?(session: string): Promise<readonly Uttered[] | null>;
  check(places: readonly (Place | null)[]): Promise<readonly (Checked | null)[]>;
}>;

/** The text before the mark may change. */
const MARK = /\(r[\w-]+\/c\d+\)\s*$/;

export function isPromptOf({ text }: Pick<PromptCommand, 'text'>, message: string | undefined): boolean {
  const mark = MARK.exec(text)?.[0].trim();
  return message !== undefined && (mark === undefined ? message === text : message.trimEnd().endsWith(mark));
}
