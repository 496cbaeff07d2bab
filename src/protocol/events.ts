import * as z from 'zod';
import { type EngineEvent, HOLD_TASKS } from '../engine';
import { TOOL_REASONS } from '../engine/scorecard';
import { BudgetLevels } from './budget';
import { CountedAccounts, SeenWindows, Spend } from './headroom';
import { Count, Kind, Ms, Tokens } from './measures';
import { Needs, Price, ScopeConfig, Steps } from './scope';
import { Directory, Id, ModelRef, safeText } from './text';

const Evidence = z.lazy(() =>
  z.object({
    phase: z.enum(['headers', 'body', 'stream', 'watchdog']),
    status: z.int().optional(),
    code: safeText(200).optional(),
    message: safeText(2000).optional(),
    headers: z.record(safeText(80), safeText(200)).optional(),
    observed: z.enum(['early_termination', 'empty_response', 'stream_interrupted', 'timeout', 'aborted']).optional(),
    outputChars: Count.optional(),
    mapped: z.object({ kind: Kind, needsUser: z.boolean().optional(), isVague: z.literal(true).optional() }).optional(),
    hintMs: Ms.optional(),
    seenAt: z.number().nonnegative().optional(),
    steps: Steps.optional(),
  }),
);
const Decided = z.lazy(() =>
  z.object({
    kind: z.enum(['switch', 'redirect', 'home', 'keep', 'hold', 'pass', 'exhausted']),
    to: ModelRef.optional(),
    waitMs: Ms.optional(),
    task: z.enum(HOLD_TASKS).optional(),
    code: safeText(100),
  }),
);
const Agent = safeText(100);
const Actor = safeText(100);
const ASKED = { session: Id, turn: Id, agent: Agent, model: ModelRef };

/** The user's answer for a turn or session. It names its question, because every host has a separate queue. */
const QuestionAnswered = z.lazy(() =>
  z.object({
    type: z.literal('question.answered'),
    question: safeText(600),
    yes: z.boolean(),
    actor: Actor,
  }),
);
const SpeakerRetried = z.lazy(() =>
  z.object({
    type: z.literal('speaker.retried'),
    session: Id,
    agent: Agent.nullable(),
    actor: Actor,
  }),
);

export const RelayedAct = z.lazy(() => z.discriminatedUnion('type', [QuestionAnswered, SpeakerRetried]));
export type RelayedAct = z.infer<typeof RelayedAct>;

/**
 * Usage of one step of an answer; only for figures. Tokens as OpenCode counts them: `input` without cached ones,
 * `output` without reasoning.
 */
export const UsageRecorded = z.lazy(() =>
  z.object({
    type: z.literal('usage.recorded'),
    ...ASKED,
    directory: Directory,
    /** `internal` for OpenCode's own requests: compactions and replaced titles. */
    purpose: z.enum(['turn', 'internal']),
    tokens: z.object({ input: Tokens, output: Tokens, reasoning: Tokens, cacheRead: Tokens, cacheWrite: Tokens }),
    /** US dollars from OpenCode; null without a price. */
    cost: Price.nullable(),
  }),
);
export type UsageRecorded = z.infer<typeof UsageRecorded>;

/** Reason of a failed tool call, never its contents; only for figures. */
export const ToolFailed = z.lazy(() =>
  z.object({
    type: z.literal('tool.failed'),
    ...ASKED,
    reason: z.enum(TOOL_REASONS),
    /** The previous call of this model in the session failed for the same reason. */
    isRepeated: z.boolean(),
  }),
);
export type ToolFailed = z.infer<typeof ToolFailed>;

/** `model` ended its answer early; the next model continues it. */
export const AnswerContinued = z.lazy(() => z.object({ type: z.literal('answer.continued'), ...ASKED }));
export type AnswerContinued = z.infer<typeof AnswerContinued>;

export type Noted = UsageRecorded | ToolFailed | AnswerContinued;

const NOTED: readonly string[] = ['usage.recorded', 'tool.failed', 'answer.continued'] satisfies Noted['type'][];

