import * as z from 'zod';
import { FAILURE_KINDS } from '../engine/names';
import { Near } from './headroom';
import { NOTICES } from './preferences';

const Count = z.int().nonnegative();
const WallMs = z.number();
const ModelId = z.string().min(3).max(300);

/** Figures of a notice; only those its sentences need. */
const NoticeFigures = z.object({
  /** How many models a chain has, or retries a session. */
  of: Count.optional(),
  turns: Count.optional(),
  fallbacks: Count.optional(),
  /** US dollars of a session; absent when nothing of it has a price. */
  cost: z.number().nonnegative().optional(),
  /** How many times as dear, rounded. */
  times: z.number().nonnegative().optional(),
  /** How many notices a digest gathers, switches came together, requests failed, or retries were used. */
  count: Count.optional(),
  /** How long it lasted, in ms. */
  lastedMs: z.number().nonnegative().optional(),
  /** Of a council: what is critical among what `count` it found, ideas, and US dollars at which it pauses. */
  critical: Count.optional(),
  ideas: Count.optional(),
  /** Of a council to which no model contributed: 0. */
  participants: Count.optional(),
  cap: z.number().nonnegative().optional(),
  /** When a limit is full at its pace, Unix ms. */
  fullAt: z.number().nonnegative().optional(),
});

const NoticeCouncil = z.object({
  run: z.string().max(60),
  /** Whose fallback it asks about, and how that speaker failed; null where it asks nothing. */
  question: z.object({ id: z.string().max(40), speaker: z.string().max(300), failure: z.string().max(300) }).nullable(),
  /** Why it waits; null where it does not. */
  pause: z.enum(['cap', 'all_off']).nullable(),
});

/** One notice, with plain fields; notice-words.ts turns it into sentences. No prompt, no path, no key is ever in it. */
export const NoticeRow = z.object({
  /** Grows over all lives; a digest has that of the newest it gathers. */
  id: z.int().nonnegative(),
  /** When it happened; of one that grew, when it last did. */
  at: WallMs,
  /** Which of the catalogue, or the digest of what quiet hours held back. */
  notice: z.enum([...NOTICES, 'digest']),
  /** Names what it is about and the episode: whatever comes under the same key takes the place of the one before. */
  key: z.string().min(1).max(500),
  /** Whom it is about; of some notices nobody. */
  agents: z.array(z.string()),
  /** Last folder name of the project; null where several or none are meant. */
  project: z.string().nullable(),
  session: z.string().nullable(),
  /** The model it is about: the one that was left, that needs somebody, that is unstable, or that is back. */
  model: ModelId.nullable(),
  /** The model that took over, or, where nobody is left, the first one back. */
  to: ModelId.nullable(),
  kind: z.enum(FAILURE_KINDS).nullable(),
  status: z.int().nullable(),
  /** When the state that it tells of ends by itself; null when no clock ends it. */
  until: WallMs.nullable(),
  /** Of the app, for an update. */
  version: z.string().max(80).nullable(),
  figures: NoticeFigures,
  /** The limit it is about: that of a plan, or the one before which an agent moved; absent of all others. */
  near: Near.optional(),
  /** Absent of all that is not about a council. */
  council: NoticeCouncil.optional(),
  /** With a sound, and not to be overlooked. */
  isLoud: z.boolean(),
  /** What it tells of has ended. */
  isOver: z.boolean(),
  isRead: z.boolean(),
});
export type NoticeRow = z.infer<typeof NoticeRow>;

/** Longest page of notices. */
const PAGE_MAX = 200;

/** What became of a notice that was handed to the system. */
export const NoticeOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['shown', 'unsupported']) }),
  z.object({ kind: z.literal('failed'), why: z.string() }),
]);
export type NoticeOutcome = z.infer<typeof NoticeOutcome>;

/** The questions about what there was to tell. */
export const noticeQueries = {
  /** What was told or would have been, newest first, whether or not it was shown. */
  'notices.list': {
    input: z.object({ offset: Count, limit: z.int().min(1).max(PAGE_MAX) }),
    output: z.object({ rows: z.array(NoticeRow), total: Count, unread: Count }),
  },
  /** Everything up to this id has been read. */
  'notices.read': { input: z.object({ upTo: Count }), output: z.object({ unread: Count }) },
  /** Shows a notice of no meaning; the shell answers whether the system did. */
  'notices.test': { input: z.object({}), output: NoticeOutcome },
} as const;

/** What whoever shows notices has to do: show one, or take away what is still shown under a key. */
export const NoticePush = z.discriminatedUnion('type', [
  z.object({ type: z.literal('show'), notice: NoticeRow }),
  z.object({ type: z.literal('withdraw'), key: z.string() }),
]);
export type NoticePush = z.infer<typeof NoticePush>;
