import * as z from 'zod';

const Bytes = z.int().nonnegative();
/** Unix ms. */
const Instant = z.number().nonnegative();
const Refused = z.object({ ok: z.literal(false), reason: z.string() });

const DataInfo = z.object({
  /** Folder of everything that is recorded. */
  folder: z.string(),
  /** Null where no history is kept; `why` then says why not. */
  history: z
    .object({
      path: z.string(),
      bytes: Bytes,
      driver: z.enum(['node:sqlite', 'libsql']),
      attempts: z.int().nonnegative(),
      /** The oldest hour with figures, what was imported included; null without any. */
      oldestAt: Instant.nullable(),
      /** Changes the file would not take since the app has started: they are left out. */
      refused: z.int().nonnegative(),
    })
    .nullable(),
  why: z.string().nullable(),
  logBytes: Bytes,
  /** Detail is kept so long and so big; what is older stays as sums by hour. */
  keeping: z.object({ detailDays: z.number(), maxBytes: z.number() }),
  /** Copies that were made here, the latest first. */
  backups: z.array(z.object({ path: z.string(), bytes: Bytes, at: Instant })),
  /** OpenCode's own database, from which a history can be imported. */
  opencode: z.object({ path: z.string(), isThere: z.boolean() }),
});
export type DataInfo = z.infer<typeof DataInfo>;

/**
 * What the panel may ask of what is recorded. No question takes a path: whoever holds the panel must not reach the rest of
 * the disk through it.
 */
export const dataQueries = {
  'data.info': { input: z.null(), output: DataInfo },
  /** Writes a whole copy of the history into the folder `backups` of the state home. */
  'data.backup': {
    input: z.null(),
    output: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), path: z.string(), bytes: Bytes, at: Instant }),
      Refused,
    ]),
  },
  /** Adds what OpenCode remembers of earlier answers: tokens, cost and times, no texts. A second time adds what is new. */
  'data.import': {
    input: z.null(),
    output: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), found: z.int().nonnegative(), added: z.int().nonnegative() }),
      Refused,
    ]),
  },
  /**
   * Deletes everything that was ever recorded, backups in the state home included, and begins anew: health, pins and a
   * pause as well. Configurations stay as they are. It cannot be brought back.
   */
  'data.erase': {
    input: z.object({ confirm: z.literal('erase') }),
    output: z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), files: z.array(z.string()) }), Refused]),
  },
} as const;
