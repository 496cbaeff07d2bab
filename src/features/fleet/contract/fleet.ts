import * as z from 'zod';
import { APART, MISSING, SERVER_TROUBLES } from './fleet-values';

const Trouble = z.object({ trouble: z.enum(SERVER_TROUBLES), reason: z.string().max(1_000) });

const FleetAccount = z.object({
  /** Key of its health: a provider, or another account of it. */
  account: z.string(),
  apart: z.enum(APART).nullable(),
  /** IDs of machines with reports about it, latest first. */
  machines: z.array(z.string()).default([]),
});

const FleetMachine = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string().nullable().default(null),
  /** Age of its last report, in ms. */
  agoMs: z.number().nonnegative(),
  isIgnored: z.boolean(),
  /** Reported limits that a successful answer here contradicted. */
  contradicted: z.number().int().nonnegative().default(0),
});

export type FleetMachine = Readonly<z.infer<typeof FleetMachine>>;

export const FleetStatus = z.object({
  /** `unready`: a prerequisite is missing; `away`: the server does not answer, and this machine works without it. */
  state: z.enum(['off', 'unready', 'connecting', 'connected', 'away']),
  /** Missing prerequisite with its team, its path or variable, and the system's error. */
  missing: z
    .object({
      what: z.enum(MISSING),
      team: z.string(),
      at: z.string(),
      why: z.string().max(1_000),
    })
    .nullable(),
  /** Rejected operation; the server may still answer others. */
  trouble: Trouble.nullable(),
  team: z.string().nullable(),
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
