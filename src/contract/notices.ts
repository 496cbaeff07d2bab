import * as z from 'zod';
import { FAILURE_KINDS } from '../engine/names';
import { Near } from './headroom';
import { NOTICES } from './preferences';

const Count = z.int().nonnegative();
const WallMs = z.number();
const ModelId = z.string().min(3).max(300);

/** Figures for the sentences of a notice. */
const NoticeFigures = z.object({
  /** Number of models in a chain, or of retries in a session. */
  of: Count.optional(),
  turns: Count.optional(),
  fallbacks: Count.optional(),
  /** US dollars of a session; absent if nothing in it has a price. */
  cost: z.number().nonnegative().optional(),
  /** Price ratio, rounded. */
  times: z.number().nonnegative().optional(),
  /** Number of notices in a digest, of combined switches, of failed requests, or of used retries. */
  count: Count.optional(),
  /** Duration, in ms. */
  lastedMs: z.number().nonnegative().optional(),
  /** For a council: critical findings among `count`, ideas, and the cap in US dollars. */
  critical: Count.optional(),
  ideas: Count.optional(),
  /** 0 for a council to which no model contributed. */
  participants: Count.optional(),
  cap: z.number().nonnegative().optional(),
  /** Unix ms at which a limit is full at its pace. */
  fullAt: z.number().nonnegative().optional(),
});

const NoticeCouncil = z.object({
  run: z.string().max(60),
  /** The speaker whose fallback needs approval, and its failure; null without a question. */
  question: z.object({ id: z.string().max(40), speaker: z.string().max(300), failure: z.string().max(300) }).nullable(),
  /** Reason of the pause; null without one. */
  pause: z.enum(['cap', 'all_off']).nullable(),
});

/** One notice as plain fields; notice-words.ts formats them. It never contains prompts, paths or keys. */
export const NoticeRow = z.object({
  /** Grows across restarts; a digest has the id of its newest notice. */
  id: z.int().nonnegative(),
  /** Time of the event; the latest one if the notice grew. */
  at: WallMs,
  /** Id in the catalogue, or the digest of notices that quiet hours held back. */
  notice: z.enum([...NOTICES, 'digest']),
  /** Subject and episode: a notice replaces an earlier one with the same key. */
  key: z.string().min(1).max(500),
  /** The agents it concerns; some notices have none. */
  agents: z.array(z.string()),
  /** Last folder name of the project; null for several or none. */
  project: z.string().nullable(),
  session: z.string().nullable(),
  /** The model that was left, needs action, is unstable or is back. */
  model: ModelId.nullable(),
  /** The model that took over or, if all are unavailable, the first one back. */
  to: ModelId.nullable(),
  kind: z.enum(FAILURE_KINDS).nullable(),
  status: z.int().nullable(),
  /** Time at which the state ends by itself; null without one. */
  until: WallMs.nullable(),
  /** Version of the app, for an update. */
  version: z.string().max(80).nullable(),
  figures: NoticeFigures,
  /** The limit of a plan, or the one before which an agent moved; otherwise absent. */
  near: Near.optional(),
  /** Only for councils. */
  council: NoticeCouncil.optional(),
  /** With sound. */
  isLoud: z.boolean(),
  /** The state that it reports has ended. */
  isOver: z.boolean(),
  isRead: z.boolean(),
});
export type NoticeRow = z.infer<typeof NoticeRow>;

/** Longest page of notices. */
const PAGE_MAX = 200;

/** Result of showing a notice through the system. */
export const NoticeOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['shown', 'unsupported']) }),
  z.object({ kind: z.literal('failed'), why: z.string() }),
]);
export type NoticeOutcome = z.infer<typeof NoticeOutcome>;

/** Queries about notices. */
export const noticeQueries = {
  /** All notices, newest first, shown or not. */
  'notices.list': {
    input: z.object({ offset: Count, limit: z.int().min(1).max(PAGE_MAX) }),
    output: z.object({ rows: z.array(NoticeRow), total: Count, unread: Count }),
  },
  /** Marks everything up to this id as read. */
  'notices.read': { input: z.object({ upTo: Count }), output: z.object({ unread: Count }) },
  /** Shows a test notice; the shell reports whether the system showed it. */
  'notices.test': { input: z.object({}), output: NoticeOutcome },
} as const;

/** Instruction to a shell: show a notice, or remove the one with this key. */
export const NoticePush = z.discriminatedUnion('type', [
  z.object({ type: z.literal('show'), notice: NoticeRow }),
  z.object({ type: z.literal('withdraw'), key: z.string() }),
]);
export type NoticePush = z.infer<typeof NoticePush>;
