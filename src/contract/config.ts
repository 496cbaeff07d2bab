import * as z from 'zod';
import { FAILURE_KINDS, type FailureKind, KIND_INFO, STEP_CONDITIONS } from '../engine/names';
import { Change, Directory, Line, Preview, Problem, Seen } from './setup';
import { UnknownPhrase } from './unknown-phrase';

/** Kinds that phrases cannot name: they are detected without a provider's message, or have no meaning. */
const UNTAUGHT: readonly FailureKind[] = ['unknown', 'aborted', 'tool_error', 'local_network'];
export const TEACHABLE_KINDS: readonly FailureKind[] = FAILURE_KINDS.filter((kind) => !UNTAUGHT.includes(kind));
export const scopeOf = (kind: FailureKind) => KIND_INFO[kind].scope;

const Name = z.string().min(1).max(100);
const Scalar = z.union([z.string().max(4_096), z.number(), z.boolean(), z.null()]);
/** A value of `model-fallback.json` that changes as a whole. */
const Value = z.union([Scalar, z.array(z.string().max(300)).max(100)]);
/** File and line of a value; both null for a default. */
const Place = { path: z.string().nullable(), line: Line };
const when = z.enum(STEP_CONDITIONS).optional();

/** One step of a policy row, as in the engine. */
export const Step = z.discriminatedUnion('step', [
  z.object({ step: z.literal('waitHint'), maxMs: z.number(), when }),
  z.object({ step: z.enum(['retry', 'continue']), n: z.int(), when }),
  z.object({ step: z.literal('wait'), ms: z.number(), when }),
  z.object({ step: z.enum(['switch', 'switchLarger', 'compact', 'ask', 'defer', 'hold', 'return']), when }),
]);

/**
 * One change of our own file: a value at its place, null values included; `unset` removes it, so that the next lower
 * source applies.
 */
const ConfigChange = z.discriminatedUnion('type', [
  z.object({ type: z.literal('set'), path: z.array(Name).min(1).max(4), value: Value }),
  z.object({ type: z.literal('unset'), path: z.array(Name).min(1).max(4) }),
  /** The meaning of failures with this phrase; a null provider means all providers. */
  z.object({
    type: z.literal('teach'),
    phrase: z.string().max(200),
    kind: z.enum(FAILURE_KINDS),
    provider: Name.nullable(),
  }),
]);
export type ConfigChange = z.infer<typeof ConfigChange>;

/** Maximum number of changes in one request. */
const CHANGES_MAX = 100;
/** Changes that are written together: to the user's file, or with a directory to that project's file. */
const ConfigEdit = z.object({ directory: Directory, changes: z.array(ConfigChange).min(1).max(CHANGES_MAX) });
/** The same, with the change that may accompany them. */
const WholeChanges = z
  .array(ConfigChange)
  .min(1)
  .max(CHANGES_MAX + 1);

/** Nothing is written; the problems of single values are at their places. */
const Refused = z.object({
  ok: z.literal(false),
  reason: z.string(),
  fields: z.array(z.object({ path: z.array(z.string()), message: z.string() })),
});

/** Queries about policies and numbers: the values in force with their sources, and exact changes of our own file. */
export const configQueries = {
  'config.get': {
    input: z.object({ directory: Directory }),
    output: z.object({
      /** The file that a change is written to; it may not exist yet. */
      target: z.string(),
      /** Values for every agent: paths below `defaults`. */
      values: z.array(z.object({ key: z.string(), value: Value, ...Place })),
      /** `headroom` and `budget` of the user's file, by full path; absent values are defaults. */
      limits: z.array(z.object({ key: z.string(), value: Value, ...Place })),
      policies: z.array(
        z.object({
          name: z.string(),
          /** The policy that it extends; null for built-in policies. */
          parent: z.string().nullable(),
          rows: z.array(
            z.object({
              kind: z.enum(FAILURE_KINDS),
              steps: z.array(Step),
              /** The same in the file's syntax, without conditions. */
              words: z.array(z.string()),
              /** The policy that sets the row; `fallbackOn` if that narrows it. */
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
          /** The agent's own entry; null without one. */
          own: z.object({ policy: z.string(), ...Place }).nullable(),
        }),
      ),
      /** One of our files there is invalid: its last valid values stay in force, and are not in this answer. */
      isUnread: z.boolean(),
      problems: z.array(Problem),
    }),
  },
  /** The effect of changes; `changes` are those to apply: the requested ones and the accompanying one. */
  'config.preview': {
    input: ConfigEdit,
    output: z.discriminatedUnion('ok', [Preview.extend({ ok: z.literal(true), changes: WholeChanges }), Refused]),
  },
  /** Writes exactly these changes; rejected if the file has changed since. `setup.undo` reverts it. */
  'config.apply': {
    input: ConfigEdit.extend({ changes: WholeChanges, seen: Seen }),
    output: z.discriminatedUnion('ok', [Change.extend({ ok: z.literal(true) }), Refused]),
  },
  /** The unrecognized failures that a phrase would match. */
  'phrases.preview': {
    input: z.object({ phrase: z.string().max(200), provider: Name.nullable() }),
    output: z.object({ entries: z.array(UnknownPhrase).max(20), total: z.int().nonnegative() }),
  },
} as const;
