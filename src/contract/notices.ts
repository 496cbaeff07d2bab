import * as z from 'zod';
import { FAILURE_KINDS } from '../engine/names';
import { Near } from './headroom';
import { NOTICES } from './preferences';

const Count = z.int().nonnegative();
const WallMs = z.number();
const ModelId = z.string().min(3).max(300);

const NoticeFigures = z.object({
  /** Models in a chain, or retries in a session. */
  of: Count.optional(),
  turns: Count.optional(),
  fallbacks: Count.optional(),
  /** US dollars. */
  cost: z.number().nonnegative().optional(),
  /** Price ratio, rounded. */
  times: z.number().nonnegative().optional(),
  /** Notices, switches, failed requests, or used retries. */
  count: Count.optional(),
  lastedMs: z.number().nonnegative().optional(),
  /** Council findings, ideas, and the cap in US dollars. */
  critical: Count.optional(),
  ideas: Count.optional(),
  /** 0: no model contributed. */
  participants: Count.optional(),
  cap: z.number().nonnegative().optional(),
  /** Unix ms. */
  fullAt: z.number().nonnegative().optional(),
});

const NoticeCouncil = z.object({
  run: z.string().max(60),
  /** The speaker whose fallback needs approval. */
  question: z.object({ id: z.string().max(40), speaker: z.string().max(300), failure: z.string().max(300) }).nullable(),
  pause: z.enum(['cap', 'all_off']).nullable(),
});

/** Plain fields without prompts, paths or keys; notice-words.ts formats them. */
export const NoticeRow = z.object({
  /** A digest has its newest notice's id. */
  id: z.int().nonnegative(),
  /** Time of the latest event. */
  at: WallMs,
  notice: z.enum([...NOTICES, 'digest']),
  /** A notice replaces an earlier one with its key. */
  key: z.string().min(1).max(500),
  agents: z.array(z.string()),
  /** Null for several or none. */
  project: z.string().nullable(),
  session: z.string().nullable(),
  /** The model that was left, needs action, is unstable or is back. */
  model: ModelId.nullable(),
  /** If all are unavailable, the first one back. */
  to: ModelId.nullable(),
  kind: z.enum(FAILURE_KINDS).nullable(),
  status: z.int().nullable(),
  until: WallMs.nullable(),
  version: z.string().max(80).nullable(),
  figures: NoticeFigures,
  near: Near.optional(),
  council: NoticeCouncil.optional(),
  isLoud: z.boolean(),
  isOver: z.boolean(),
  isRead: z.boolean(),
});
export type NoticeRow = z.infer<typeof NoticeRow>;

const PAGE_MAX = 200;

export const NoticeOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['shown', 'unsupported']) }),
  z.object({ kind: z.literal('failed'), why: z.string() }),
]);
export type NoticeOutcome = z.infer<typeof NoticeOutcome>;

export const noticeQueries = {
  'notices.list': {
    input: z.object({ offset: Count, limit: z.int().min(1).max(PAGE_MAX) }),
    output: z.object({ rows: z.array(NoticeRow), total: Count, unread: Count }),
  },
  'notices.read': { input: z.object({ upTo: Count }), output: z.object({ unread: Count }) },
  'notices.test': { input: z.object({}), output: NoticeOutcome },
} as const;

export const NoticePush = z.discriminatedUnion('type', [
  z.object({ type: z.literal('show'), notice: NoticeRow }),
  z.object({ type: z.literal('withdraw'), key: z.string() }),
]);
export type NoticePush = z.infer<typeof NoticePush>;
