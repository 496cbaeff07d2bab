import * as z from 'zod';

const Bytes = z.int().nonnegative();
/** Unix ms. */
const Instant = z.number().nonnegative();
const Refused = z.object({ ok: z.literal(false), reason: z.string() });

const DataInfo = z.object({
  /** Folder of all recorded data. */
  folder: z.string(),
  /** Null if no history is stored; `why` gives the reason. */
  history: z
    .object({
      path: z.string(),
      bytes: Bytes,
      driver: z.enum(['node:sqlite', 'libsql']),
      attempts: z.int().nonnegative(),
      /** The oldest hour with figures, imports included; null without any. */
      oldestAt: Instant.nullable(),
      /** Changes since the start of the app that could not be written to the file; they are lost. */
      refused: z.int().nonnegative(),
    })
    .nullable(),
  why: z.string().nullable(),
  logBytes: Bytes,
  /** Limits of age and size for detail; older data stays as hourly sums. */
  keeping: z.object({ detailDays: z.number(), maxBytes: z.number() }),
  /** Backups made here, the latest first. */
  backups: z.array(z.object({ path: z.string(), bytes: Bytes, at: Instant })),
  /** OpenCode's database, from which a history can be imported. */
  opencode: z.object({ path: z.string(), isThere: z.boolean() }),
});
export type DataInfo = z.infer<typeof DataInfo>;

/** Queries about recorded data. None takes a path: access to the panel must not give access to the rest of the disk. */
export const dataQueries = {
  'data.info': { input: z.null(), output: DataInfo },
  /** Writes a full copy of the history to the folder `backups` of the state home. */
  'data.backup': {
    input: z.null(),
    output: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), path: z.string(), bytes: Bytes, at: Instant }),
      Refused,
    ]),
  },
  /**
   * Imports tokens, cost and times of earlier answers from OpenCode, no texts. A repeated import adds only new ones.
   */
  'data.import': {
    input: z.null(),
    output: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), found: z.int().nonnegative(), added: z.int().nonnegative() }),
      Refused,
    ]),
  },
  /**
   * Deletes all recorded data, with health, pins, a pause and the backups in the state home. Configuration stays. It
   * cannot be undone.
   */
  'data.erase': {
    input: z.object({ confirm: z.literal('erase') }),
    output: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), files: z.array(z.string()) }), Refused]),
  },
} as const;
