import * as z from 'zod';
import { ConfigChanged } from './config';
import { CouncilAsk, CouncilTalk } from './council';
import { DrillAnswer, DrillAsk } from './drill';
import { CompanionEvent, RelayedAct } from './events';
import { SyncedHealth } from './health';
import { Count, WallMs } from './measures';
import { Directory, Id, ModelRef, parseJson, safeText } from './text';

/** Increase it for changes that older peers cannot read; peers with another version attach read-only and report it. */
export const PROTOCOL_VERSION = 6;

/** Longest line in bytes. */
export const MAX_LINE_BYTES = 1_048_576;

/** Longest line to a viewer that accepts it: snapshots grow with projects. */
export const VIEWER_LINE_BYTES = 16 * MAX_LINE_BYTES;

export const HELLO_DEADLINE_MS = 2_000;

const Seq = z.int().nonnegative();

/**
 * First line of every peer. `protocol` is any integer, so that other versions get a response instead of a parse error.
 */
export const Hello = z.lazy(() =>
  z.object({
    type: z.literal('hello'),
    protocol: z.int().nonnegative(),
    token: z.string().max(200),
    peer: z.discriminatedUnion('role', [
      z.object({
        role: z.literal('companion'),
        instance: Id,
        /** One run of the companion; sequence numbers count within it. */
        epoch: Id,
        pid: z.int().nonnegative(),
        opencode: safeText(50),
        plugin: safeText(50),
        /** Requests that it accepts and older companions do not; absent for none. */
        takes: z.array(safeText(40)).max(20).optional(),
      }),
      /** `lineBytes`: its longest line; absent for older viewers, which accept the default. */
      z.object({ role: z.literal('viewer'), name: safeText(50), lineBytes: z.int().positive().optional() }),
    ]),
  }),
);
export type Hello = z.infer<typeof Hello>;

export const TITLES_MAX = 200;
/** Longer titles are cut. */
export const TITLE_MAX_CHARS = 120;

const SessionTitles = z.lazy(() =>
  z.object({
    type: z.literal('session.titles'),
    directory: Directory,
    titles: z.array(z.object({ session: Id, title: safeText(TITLE_MAX_CHARS) })).max(TITLES_MAX),
  }),
);
export type SessionTitles = z.infer<typeof SessionTitles>;

export const UNKNOWN_HEADERS_MAX = 20;
export const PROVIDER_MAX_CHARS = 200;

const HeadersUnknown = z.lazy(() =>
  z.object({
    type: z.literal('headers.unknown'),
    provider: safeText(PROVIDER_MAX_CHARS).min(1),
    names: z
      .array(
        z
          .string()
          .max(80)
          .regex(/^[a-z0-9_.-]+$/),
      )
      .min(1)
      .max(UNKNOWN_HEADERS_MAX),
  }),
);
export type HeadersUnknown = z.infer<typeof HeadersUnknown>;

export const PeerMessage = z.lazy(() =>
  z.discriminatedUnion('type', [
    Hello,
    /** `ageMs`: time before sending; above zero if the app was unreachable. */
    z.object({
      type: z.literal('event'),
      seq: Seq,
      ageMs: z.number().nonnegative(),
      sentAt: WallMs,
      /** Number of unacknowledged events of this run that the companion dropped; absent for none. */
      dropped: Count.optional(),
      event: CompanionEvent,
    }),
    /** The companion applied the view with this `rev`; it sends nothing for a view older than its own events. */
    z.object({ type: z.literal('synced'), rev: Seq }),
    z.object({ type: z.literal('lease.request'), id: Id, model: ModelRef }),
    /**
     * Session titles, if the user allows them. They derive from the user's texts, so neither side stores them; hence
     * no event.
     */
    SessionTitles,
    /** Header names that look like limits and have no reader; each connection sends all of them. */
    HeadersUnknown,
    DrillAnswer,
    CouncilTalk,
    /** A viewer's query; names and inputs are those of the panel contract. */
    z.object({ type: z.literal('ask'), id: Id, name: safeText(80), input: z.unknown() }),
  ]),
);
export type PeerMessage = z.infer<typeof PeerMessage>;

export const AppMessage = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('welcome'),
      protocol: z.int(),
      app: safeText(50),
      /** Of this epoch, stored or not; null for none. */
      haveSeq: Seq.nullable(),
      /** Accepts session titles. Older apps disconnect at messages that they do not accept. */
      takesTitles: z.literal(true).optional(),
      /** Also for header names without a reader. */
      takesHeadroom: z.literal(true).optional(),
      takesCounted: z.literal(true).optional(),
      takesLogin: z.literal(true).optional(),
      /** Accepts `attempt.silent`, `attempt.answering` and `session.waiting`. */
      takesWaiting: z.literal(true).optional(),
    }),
    z.object({
      type: z.literal('refused'),
      code: z.enum(['auth', 'protocol', 'busy', 'invalid']),
      message: safeText(300),
    }),
    /** The app's view of health; `seenSeq` is the last included event of this peer, which returns `rev`. */
    z.object({ type: z.literal('sync'), seenSeq: Seq.nullable(), rev: Seq, sentAt: WallMs, health: SyncedHealth }),
    /** All events up to this number are on disk; the peer may drop them. */
    z.object({ type: z.literal('acknowledged'), seq: Seq }),
    z.object({ type: z.literal('lease.answer'), id: Id, granted: z.boolean() }),
    z.object({ type: z.literal('act'), event: RelayedAct }),
    DrillAsk,
    CouncilAsk,
    ConfigChanged,
    z.object({
      type: z.literal('answer'),
      id: Id,
      ok: z.boolean(),
      value: z.unknown().optional(),
      reason: safeText(500).optional(),
    }),
    z.object({ type: z.literal('push'), name: safeText(80), data: z.unknown() }),
  ]),
);
export type AppMessage = z.infer<typeof AppMessage>;

export type Parsed<T> = Readonly<{ ok: true; message: T }> | Readonly<{ ok: false; reason: string }>;

function parseLine<T>(schema: z.ZodType<T>, line: string): Parsed<T> {
  const json = parseJson(line);
  if (json === undefined) return { ok: false, reason: 'not JSON' };
  const result = schema.safeParse(json);
  return result.success ? { ok: true, message: result.data } : { ok: false, reason: z.prettifyError(result.error) };
}

export const parsePeerMessage = (line: string): Parsed<PeerMessage> => parseLine(PeerMessage, line);
export const parseAppMessage = (line: string): Parsed<AppMessage> => parseLine(AppMessage, line);
