import * as z from 'zod';
import { ConfigChanged } from './config';
import { CouncilAsk, CouncilTalk } from './council';
import { DrillAnswer, DrillAsk } from './drill';
import { CompanionEvent, RelayedAct } from './events';
import { SyncedHealth } from './health';
import { Count, WallMs } from './measures';
import { Directory, Id, ModelRef, parseJson, safeText } from './text';

/** Bump on any change an older peer cannot read; peers that differ attach read-only and say so. */
export const PROTOCOL_VERSION = 6;

/** Longest line either side accepts, in bytes. */
export const MAX_LINE_BYTES = 1_048_576;

/** Longest line the app sends to a viewer that says in its hello that it takes as much, in bytes: a snapshot grows with projects. */
export const VIEWER_LINE_BYTES = 16 * MAX_LINE_BYTES;

/** An unauthenticated peer is dropped after this long. */
export const HELLO_DEADLINE_MS = 2_000;

const Seq = z.int().nonnegative();

/** First line of every peer. `protocol` is any integer, so that a different one gets an answer instead of a parse error. */
export const Hello = z.lazy(() =>
  z.object({
    type: z.literal('hello'),
    protocol: z.int().nonnegative(),
    token: z.string().max(200),
    peer: z.discriminatedUnion('role', [
      z.object({
        role: z.literal('companion'),
        instance: Id,
        /** One life of the companion; sequence numbers count within it. */
        epoch: Id,
        pid: z.int().nonnegative(),
        opencode: safeText(50),
        plugin: safeText(50),
        /** Questions it takes that an older companion does not know, by their type; absent for none. */
        takes: z.array(safeText(40)).max(20).optional(),
      }),
      /** `lineBytes`: the longest line it takes; an older viewer does not say, and takes the usual. */
      z.object({ role: z.literal('viewer'), name: safeText(50), lineBytes: z.int().positive().optional() }),
    ]),
  }),
);
export type Hello = z.infer<typeof Hello>;

/** Sessions told of in one message. */
export const TITLES_MAX = 200;
/** Longest title that is told, in characters; what is longer is cut. */
export const TITLE_MAX_CHARS = 120;

const SessionTitles = z.lazy(() =>
  z.object({
    type: z.literal('session.titles'),
    directory: Directory,
    titles: z.array(z.object({ session: Id, title: safeText(TITLE_MAX_CHARS) })).max(TITLES_MAX),
  }),
);
export type SessionTitles = z.infer<typeof SessionTitles>;

/** Names of headers that are told of one provider. */
export const UNKNOWN_HEADERS_MAX = 20;
/** Longest name of a provider of whose headers is told. */
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
    /** Something happened `ageMs` before it was sent; older than zero when the app was away. */
    z.object({
      type: z.literal('event'),
      seq: Seq,
      ageMs: z.number().nonnegative(),
      sentAt: WallMs,
      /** How many events of this life the companion has forgotten that were never acknowledged; absent for none. */
      dropped: Count.optional(),
      event: CompanionEvent,
    }),
    /** The companion has taken the view of that `rev` in; one that is older than its own events it refuses in silence. */
    z.object({ type: z.literal('synced'), rev: Seq }),
    /** May the asker make the one probe of this model, which is due for it? */
    z.object({ type: z.literal('lease.request'), id: Id, model: ModelRef }),
    /**
     * What OpenCode calls sessions of a directory whose user lets that be shown. It is derived from what they wrote: no event,
     * so that neither side writes it down.
     */
    SessionTitles,
    /** Names of headers of a provider that sound like a limit and that nobody reads: each connection tells all that are known. */
    HeadersUnknown,
    DrillAnswer,
    CouncilTalk,
    /** A viewer's question; names and inputs are the panel contract's. */
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
      /** Last sequence number of this epoch that the app has heard, on its disk or not yet; null when it knows none. */
      haveSeq: Seq.nullable(),
      /** It takes titles of sessions; an older app would end the connection. */
      takesTitles: z.literal(true).optional(),
      /** It takes what responses say of limits, and names of headers that nobody reads; an older app would end the connection. */
      takesHeadroom: z.literal(true).optional(),
      /** It takes how full limits are by our own count; an older app would end the connection. */
      takesCounted: z.literal(true).optional(),
      /** It knows the kind `login`; an older app would end the connection. */
      takesLogin: z.literal(true).optional(),
      /** It takes `attempt.silent`, `attempt.answering` and `session.waiting`; an older app would end the connection. */
      takesWaiting: z.literal(true).optional(),
    }),
    /** The connection ends: said before it is closed. */
    z.object({
      type: z.literal('refused'),
      code: z.enum(['auth', 'protocol', 'busy', 'invalid']),
      message: safeText(300),
    }),
    /** The app's view of every model's health, with the last event of this peer that it includes; `rev` is said back. */
    z.object({ type: z.literal('sync'), seenSeq: Seq.nullable(), rev: Seq, sentAt: WallMs, health: SyncedHealth }),
    /** Every event of this peer up to that number is written to the disk: it need not be kept for the app any more. */
    z.object({ type: z.literal('acknowledged'), seq: Seq }),
    z.object({ type: z.literal('lease.answer'), id: Id, granted: z.boolean() }),
    /** A person acted in the app on a turn that a companion holds. */
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

/** Reads one line against a schema. Anything unreadable is a value, not an exception. */
function parseLine<T>(schema: z.ZodType<T>, line: string): Parsed<T> {
  const json = parseJson(line);
  if (json === undefined) return { ok: false, reason: 'not JSON' };
  const result = schema.safeParse(json);
  return result.success ? { ok: true, message: result.data } : { ok: false, reason: z.prettifyError(result.error) };
}

export const parsePeerMessage = (line: string): Parsed<PeerMessage> => parseLine(PeerMessage, line);
export const parseAppMessage = (line: string): Parsed<AppMessage> => parseLine(AppMessage, line);
