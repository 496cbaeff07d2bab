import * as z from 'zod';
import { ConfigChanged } from './config';
import { CouncilAsk, CouncilTalk } from './council';
import { DrillAnswer, DrillAsk } from './drill';
import { CompanionEvent, RelayedAct } from './events';
import { SyncedHealth } from './health';
import { Count, WallMs } from './measures';
import { Directory, Id, ModelRef, parseJson, safeText } from './text';

/**
 * Increase it on any change that an older peer cannot read; peers with another version attach read-only and report it.
 */
export const PROTOCOL_VERSION = 6;

/** Longest line that either side accepts, in bytes. */
export const MAX_LINE_BYTES = 1_048_576;

/** Longest line to a viewer whose hello accepts it, in bytes: a snapshot grows with projects. */
export const VIEWER_LINE_BYTES = 16 * MAX_LINE_BYTES;

/** Time after which an unauthenticated peer is disconnected. */
export const HELLO_DEADLINE_MS = 2_000;

const Seq = z.int().nonnegative();

/**
 * First line of every peer. `protocol` is any integer, so that another version gets an answer instead of a parse error.
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
        /** Types of requests that it accepts and older companions do not; absent for none. */
        takes: z.array(safeText(40)).max(20).optional(),
      }),
      /** `lineBytes`: the longest line it accepts; absent for an older viewer, which accepts the default. */
      z.object({ role: z.literal('viewer'), name: safeText(50), lineBytes: z.int().positive().optional() }),
    ]),
  }),
);
export type Hello = z.infer<typeof Hello>;

/** Maximum number of sessions in one message. */
export const TITLES_MAX = 200;
/** Longest title, in characters; longer ones are cut. */
export const TITLE_MAX_CHARS = 120;

const SessionTitles = z.lazy(() =>
  z.object({
    type: z.literal('session.titles'),
    directory: Directory,
    titles: z.array(z.object({ session: Id, title: safeText(TITLE_MAX_CHARS) })).max(TITLES_MAX),
  }),
);
export type SessionTitles = z.infer<typeof SessionTitles>;

/** Maximum number of header names of one provider. */
export const UNKNOWN_HEADERS_MAX = 20;
/** Longest name of a provider in a report of headers. */
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
    /** An event, `ageMs` before it was sent; more than zero if the app was away. */
    z.object({
      type: z.literal('event'),
      seq: Seq,
      ageMs: z.number().nonnegative(),
      sentAt: WallMs,
      /** Number of unacknowledged events of this run that the companion dropped; absent for none. */
      dropped: Count.optional(),
      event: CompanionEvent,
    }),
    /**
     * The companion has applied the view with this `rev`; it silently ignores one that is older than its own events.
     */
    z.object({ type: z.literal('synced'), rev: Seq }),
    /** Requests a lease for the one probe of this model that is due. */
    z.object({ type: z.literal('lease.request'), id: Id, model: ModelRef }),
    /**
     * OpenCode's titles of sessions in a directory whose user allows it. They derive from the user's texts: no event,
     * so that neither side stores them.
     */
    SessionTitles,
    /** Names of a provider's headers that look like limits and have no reader; each connection sends all of them. */
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
      /** Last sequence number of this epoch that the app has received, stored or not; null for none. */
      haveSeq: Seq.nullable(),
      /** It accepts titles of sessions; an older app would end the connection. */
      takesTitles: z.literal(true).optional(),
      /**
       * It accepts limits from responses, and names of headers without a reader; an older app would end the connection.
       */
      takesHeadroom: z.literal(true).optional(),
      /** It accepts use of limits by our own count; an older app would end the connection. */
      takesCounted: z.literal(true).optional(),
      /** It accepts the kind `login`; an older app would end the connection. */
      takesLogin: z.literal(true).optional(),
      /**
       * It accepts `attempt.silent`, `attempt.answering` and `session.waiting`; an older app would end the connection.
       */
      takesWaiting: z.literal(true).optional(),
    }),
    /** The connection is about to close. */
    z.object({
      type: z.literal('refused'),
      code: z.enum(['auth', 'protocol', 'busy', 'invalid']),
      message: safeText(300),
    }),
    /** The app's view of every model's health, with the last included event of this peer; the peer returns `rev`. */
    z.object({ type: z.literal('sync'), seenSeq: Seq.nullable(), rev: Seq, sentAt: WallMs, health: SyncedHealth }),
    /** All events of this peer up to that number are on disk: the peer may drop them. */
    z.object({ type: z.literal('acknowledged'), seq: Seq }),
    z.object({ type: z.literal('lease.answer'), id: Id, granted: z.boolean() }),
    /** The user's act in the app on a turn that a companion holds. */
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

/** Parses one line with a schema. Returns a failure for an invalid line, and does not throw. */
function parseLine<T>(schema: z.ZodType<T>, line: string): Parsed<T> {
  const json = parseJson(line);
  if (json === undefined) return { ok: false, reason: 'not JSON' };
  const result = schema.safeParse(json);
  return result.success ? { ok: true, message: result.data } : { ok: false, reason: z.prettifyError(result.error) };
}

export const parsePeerMessage = (line: string): Parsed<PeerMessage> => parseLine(PeerMessage, line);
export const parseAppMessage = (line: string): Parsed<AppMessage> => parseLine(AppMessage, line);
