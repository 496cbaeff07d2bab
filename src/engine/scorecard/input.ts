import type { Decision } from '../base/decision';
import type { ModelId, TurnId } from '../base/ids';
import type { EngineEvent } from '../state/events';
import type { Fact } from '../state/facts';

type About<T extends string, Fields> = Readonly<{ type: T; session: string; turn: TurnId; model: ModelId } & Fields>;

/** As in OpenCode: `input` without cached tokens, `output` without reasoning. */
export type Tokens = Readonly<{
  input: number;
  output: number;
  reasoning: number;
  cacheRead: number;
  cacheWrite: number;
}>;

/** Increments, never running totals. */
export type UsageRecorded = About<'usage.recorded', { tokens: Tokens; cost: number | null }>;
export type AnswerContinued = About<'answer.continued', Record<never, never>>;

/** `validation`: the model's arguments were wrong. */
export const TOOL_REASONS = ['validation', 'permission', 'not_found', 'timeout', 'execution'] as const;
export type ToolReason = (typeof TOOL_REASONS)[number];

/** `isRepeated`: the model's previous call in the session failed for the same reason. */
export type ToolFailed = About<'tool.failed', { reason: ToolReason; isRepeated: boolean }>;

export type ScorecardEvent = EngineEvent | UsageRecorded | AnswerContinued | ToolFailed;

export type ScorecardStep = Readonly<{
  event: ScorecardEvent;
  decisions: readonly Decision[];
  facts: readonly Fact[];
  /** Unix ms if figures must survive a restart. */
  now: number;
}>;
