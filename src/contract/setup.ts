import * as z from 'zod';
import { ProposedChains } from './proposal';
import { ModelAbilities } from './snapshot';

/** Null: only the user's files. */
export const Directory = z.string().min(1).max(4096).nullable();
const Scope = z.enum(['project', 'global']);
export const Line = z.int().positive().nullable();
/** Hash at the preview: nothing is written if the contents have changed. */
export const Seen = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .nullable();
export const Refused = z.object({ ok: z.literal(false), reason: z.string() });

/** For approval; the diff is empty if none is necessary. */
export const Preview = z.object({ path: z.string(), diff: z.string(), seen: Seen });
export const Change = z.object({ path: z.string(), receipt: z.string().nullable() });

export const Problem = z.object({
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  path: z.string().nullable(),
  line: Line,
  column: Line,
});

const KnownModel = z.object({ model: z.string(), abilities: ModelAbilities });
export const LeadChange = z.object({ agent: z.string(), from: KnownModel, to: KnownModel });
export type LeadChange = z.infer<typeof LeadChange>;

/** Models without the chain: another file's chain, the default chain, or none. */
const Remaining = z.object({ by: z.enum(['own', 'rest', 'nobody']), models: z.array(z.string()) });
export type Remaining = z.infer<typeof Remaining>;

const Agent = z.string().min(1).max(100);
const Models = z.array(z.string().max(300)).max(100);

/** A null scope writes the file with the agent, else the project's, else the user's. */
const ChainChange = z.object({
  directory: Directory,
  agent: Agent,
  models: Models,
  scope: Scope.nullable(),
  create: z.boolean(),
  /** Tiers of the last models; `from` is an existing index, null for a new tier. Null leaves tiers unchanged. */
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
  /** Chains of other agents, for the same file and change. */
  others: z
    .array(z.object({ agent: Agent, models: Models }))
    .max(200)
    .default([]),
});

const SetupChange = z.object({
  directory: Directory,
  action: z.enum(['install', 'uninstall']),
  scope: Scope,
  /** Apps up to 0.1.0 create no file without it. */
  create: z.boolean(),
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
          /** Tiers of the last models. */
          tiers: z.array(z.object({ name: z.string().nullable(), size: z.int().nonnegative() })),
          chain: z.enum(['own', 'wildcard', 'lead']),
          path: z.string().nullable(),
          line: Line,
          policy: z.string(),
          /** OpenCode's model, if the chain has another primary. */
          leads: LeadChange.nullable(),
        }),
      ),
      /** A file is invalid: its last valid chains stay in force and are omitted here. */
      isUnread: z.boolean(),
      problems: z.array(Problem),
    }),
  },
  'chains.preview': {
    input: ChainChange,
    output: z.discriminatedUnion('ok', [
      Preview.extend({
        ok: z.literal(true),
        leads: z.array(LeadChange),
        /** Only present for a removal. */
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
  /** Latest list in a directory, else anywhere. */
  'chains.offers': {
    input: z.object({ directory: Directory }),
    output: z.object({
      /** Unix ms; null before the first list. */
      at: z.number().nullable(),
      models: z.array(
        z.object({
          model: z.string(),
          /** Null if the name does not show it. */
          vendor: z.string().nullable(),
          isLocal: z.boolean(),
          abilities: ModelAbilities,
        }),
      ),
    }),
  },
  'setup.propose': { input: z.object({ directory: Directory }), output: ProposedChains },
  /** Behaviour of published designs; null if no longer offered. */
  'setup.choice': { input: z.null(), output: Preview.nullable() },
  /** Writes the preview or leaves the defaults; either ends the offer. */
  'setup.choose': {
    input: z.object({ isWanted: z.boolean(), seen: Seen }),
    output: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), files: z.array(Change) }), Refused]),
  },
  'setup.detect': {
    input: z.object({ directory: Directory }),
    output: z.object({
      /** To paste, in the installed OpenCode's syntax. */
      line: z.string(),
      opencodes: z.array(z.string()).default([]),
      companion: z.enum(['absent', 'other', 'current']),
      /** Where OpenCode loads the companion, and its origin. */
      installed: z
        .array(
          z.object({
            way: z.enum(['understudy', 'package', 'copy']),
            version: z.string().nullable(),
            folder: z.string().nullable(),
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
          /** Reason why it cannot be edited. */
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
        /** Files that stay unchanged, with the reason. */
        left: z.array(z.string()).optional(),
      }),
      Refused,
    ]),
  },
  /** All files, or none if one has changed. */
  'setup.apply': {
    input: SetupChange.extend({ seen: z.array(Seen).max(10) }),
    output: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), files: z.array(Change) }), Refused]),
  },
  /** Rejected if the file has changed since. */
  'setup.undo': {
    input: z.object({ receipt: z.string().min(1).max(100) }),
    output: z.discriminatedUnion('ok', [Change.extend({ ok: z.literal(true) }), Refused]),
  },
  /** Changes no configuration. */
  'setup.place': {
    input: z.object({}),
    output: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true) }), Refused]),
  },
  'setup.receipts': {
    input: z.object({ limit: z.int().min(1).max(100) }),
    output: z.array(
      z.object({
        receipt: z.string(),
        at: z.number(),
        path: z.string(),
        /** In English. */
        deed: z.string(),
        actor: z.string(),
        /** The file still has the written text: it can be restored. */
        isLatest: z.boolean(),
      }),
    ),
  },
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
