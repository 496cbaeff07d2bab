import * as z from 'zod';
import { ProposedChains } from './proposal';
import { ModelAbilities } from './snapshot';

/** A project; null for only the user's files. */
export const Directory = z.string().min(1).max(4096).nullable();
const Scope = z.enum(['project', 'global']);
export const Line = z.int().positive().nullable();
/** Hash of a file's contents at the preview: nothing is written if they have changed since. */
export const Seen = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .nullable();
export const Refused = z.object({ ok: z.literal(false), reason: z.string() });

/** An exact change of one file for approval; an empty diff if none is necessary. */
export const Preview = z.object({ path: z.string(), diff: z.string(), seen: Seen });
/** No receipt if nothing was necessary. */
export const Change = z.object({ path: z.string(), receipt: z.string().nullable() });

export const Problem = z.object({
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  path: z.string().nullable(),
  line: Line,
  column: Line,
});

const KnownModel = z.object({ model: z.string(), abilities: ModelAbilities });
/** An agent whose primary a chain changes. */
export const LeadChange = z.object({ agent: z.string(), from: KnownModel, to: KnownModel });
export type LeadChange = z.infer<typeof LeadChange>;

/** Source of an agent's models without its chain: another file's chain, the default chain, or none. */
const Remaining = z.object({ by: z.enum(['own', 'rest', 'nobody']), models: z.array(z.string()) });
export type Remaining = z.infer<typeof Remaining>;

const Agent = z.string().min(1).max(100);
const Models = z.array(z.string().max(300)).max(100);

/** A null scope writes the file that has the agent, else the project's, else the user's. */
const ChainChange = z.object({
  directory: Directory,
  agent: Agent,
  models: Models,
  scope: Scope.nullable(),
  /** Allows creating a missing file. */
  create: z.boolean(),
  /**
   * Tiers of its last models, in order; `from` is an existing tier's index, null for a new one. Null leaves tiers
   * unchanged.
   */
  tiers: z
    .array(
      z.object({
        from: z.int().nonnegative().max(99).nullable(),
        name: z.string().max(100).nullable(),
        size: z.int().nonnegative().max(100),
      }),
    )
    .max(100)
    .nullable()
    .default(null),
  /** Removes the chain; the models are ignored. */
  isRemoval: z.boolean().default(false),
  /** Chains of other agents in the same file and change. */
  others: z
    .array(z.object({ agent: Agent, models: Models }))
    .max(200)
    .default([]),
});

/** Adds or removes the companion's entry in OpenCode's configuration. */
const SetupChange = z.object({
  directory: Directory,
  action: z.enum(['install', 'uninstall']),
  scope: Scope,
  /** Apps up to 0.1.0 create no file without it. */
  create: z.boolean(),
  /** Removes the entry even if the user edited it. */
  evenIfEdited: z.boolean(),
});