export const isNoted = <E extends Readonly<{ type: string }>>(event: E): event is Extract<E, Noted> =>
  NOTED.includes(event.type);

export const ScopeConfigured = z.lazy(() =>
  z.object({
    type: z.literal('scope.configured'),
    directory: Directory,
    config: ScopeConfig,
  }),
);

const PromptSubmitted = z.lazy(() =>
  z.object({
    type: z.literal('prompt.submitted'),
    ...ASKED,
    parentSession: Id.optional(),
    directory: Directory,
    hostLead: ModelRef.nullable(),
    isExplicit: z.boolean(),
    needs: Needs.optional(),
    spend: Spend.optional(),
    decided: Decided.optional(),
  }),
);

const HeadroomSeen = z.lazy(() =>
  z.object({
    type: z.literal('headroom.seen'),
    attempt: Id.nullable(),
    directory: Directory,
    model: ModelRef,
    windows: SeenWindows,
  }),
);

/** Our own count of limits that the user entered; the app counts if no companion does. */
export const HeadroomCounted = z.lazy(() =>
  z.object({ type: z.literal('headroom.counted'), accounts: CountedAccounts }),
);
export type HeadroomCounted = z.infer<typeof HeadroomCounted>;

const MoneyCounted = z.lazy(() => z.object({ type: z.literal('money.counted'), levels: BudgetLevels }));

/** Events from companions; events that only the app may cause are not here. */
export const CompanionEvent = z.lazy(() =>
  z.discriminatedUnion('type', [
    ScopeConfigured,
    z.object({ type: z.literal('scope.closed'), directory: Directory }),
    PromptSubmitted,
    z.object({
      type: z.literal('attempt.started'),
      attempt: Id,
      ...ASKED,
      parentSession: Id.optional(),
      directory: Directory,
      purpose: z.enum(['turn', 'internal']),
      needs: Needs.optional(),
      spend: Spend.optional(),
      epoch: Id.optional(),
      tellsFlaws: z.literal(true).optional(),
      decided: Decided.optional(),
    }),
    z.object({
      type: z.literal('attempt.failed'),
      attempt: Id,
      evidence: Evidence,
      durationMs: Ms,
      decided: Decided.optional(),
    }),
    z.object({
      type: z.literal('attempt.succeeded'),
      attempt: Id,
      durationMs: Ms,
      firstTokenMs: Ms,
      outputChars: Count,
      unknownEnd: safeText(100).optional(),
    }),
    z.object({ type: z.literal('attempt.aborted'), attempt: Id }),
    z.object({ type: z.enum(['attempt.silent', 'attempt.answering']), attempt: Id }),
    HeadroomSeen,
    HeadroomCounted,
    MoneyCounted,
    z.object({
      type: z.literal('switch.carried'),
      turn: Id,
      from: ModelRef,
      ok: z.boolean(),
      durationMs: Ms,
      reason: safeText(300).optional(),
    }),
    z.object({ type: z.literal('session.idle'), session: Id }),
    z.object({ type: z.literal('session.waiting'), session: Id, for: z.enum(['permission', 'answer']).nullable() }),
    z.object({ type: z.literal('session.closed'), session: Id }),
    z.object({ type: z.literal('host.retrying'), turn: Id }),
    QuestionAnswered,
    SpeakerRetried,
    /** `/retry` in OpenCode, as in the panel. */
    z.object({
      type: z.literal('health.reset'),
      target: z.union([
        z.object({ model: ModelRef }),
        z.object({ provider: safeText(300).min(1) }),
        z.object({ all: z.literal(true) }),
      ]),
      actor: Actor,
    }),
    UsageRecorded,
    ToolFailed,
    AnswerContinued,
  ]),
);
export type CompanionEvent = z.infer<typeof CompanionEvent>;

export function asEngineEvent(event: Exclude<CompanionEvent, Noted>): EngineEvent {
  // zod infers optional fields as `T undefined`; the engine treats absent and undefined alike.
  return event as EngineEvent;
}
