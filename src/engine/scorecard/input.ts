import type { Decision } from '../base/decision';
import type { ModelId, TurnId } from '../base/ids';
import type { EngineEvent } from '../state/events';
import type { Fact } from '../state/facts';

type About<T extends string, Fields> = Readonly<{ type: T; session: string; turn: TurnId; model: ModelId } & Fields>;

/** Tokens by kind, as OpenCode reports them: `input` without cached ones, `output` without reasoning. */
export type Tokens = Readonly<{
  input: number;
  output: number;
  reasoning: number;
  cacheRead: number;
  cacheWrite: number;
}>;

/** What one step of an answer used: what was added since the last report, never a running total. */
export type UsageRecorded = About<'usage.recorded', { tokens: Tokens; cost: number | null }>;
/** An answer was cut short and the model was asked to go on. */
export type AnswerContinued = About<'answer.continued', Record<never, never>>;

/** Why a tool did not work. `validation` means that the model's arguments were wrong. */
export const TOOL_REASONS = ['validation', 'permission', 'not_found', 'timeout', 'execution'] as const;
export type ToolReason = (typeof TOOL_REASONS)[number];

/**
 * A tool the model called did not work. `isRepeated` says that the call before it, of the same model in the same session,
 * failed for the same reason.
 */
export type ToolFailed = About<'tool.failed', { reason: ToolReason; isRepeated: boolean }>;

/** What the scorecard can be told: every event of the engine, and what only concerns figures. */
export type ScorecardEvent = EngineEvent | UsageRecorded | AnswerContinued | ToolFailed;

/** One step of the engine as the scorecard reads it. Events of its own kinds have no decisions and no facts. */
export type ScorecardStep = Readonly<{
  event: ScorecardEvent;
  decisions: readonly Decision[];
  facts: readonly Fact[];
  /** Milliseconds on the clock that ranges are asked in: Unix ms, where figures shall outlive a restart. */
  now: number;
}>;
