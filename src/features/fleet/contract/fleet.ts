import * as z from 'zod';
import { APART, MISSING, SERVER_TROUBLES } from './fleet-values';

const Trouble = z.object({ trouble: z.enum(SERVER_TROUBLES), reason: z.string().max(1_000) });

/** An account that this machine uses. */
const FleetAccount = z.object({
  /** Key of its health: a provider, or another account of it. */
  account: z.string(),
  /** Reason why it is not shared; null if it is. */
  apart: z.enum(APART).nullable(),
  /** IDs of machines with reports about it, latest first. */
  machines: z.array(z.string()).default([]),
});

/** A machine with reports about accounts of this one. */
const FleetMachine = z.object({
  id: z.string(),
  name: z.string(),
  /** Version of its Understudy; null if absent. */
  version: z.string().nullable().default(null),
  /** Age of its last report, in ms. */
  agoMs: z.number().nonnegative(),
  isIgnored: z.boolean(),
  /** Number of limits it reported that a successful answer here contradicted. */
  contradicted: z.number().int().nonnegative().default(0),
});

export type FleetMachine = Readonly<z.infer<typeof FleetMachine>>;

/** Status of this machine in its fleet. */
export const FleetStatus = z.object({
  /** `unready`: a prerequisite is missing; `away`: the server does not answer, and this machine works without it. */
  state: z.enum(['off', 'unready', 'connecting', 'connected', 'away']),
  /** The missing prerequisite: its team, its path or variable, and the system's error, if any. */
  missing: z
    .object({
      what: z.enum(MISSING),
      team: z.string(),
      at: z.string(),
      why: z.string().max(1_000),
    })
    .nullable(),
  /** Failing operation of the server, which may still answer others. */
  trouble: Trouble.nullable(),
  team: z.string().nullable(),
  /** Name of this machine. */
  name: z.string().nullable(),
  accounts: z.array(FleetAccount),
  machines: z.array(FleetMachine),
  /** Requests avoided because another machine had found a limit, since this app or OpenCode started. */
  saved: z.number().int().nonnegative().default(0),
});
export type FleetStatus = z.infer<typeof FleetStatus>;
export type Missing = NonNullable<FleetStatus['missing']>;

export const fleetQueries = {
  'fleet.get': { input: z.null(), output: FleetStatus },
} as const;
