import * as z from 'zod';

const Bytes = z.int().nonnegative();
/** Unix ms. */
const Instant = z.number().nonnegative();
const Refused = z.object({ ok: z.literal(false), reason: z.string() });

const DataInfo = z.object({
  folder: z.string(),
  /** Null with the reason in `why`. */
  history: z
    .object({
      path: z.string(),
      bytes: Bytes,
      driver: z.enum(['node:sqlite', 'libsql']),
      attempts: z.int().nonnegative(),
      /** Includes imports. */
      oldestAt: Instant.nullable(),
      /** Changes lost because they could not be written. */
      refused: z.int().nonnegative(),
    })
    .nullable(),
  why: z.string().nullable(),
  logBytes: Bytes,
  /** Limits of age and size for detail; older data stays as hourly sums. */
  keeping: z.object({ detailDays: z.number(), maxBytes: z.number() }),
  backups: z.array(z.object({ path: z.string(), bytes: Bytes, at: Instant })),
  opencode: z.object({ path: z.string(), isThere: z.boolean() }),
});
export type DataInfo = z.infer<typeof DataInfo>;

/** No query takes a path: the panel must not give access to the rest of the disk. */
export const dataQueries = {
  'data.info': { input: z.null(), output: DataInfo },
  'data.backup': {
    input: z.null(),
    output: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), path: z.string(), bytes: Bytes, at: Instant }),
      Refused,
    ]),
  },
  /** Imports no texts. A repeated import adds only new entries. */
  'data.import': {
    input: z.null(),
    output: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), found: z.int().nonnegative(), added: z.int().nonnegative() }),
      Refused,
    ]),
  },
  /** Also erases health, pins, a pause and the backups in the state home; keeps the configuration. Cannot be undone. */
  'data.erase': {
    input: z.object({ confirm: z.literal('erase') }),
    output: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), files: z.array(z.string()) }), Refused]),
  },
} as const;
