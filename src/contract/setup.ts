import * as z from 'zod';
import { ProposedChains } from './proposal';
import { ModelAbilities } from './snapshot';

/** A project that OpenCode has opened; null for the user's own files alone. */
export const Directory = z.string().min(1).max(4096).nullable();
const Scope = z.enum(['project', 'global']);
export const Line = z.int().positive().nullable();
/** What a file held when a difference was shown: nothing is written when it holds something else by then. */
export const Seen = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .nullable();
export const Refused = z.object({ ok: z.literal(false), reason: z.string() });

/** An exact change of one file, to be shown before anybody agrees to it. An empty difference: nothing has to be done. */
export const Preview = z.object({ path: z.string(), diff: z.string(), seen: Seen });
/** A change that was made; no receipt where nothing had to be done. */
export const Change = z.object({ path: z.string(), receipt: z.string().nullable() });

export const Problem = z.object({
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  path: z.string().nullable(),
  line: Line,
  column: Line,
});

const KnownModel = z.object({ model: z.string(), abilities: ModelAbilities });
/** An agent that another model leads than the one it would be led by without that chain. */
export const LeadChange = z.object({ agent: z.string(), from: KnownModel, to: KnownModel });
export type LeadChange = z.infer<typeof LeadChange>;

/** What an agent goes by without its chain: another file's, the one for all others, or nobody's. */
const Remaining = z.object({ by: z.enum(['own', 'rest', 'nobody']), models: z.array(z.string()) });
export type Remaining = z.infer<typeof Remaining>;

const Agent = z.string().min(1).max(100);
const Models = z.array(z.string().max(300)).max(100);

/** A chain to be written; without a scope into the file where the agent has one, else the project's, else the user's own. */
const ChainChange = z.object({
  directory: Directory,
  agent: Agent,
  models: Models,
  scope: Scope.nullable(),
  /** Whether a missing file may be made. */
  create: z.boolean(),
  /**
   * The tiers its last models shall be written in, in order; `from` is a tier's place among those the file has, null for a
   * new one. Null leaves the lists as they are.
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
  /** Takes the chain out of its file; the models are then of no account. */
  isRemoval: z.boolean().default(false),
  /** Chains of further agents, written to the same file in the same change. */
  others: z
    .array(z.object({ agent: Agent, models: Models }))
    .max(200)
    .default([]),
});

/** The companion's element, put into OpenCode's configuration or taken out of it. */
const SetupChange = z.object({
  directory: Directory,
  action: z.enum(['install', 'uninstall']),
  scope: Scope,
  /** An app up to 0.1.0 makes no file without it. */
  create: z.boolean(),
  /** Take it out also where a person has changed it. */
  evenIfEdited: z.boolean(),
});

