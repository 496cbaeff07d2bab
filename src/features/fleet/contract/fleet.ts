import * as z from 'zod';
import { APART, MISSING, SERVER_TROUBLES } from './fleet-values';

const Trouble = z.object({ trouble: z.enum(SERVER_TROUBLES), reason: z.string().max(1_000) });

/** One account that this machine uses. */
const FleetAccount = z.object({
  /** As the keys of health name it: a provider, or one of its other accounts. */
  account: z.string(),
  /** Why it is not shared; null where it is. */
  apart: z.enum(APART).nullable(),
  /** The machines that have said something of it, by their ids, the latest first. */
  machines: z.array(z.string()).default([]),
});

/** A machine that has said something of an account of this one. */
const FleetMachine = z.object({
  id: z.string(),
  name: z.string(),
  /** Of its Understudy; null where it does not say. */
  version: z.string().nullable().default(null),
  /** How long ago it said something last, in ms. */
  agoMs: z.number().nonnegative(),
  isIgnored: z.boolean(),
  /** How often an answer here has shown that a limit was none that it had told of. */
  contradicted: z.number().int().nonnegative().default(0),
});

export type FleetMachine = Readonly<z.infer<typeof FleetMachine>>;

/** How this machine and its fleet are. */
export const FleetStatus = z.object({
  /** `unready`: something is missing here; `away`: the server does not answer, and this machine works on alone. */
  state: z.enum(['off', 'unready', 'connecting', 'connected', 'away']),
  /** What is missing here: of which team, at which path or in which variable, and why in the system's words, where there is such. */
  missing: z
    .object({
      what: z.enum(MISSING),
      team: z.string(),
      at: z.string(),
      why: z.string().max(1_000),
    })
    .nullable(),
  /** What the server does not do; it may answer all the same. */
  trouble: Trouble.nullable(),
  team: z.string().nullable(),
  /** What this machine is called. */
  name: z.string().nullable(),
  accounts: z.array(FleetAccount),
  machines: z.array(FleetMachine),
  /** Requests that were not made into a limit that another machine has found, since this app or OpenCode began. */
  saved: z.number().int().nonnegative().default(0),
});
export type FleetStatus = z.infer<typeof FleetStatus>;
export type Missing = NonNullable<FleetStatus['missing']>;

/** What the panel may ask of the fleet. */
export const fleetQueries = {
  'fleet.get': { input: z.null(), output: FleetStatus },
} as const;
