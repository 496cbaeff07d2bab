import type { FailureKind } from '../../../../engine';

/** Source: docs/council.md. */

export const ACTIVITIES = ['code_review', 'brainstorm', 'code_brainstorm'] as const;
export type Activity = (typeof ACTIVITIES)[number];

export const PROCESS_IDS = ['CODE_REVIEW', 'STANDARD', 'DEEP'] as const;
export type ProcessId = (typeof PROCESS_IDS)[number];

export type MemberId = string;
export const ORACLE: MemberId = 'oracle';

export type SpeakerName = string;

export type CommandId = `c${number}`;
export type FindingId = `f${number}`;
export type IdeaId = `i${number}`;

export const SEVERITIES = ['critical', 'major', 'minor', 'praise'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** `verified`: within three lines; `moved`: elsewhere in the file; `unread`: unreadable file. */
export const QUOTE_CHECKS = ['verified', 'moved', 'not_found', 'unread'] as const;
export type QuoteCheck = (typeof QUOTE_CHECKS)[number];

export type TurnFaultKind = FailureKind | 'session_lost' | 'no_answer';

export type TurnFault = Readonly<{
  kind: TurnFaultKind;
  message: string;
  /** Requested by the provider, in ms. */
  hintMs: number | null;
  isPartial: boolean;
}>;

/** `cost` in US dollars, null without a price. */
export type Spent = Readonly<{ cost: number | null; input: number; output: number }>;
export const NOTHING: Spent = { cost: 0, input: 0, output: 0 };

export const sumOf = (one: Spent, other: Spent): Spent => ({
  cost: one.cost === null || other.cost === null ? null : one.cost + other.cost,
  input: one.input + other.input,
  output: one.output + other.output,
});