/** What the panel may ask of configuration files: to look, to see an exact difference, and to make it so. */
export const setupQueries = {
  /** Every chain as it is written, and the file and line it stands in. */
  'chains.get': {
    input: z.object({ directory: Directory }),
    output: z.object({
      chains: z.array(
        z.object({
          agent: z.string(),
          models: z.array(z.string()),
          /** How many of its last models stand in which tier, in order; empty where it has none. */
          tiers: z.array(z.object({ name: z.string().nullable(), size: z.int().nonnegative() })),
          chain: z.enum(['own', 'wildcard', 'lead']),
          path: z.string().nullable(),
          line: Line,
          policy: z.string(),
          /** The model OpenCode has for this agent, where the chain has another lead; null where it has the same, or nobody knows. */
          leads: LeadChange.nullable(),
        }),
      ),
      /** A file of ours there could not be understood: what it said last stays in force, and its chains are not among these. */
      isUnread: z.boolean(),
      problems: z.array(Problem),
    }),
  },
  'chains.preview': {
    input: ChainChange,
    output: z.discriminatedUnion('ok', [
      Preview.extend({
        ok: z.literal(true),
        /** The agents that another model would lead from then on. */
        leads: z.array(LeadChange),
        /** What the agent goes by once its chain is taken out; absent for any other change. */
        remaining: Remaining.optional(),
      }),
      Refused,
    ]),
  },
  /** Writes what a preview has shown; refused when the file has changed since. */
  'chains.apply': {
    input: ChainChange.extend({ seen: Seen }),
    output: z.discriminatedUnion('ok', [Change.extend({ ok: z.literal(true) }), Refused]),
  },
  /** The models OpenCode listed in a directory, else anywhere, last: what may be put into a chain there. */
  'chains.offers': {
    input: z.object({ directory: Directory }),
    output: z.object({
      /** When it listed them, in Unix ms; null when it has not listed anything yet. */
      at: z.number().nullable(),
      models: z.array(
        z.object({
          model: z.string(),
          /** Whose model it is, wherever it is hosted; null where its name does not say. */
          vendor: z.string().nullable(),
          isLocal: z.boolean(),
          abilities: ModelAbilities,
        }),
      ),
    }),
  },
  /** A first chain for each agent, of the providers the user has connected; each may be written with `chains.apply`. */
  'setup.propose': { input: z.object({ directory: Directory }), output: ProposedChains },
  /** What a file of the user's would say to behave as published designs do; null where that is not to be asked (any more). */
  'setup.choice': { input: z.null(), output: Preview.nullable() },
  /** Writes what that has shown, or leaves the defaults; either is the answer, and it is not asked again. */
  'setup.choose': {
    input: z.object({ isWanted: z.boolean(), seen: Seen }),
    output: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), files: z.array(Change) }), Refused]),
  },
  /** OpenCode's configuration files and what they say of the companion and of others like it. */
  'setup.detect': {
    input: z.object({ directory: Directory }),
    output: z.object({
      /** What a person would paste, in the words of the OpenCode that is here. */
      line: z.string(),
      /** The versions of OpenCode on this computer, as they say them. */
      opencodes: z.array(z.string()).default([]),
      companion: z.enum(['absent', 'other', 'current']),
      /** Each place that OpenCode loads the companion from, and who put it there. */
      installed: z
        .array(
          z.object({
            way: z.enum(['understudy', 'package', 'copy']),
            version: z.string().nullable(),
            folder: z.string().nullable(),
            /** The companion that comes with this program is newer. */
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
          /** Why nobody could edit it; null when one could. */
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
        /** Of each file that has to stay as it is which one that is, and why; absent where none has to. */
        left: z.array(z.string()).optional(),
      }),
      Refused,
    ]),
  },
  /** Writes what a difference has shown, each file with what it held then: all of them, or none when one has changed. */
  'setup.apply': {
    input: SetupChange.extend({ seen: z.array(Seen).max(10) }),
    output: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), files: z.array(Change) }), Refused]),
  },
  /** Puts a file back as it was before a change; refused when it has changed since. */
  'setup.undo': {
    input: z.object({ receipt: z.string().min(1).max(100) }),
    output: z.discriminatedUnion('ok', [Change.extend({ ok: z.literal(true) }), Refused]),
  },
  /** Puts the companion where OpenCode loads it from, in this version; nobody's configuration is written. */
  'setup.place': {
    input: z.object({}),
    output: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true) }), Refused]),
  },
  /** The latest writes to people's files, the newest first. */
  'setup.receipts': {
    input: z.object({ limit: z.int().min(1).max(100) }),
    output: z.array(
      z.object({
        receipt: z.string(),
        at: z.number(),
        path: z.string(),
        /** What was done, in English, and by whom: panel, cli … */
        deed: z.string(),
        actor: z.string(),
        /** Whether the file still holds what was written, so that it can be put back. */
        isLatest: z.boolean(),
      }),
    ),
  },
  /** Everything between OpenCode and a saved turn, with what a person can do about it. */
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
