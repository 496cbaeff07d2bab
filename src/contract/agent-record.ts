import * as z from 'zod';
import { FAILURE_KINDS, type FailureKind } from '../engine/names';
import { Near } from './headroom';

/** Source: docs/words.md. */
export const AGENT_STATES = [
  'running',
  'waitsForFirstToken',
  'waitsForPermission',
  'waitsForAnswer',
  'waitsForRetry',
  'onFallback',
  'allModelsUnavailable',
  'paused',
  'budgetSpent',
  'idle',
] as const;
export type AgentState = (typeof AGENT_STATES)[number];

export const AGENT_ACTIONS = [
  'answer',
  'answerInOpenCode',
  'allowInOpenCode',
  'bringBack',
  'unpin',
  'addModel',
  'fixModel',
  'lookAtModel',
  'raiseBudget',
  'sendAgain',
] as const;
export type AgentAction = (typeof AGENT_ACTIONS)[number];

/** Only `failed` and `near` have a failure or a limit as their cause. */
export const AGENT_REASONS = [
  'failed',
  'near',
  'loop',
  'spread',
  'pinned',
  'held',
  'available',
  'chosen',
  'stopped',
] as const;

/** All fields describe one model. */
export type AgentReason = Readonly<{
  code: (typeof AGENT_REASONS)[number];
  model: string;
  kind: FailureKind | null;
  status: number | null;
  near?: Near | undefined;
  /** Fleet machine that detected it, if not this one. */
  machine?: string | undefined;
}>;

/** Everything that surfaces may show about an agent in a session. Wall-clock ms. */
export type AgentRecord = Readonly<{
  key: string;
  agent: string;
  session: string;
  parentSession: string | null;
  directory: string;
  project: string;
  /** Only if the user allows it. */
  title?: string | undefined;
  isLive: boolean;
  state: AgentState;
  isRunning: boolean;
  model: string;
  primary: string;
  /** 1 is the primary. */
  position: number;
  of: number;
  reason: AgentReason | null;
  since: number;
  /** Time at which the state ends; null if unknown. */
  until: number | null;
  /** Source of `until`; null if the user set it. */
  clock: 'provider' | 'ours' | null;
  action: AgentAction | null;
}>;

const WallMs = z.number();
const Model = z.string().max(300);

export const AgentRecordSchema = z.object({
  key: z.string(),
  agent: z.string(),
  session: z.string(),
  parentSession: z.string().nullable(),
  directory: z.string(),
  project: z.string(),
  title: z.string().optional(),
  isLive: z.boolean(),
  state: z.enum(AGENT_STATES),
  isRunning: z.boolean(),
  model: Model,
  primary: Model,
  position: z.int().positive(),
  of: z.int().nonnegative(),
  reason: z
    .object({
      code: z.enum(AGENT_REASONS),
      model: Model,
      kind: z.enum(FAILURE_KINDS).nullable(),
      status: z.int().nullable(),
      near: Near.optional(),
      machine: z.string().optional(),
    })
    .nullable(),
  since: WallMs,
  until: WallMs.nullable(),
  clock: z.enum(['provider', 'ours']).nullable(),
  action: z.enum(AGENT_ACTIONS).nullable(),
}) satisfies z.ZodType<AgentRecord>;
