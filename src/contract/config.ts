import * as z from 'zod';
import { FAILURE_KINDS, type FailureKind, KIND_INFO, STEP_CONDITIONS } from '../engine/names';
import { Change, Directory, Line, Preview, Problem, Seen } from './setup';
import { UnknownPhrase } from './unknown-phrase';

/** What nobody has to be taught: it is known from elsewhere than a provider's words, or says nothing. */
const UNTAUGHT: readonly FailureKind[] = ['unknown', 'aborted', 'tool_error', 'local_network'];
export const TEACHABLE_KINDS: readonly FailureKind[] = FAILURE_KINDS.filter((kind) => !UNTAUGHT.includes(kind));
export const scopeOf = (kind: FailureKind) => KIND_INFO[kind].scope;

const Name = z.string().min(1).max(100);
const Scalar = z.union([z.string().max(4_096), z.number(), z.boolean(), z.null()]);
/** A value of `model-fallback.json` that is changed as a whole. */
const Value = z.union([Scalar, z.array(z.string().max(300)).max(100)]);
/** Where a value stands; both null where it is the default. */
const Place = { path: z.string().nullable(), line: Line };
const when = z.enum(STEP_CONDITIONS).optional();

/** One step of a policy row, as the engine has it. */
export const Step = z.discriminatedUnion('step', [
  z.object({ step: z.literal('waitHint'), maxMs: z.number(), when }),
  z.object({ step: z.enum(['retry', 'continue']), n: z.int(), when }),
  z.object({ step: z.literal('wait'), ms: z.number(), when }),
  z.object({ step: z.enum(['switch', 'switchLarger', 'compact', 'ask', 'defer', 'hold', 'return']), when }),
]);

/** One change of our own file: a value at its place, null values and all; `unset` has what lies below say it again. */
const ConfigChange = z.discriminatedUnion('type', [
  z.object({ type: z.literal('set'), path: z.array(Name).min(1).max(4), value: Value }),
  z.object({ type: z.literal('unset'), path: z.array(Name).min(1).max(4) }),
  /** What a failure with these words means from now on; null for what any provider says. */
  z.object({
    type: z.literal('teach'),
    phrase: z.string().max(200),
    kind: z.enum(FAILURE_KINDS),
    provider: Name.nullable(),
  }),
]);
export type ConfigChange = z.infer<typeof ConfigChange>;

/** As many changes as can be asked for at once. */
const CHANGES_MAX = 100;
/** Changes that are written together: into the user's own file, or with a directory into that project's. */
const ConfigEdit = z.object({ directory: Directory, changes: z.array(ConfigChange).min(1).max(CHANGES_MAX) });
/** The same, with the one that may go along with them. */
const WholeChanges = z
  .array(ConfigChange)
  .min(1)
  .max(CHANGES_MAX + 1);

/** Nothing is written; what speaks against single values stands at their places. */
const Refused = z.object({
  ok: z.literal(false),
  reason: z.string(),
  fields: z.array(z.object({ path: z.array(z.string()), message: z.string() })),
});

/** What the panel may ask of policies and numbers: what is in force and who says so, and an exact change of our own file. */
export const configQueries = {
  'config.get': {
    input: z.object({ directory: Directory }),
    output: z.object({
      /** The file that a change is written to, there or not. */
      target: z.string(),
      /** What holds for every agent: `defaults`, as a path below it. */
      values: z.array(z.object({ key: z.string(), value: Value, ...Place })),
      /** What the user's own file says of limits and budgets: `headroom` and `budget`, by the whole path; what is not there is the default. */
      limits: z.array(z.object({ key: z.string(), value: Value, ...Place })),
      policies: z.array(
        z.object({
          name: z.string(),
          /** The policy it extends; null for those that ship. */
          parent: z.string().nullable(),
          rows: z.array(
            z.object({
              kind: z.enum(FAILURE_KINDS),
              steps: z.array(Step),
              /** The same as the file would write it, without conditions. */
              words: z.array(z.string()),
              /** The policy that says so; `fallbackOn` where that narrows it. */
              from: z.string(),
            }),
          ),
        }),
      ),
      agents: z.array(
        z.object({
          agent: z.string(),
          /** In force. */
          policy: z.string(),
          /** As its own entry says; null where it says nothing. */
          own: z.object({ policy: z.string(), ...Place }).nullable(),
        }),
      ),
      /** A file of ours there could not be understood: what it said last stays in force, and is not here. */
      isUnread: z.boolean(),
      problems: z.array(Problem),
    }),
  },
  /** What changes come to; `changes` are those that are to be applied: what was asked for, and what goes along with it. */
  'config.preview': {
    input: ConfigEdit,
    output: z.discriminatedUnion('ok', [Preview.extend({ ok: z.literal(true), changes: WholeChanges }), Refused]),
  },
  /** Writes these changes and no other; refused when the file has changed since. `setup.undo` takes it back. */
  'config.apply': {
    input: ConfigEdit.extend({ changes: WholeChanges, seen: Seen }),
    output: z.discriminatedUnion('ok', [Change.extend({ ok: z.literal(true) }), Refused]),
  },
  /** Which of the failures that nobody could name a phrase would name. */
  'phrases.preview': {
    input: z.object({ phrase: z.string().max(200), provider: Name.nullable() }),
    output: z.object({ entries: z.array(UnknownPhrase).max(20), total: z.int().nonnegative() }),
  },
} as const;
