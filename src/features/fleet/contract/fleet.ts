import * as z from 'zod';
import { APART, MISSING, SERVER_TROUBLES } from './fleet-values';

const Trouble = z.object({ trouble: z.enum(SERVER_TROUBLES), reason: z.string().max(1_000) });

const FleetAccount = z.object({
  /** Key of its health. */
  account: z.string(),
  apart: z.enum(APART).nullable(),
  /** Latest report first. */
  machines: z.array(z.string()).default([]),
});

const FleetMachine = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string().nullable().default(null),
  agoMs: z.number().nonnegative(),
  isIgnored: z.boolean(),
  /** Reported limits that a successful answer here disproved. */
  contradicted: z.number().int().nonnegative().default(0),
});

export type FleetMachine = Readonly<z.infer<typeof FleetMachine>>;

export const FleetStatus = z.object({
  /** `unready`: a prerequisite is missing; `away`: the server does not answer. */
  state: z.enum(['off', 'unready', 'connecting', 'connected', 'away']),
  /** `at`: path or variable; `why`: the system's error. */
  missing: z
    .object({
      what: z.enum(MISSING),
      team: z.string(),
      at: z.string(),
      why: z.string().max(1_000),
    })
    .nullable(),
  trouble: Trouble.nullable(),
  team: z.string().nullable(),
  name: z.string().nullable(),
  accounts: z.array(FleetAccount),
  machines: z.array(FleetMachine),
  /** Requests avoided because another machine had found a limit. */
  saved: z.number().int().nonnegative().default(0),
});
export type FleetStatus = z.infer<typeof FleetStatus>;
export type Missing = NonNullable<FleetStatus['missing']>;

export const fleetQueries = {
  'fleet.get': { input: z.null(), output: FleetStatus },
} as const;
