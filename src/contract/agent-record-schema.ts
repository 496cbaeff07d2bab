import * as z from 'zod';
import { FAILURE_KINDS } from '../engine/names';
import { AGENT_ACTIONS, AGENT_REASONS, AGENT_STATES, type AgentRecord } from './agent-record';
import { Near } from './headroom';

const WallMs = z.number();
const Model = z.string().max(300);

/** The record as programs read it. */
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
