import type { FailureKind } from '../../../../engine';

/** Words that a run is made of. Source: docs/council.md. */

export const ACTIVITIES = ['code_review', 'brainstorm', 'code_brainstorm'] as const;
export type Activity = (typeof ACTIVITIES)[number];

export const PROCESS_IDS = ['CODE_REVIEW', 'STANDARD', 'DEEP'] as const;
export type ProcessId = (typeof PROCESS_IDS)[number];

export type MemberId = string;
export const ORACLE: MemberId = 'oracle';

/** A model under the name that people know it by in a run, such as `claude`. */
export type SpeakerName = string;

/** `c1`, `c2`, … in the order in which a run wants things done. */
export type CommandId = `c${number}`;
/** `f1`, `f2`, … in the order in which findings were posted. */
export type FindingId = `f${number}`;
/** `i1`, `i2`, … in the order in which ideas were posted. */
export type IdeaId = `i${number}`;

export const SEVERITIES = ['critical', 'major', 'minor', 'praise'] as const;
export type Severity = (typeof SEVERITIES)[number];

/**
 * Whether what a finding quotes stands where it says: there, within three lines of it, elsewhere in the file, or nowhere in it. `unread` where the
 * file could not be read.
 */
export const QUOTE_CHECKS = ['verified', 'moved', 'not_found', 'unread'] as const;
export type QuoteCheck = (typeof QUOTE_CHECKS)[number];

/** A failure kind of the engine, `session_lost` if the session is gone, or `no_answer` if OpenCode gave none. */
export type TurnFaultKind = FailureKind | 'session_lost' | 'no_answer';

/** How a turn of a participant failed. */
export type TurnFault = Readonly<{
  kind: TurnFaultKind;
  message: string;
  /** How long the provider asks to be left alone, in ms; null where it does not say. */
  hintMs: number | null;
  /** Part of an answer had come. */
  isPartial: boolean;
}>;

/** What a turn has used. `cost` is in US dollars, null where nobody knows the price. */
export type Spent = Readonly<{ cost: number | null; input: number; output: number }>;
export const NOTHING: Spent = { cost: 0, input: 0, output: 0 };

/** What two turns have used together; nobody knows its price where that of one is not known. */
export const sumOf = (one: Spent, other: Spent): Spent => ({
  cost: one.cost === null || other.cost === null ? null : one.cost + other.cost,
  input: one.input + other.input,
  output: one.output + other.output,
});
