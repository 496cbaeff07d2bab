import * as z from 'zod';
import { FAILURE_KINDS, type FailureKind, KIND_INFO, STEP_CONDITIONS } from '../engine/names';
import { Change, Directory, Line, Preview, Problem, Seen } from './setup';
import { UnknownPhrase } from './unknown-phrase';

/** Kinds that phrases cannot teach: detected without a provider message, or without meaning. */
const UNTAUGHT: readonly FailureKind[] = ['unknown', 'aborted', 'tool_error', 'local_network'];
export const TEACHABLE_KINDS: readonly FailureKind[] = FAILURE_KINDS.filter((kind) => !UNTAUGHT.includes(kind));
export const scopeOf = (kind: FailureKind) => KIND_INFO[kind].scope;

const Name = z.string().min(1).max(100);
const Scalar = z.union([z.string().max(4_096), z.number(), z.boolean(), z.null()]);
/** A value of `model-fallback.json` that changes as a whole. */
const Value = z.union([Scalar, z.array(z.string().max(300)).max(100)]);
/** Null for a default. */
const Place = { path: z.string().nullable(), line: Line };
const when = z.enum(STEP_CONDITIONS).optional();

export const Step = z.discriminatedUnion('step', [
  z.object({ step: z.literal('waitHint'), maxMs: z.number(), when }),
  z.object({ step: z.enum(['retry', 'continue']), n: z.int(), when }),
  z.object({ step: z.literal('wait'), ms: z.number(), when }),
  z.object({ step: z.enum(['switch', 'switchLarger', 'compact', 'ask', 'defer', 'hold', 'return']), when }),
]);

/** `unset` removes a value, so that the next lower source applies. */
const ConfigChange = z.discriminatedUnion('type', [
  z.object({ type: z.literal('set'), path: z.array(Name).min(1).max(4), value: Value }),
  z.object({ type: z.literal('unset'), path: z.array(Name).min(1).max(4) }),
  /** A null provider means all. */
  z.object({
    type: z.literal('teach'),
    phrase: z.string().max(200),
    kind: z.enum(FAILURE_KINDS),
    provider: Name.nullable(),
  }),
]);
export type ConfigChange = z.infer<typeof ConfigChange>;

const CHANGES_MAX = 100;
const ConfigEdit = z.object({ directory: Directory, changes: z.array(ConfigChange).min(1).max(CHANGES_MAX) });
/** Includes the change that accompanies the requested ones. */
const WholeChanges = z
  .array(ConfigChange)
  .min(1)
  .max(CHANGES_MAX + 1);

const Refused = z.object({
  ok: z.literal(false),
  reason: z.string(),
  fields: z.array(z.object({ path: z.array(z.string()), message: z.string() })),
});

export const configQueries = {
  'config.get': {
    input: z.object({ directory: Directory }),
    output: z.object({
      target: z.string(),
      /** Paths below `defaults`. */
      values: z.array(z.object({ key: z.string(), value: Value, ...Place })),
      /** `headroom` and `budget` of the user's file; absent values are defaults. */
      limits: z.array(z.object({ key: z.string(), value: Value, ...Place })),
      policies: z.array(
        z.object({
          name: z.string(),
          /** Null for built-in policies. */
          parent: z.string().nullable(),
          rows: z.array(
            z.object({
              kind: z.enum(FAILURE_KINDS),
              steps: z.array(Step),
              words: z.array(z.string()),
              /** Policy that sets the row; `fallbackOn` if that narrows it. */
              from: z.string(),
            }),
          ),
        }),
      ),
      agents: z.array(
        z.object({
          agent: z.string(),
          policy: z.string(),
          own: z.object({ policy: z.string(), ...Place }).nullable(),
        }),
      ),
      /** A file is invalid: its last valid values stay in force and are omitted here. */
      isUnread: z.boolean(),
      problems: z.array(Problem),
    }),
  },
  /** `changes` to apply, including the accompanying one. */
  'config.preview': {
    input: ConfigEdit,
    output: z.discriminatedUnion('ok', [Preview.extend({ ok: z.literal(true), changes: WholeChanges }), Refused]),
  },
  /** Rejected if the file has changed since. */
  'config.apply': {
    input: ConfigEdit.extend({ changes: WholeChanges, seen: Seen }),
    output: z.discriminatedUnion('ok', [Change.extend({ ok: z.literal(true) }), Refused]),
  },
  'phrases.preview': {
    input: z.object({ phrase: z.string().max(200), provider: Name.nullable() }),
    output: z.object({ entries: z.array(UnknownPhrase).max(20), total: z.int().nonnegative() }),
  },
} as const;
