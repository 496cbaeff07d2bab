import type { Spent, TurnFault, TurnFaultKind } from '../rules/base/types';
import type { Checked, Place } from '../rules/said/calls';
import type { Command } from '../rules/state/events';
import type { Uttered } from './talk';

export type OpenCommand = Extract<Command, { kind: 'open' }>;
export type PromptCommand = Extract<Command, { kind: 'prompt' }>;

export type Answer =
  | Readonly<{ ok: true; text: string; spent: Spent }>
  | Readonly<{ ok: false; fault: TurnFault; spent: Spent }>;

/** The same model is asked once more; `attempt` is the coming one, from 2. */
export type Retrying = Readonly<{ attempt: number; waitMs: number; durationMs: number; kind: TurnFaultKind }>;

/**
 * Where the participants of a run live: an OpenCode. What it promises: a prompt ends, one way or the other; after `abort` its model is not asked
 * again; nothing that a participant does changes anything.
 */
export type CouncilHost = Readonly<{
  /** Makes the session of a participant, or finds the one of that title. Rejects where there can be none. */
  open(command: OpenCommand): Promise<string>;
  /** Never rejects. */
  prompt(command: PromptCommand, tell: (retrying: Retrying) => void): Promise<Answer>;
  /** What a process before this one was answered; null where it was not. Never rejects. */
  recover(command: PromptCommand): Promise<Answer | null>;
  /** Ends what a session is doing. Never rejects. */
  abort(session: string): Promise<void>;
  /** What has been said in a session, oldest first; null where it cannot be looked at. Never rejects. Absent where nobody can look. */
  uttered?(session: string): Promise<readonly Uttered[] | null>;
  /** Looks up quotes in the repository; null for null. Never rejects. */
  check(places: readonly (Place | null)[]): Promise<readonly (Checked | null)[]>;
}>;

/** What stands at the end of each prompt: by this it is found again, also where the words before it have become others. */
const MARK = /\(r[\w-]+\/c\d+\)\s*$/;

export function isPromptOf({ text }: Pick<PromptCommand, 'text'>, message: string | undefined): boolean {
  const mark = MARK.exec(text)?.[0].trim();
  return message !== undefined && (mark === undefined ? message === text : message.trimEnd().endsWith(mark));
}