export const setupQueries = {
  'chains.get': {
    input: z.object({ directory: Directory }),
    output: z.object({
      chains: z.array(
        z.object({
          agent: z.string(),
          models: z.array(z.string()),
          /** Tiers of its last models, in order. */
          tiers: z.array(z.object({ name: z.string().nullable(), size: z.int().nonnegative() })),
          chain: z.enum(['own', 'wildcard', 'lead']),
          path: z.string().nullable(),
          line: Line,
          policy: z.string(),
          /** OpenCode's model for this agent, if the chain has another primary; null if it is the same or unknown. */
          leads: LeadChange.nullable(),
        }),
      ),
      /** A file is invalid: its last valid chains stay in force and are not included here. */
      isUnread: z.boolean(),
      problems: z.array(Problem),
    }),
  },
  'chains.preview': {
    input: ChainChange,
    output: z.discriminatedUnion('ok', [
      Preview.extend({
        ok: z.literal(true),
        /** Agents that get another primary. */
        leads: z.array(LeadChange),
        /** Only for a removal. */
        remaining: Remaining.optional(),
      }),
      Refused,
    ]),
  },
  /** Rejected if the file has changed since. */
  'chains.apply': {
    input: ChainChange.extend({ seen: Seen }),
    output: z.discriminatedUnion('ok', [Change.extend({ ok: z.literal(true) }), Refused]),
  },
  /** OpenCode's latest list of models in a directory, else anywhere. */
  'chains.offers': {
    input: z.object({ directory: Directory }),
    output: z.object({
      /** Time of the list, Unix ms; null before the first one. */
      at: z.number().nullable(),
      models: z.array(
        z.object({
          model: z.string(),
          /** Wherever it is hosted; null if its name does not show it. */
          vendor: z.string().nullable(),
          isLocal: z.boolean(),
          abilities: ModelAbilities,
        }),
      ),
    }),
  },
  /** A first chain for each agent, from the user's connected providers. */
  'setup.propose': { input: z.object({ directory: Directory }), output: ProposedChains },
  /** Previews the behaviour of published designs in the user's file; null if the choice is no longer offered. */
  'setup.choice': { input: z.null(), output: Preview.nullable() },
  /** Writes that preview or leaves the defaults; either ends the offer. */
  'setup.choose': {
    input: z.object({ isWanted: z.boolean(), seen: Seen }),
    output: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), files: z.array(Change) }), Refused]),
  },
  /** OpenCode's configuration files, with the companion and similar plugins. */
  'setup.detect': {
    input: z.object({ directory: Directory }),
    output: z.object({
      /** Text for the user to paste, in the installed OpenCode's syntax. */
      line: z.string(),
      /** Reported versions of OpenCode on this computer. */
      opencodes: z.array(z.string()).default([]),
      companion: z.enum(['absent', 'other', 'current']),
      /** Places from which OpenCode loads the companion, and its origin. */
      installed: z
        .array(
          z.object({
            way: z.enum(['understudy', 'package', 'copy']),
            version: z.string().nullable(),
            folder: z.string().nullable(),
            /** This program includes a newer companion. */
            isOlder: z.boolean(),
          }),
        )
        .default([]),
      files: z.array(
        z.object({
          path: z.string(),
          scope: Scope,
          companions: z.array(z.string()),
          rivals: z.array(z.string()),
          /** Why it cannot be edited; null if it can. */
          problem: z.string().nullable(),
        }),
      ),
    }),
  },
  'setup.diff': {
    input: SetupChange,
    output: z.discriminatedUnion('ok', [
      z.object({
        ok: z.literal(true),
        files: z.array(Preview),
        /** Files that must stay unchanged, with the reason. */
        left: z.array(z.string()).optional(),
      }),
      Refused,
    ]),
  },
  /** Writes all files, or none if one has changed since the preview. */
  'setup.apply': {
    input: SetupChange.extend({ seen: z.array(Seen).max(10) }),
    output: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), files: z.array(Change) }), Refused]),
  },
  /** Restores a file to its state before a change; rejected if it has changed since. */
  'setup.undo': {
    input: z.object({ receipt: z.string().min(1).max(100) }),
    output: z.discriminatedUnion('ok', [Change.extend({ ok: z.literal(true) }), Refused]),
  },
  /** Installs this version of the companion where OpenCode loads it; changes no configuration. */
  'setup.place': {
    input: z.object({}),
    output: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true) }), Refused]),
  },
  /** Latest writes to the user's files, newest first. */
  'setup.receipts': {
    input: z.object({ limit: z.int().min(1).max(100) }),
    output: z.array(
      z.object({
        receipt: z.string(),
        at: z.number(),
        path: z.string(),
        /** In English. `actor`: panel, cli … */
        deed: z.string(),
        actor: z.string(),
        /** The file still holds the written text, so that it can be restored. */
        isLatest: z.boolean(),
      }),
    ),
  },
  /** Checks everything between OpenCode and a saved turn. */
  'doctor.run': {
    input: z.object({ directory: Directory }),
    output: z.array(
      z.object({
        check: z.string(),
        verdict: z.enum(['ok', 'warn', 'fail']),
        says: z.string(),
        fix: z.string().nullable(),
      }),
    ),
  },
} as const;
