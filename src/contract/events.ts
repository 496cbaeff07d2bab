import * as z from 'zod';
import { FAILURE_KINDS } from '../engine/names';
import { Step } from './config';
import { EventRow } from './snapshot';

const Count = z.int().nonnegative();
const WallMs = z.number().min(0).max(8e15);
const Name = z.string().min(1).max(300);

/** Absent fields match all. */
export const EventFilter = z.object({
  /** Or prefixes: `switch` matches `switch.rate_limit`. */
  codes: z.array(z.string().min(1).max(80)).max(40).optional(),
  kinds: z.array(z.enum(FAILURE_KINDS)).optional(),
  agent: Name.optional(),
  /** Previous model or its replacement. */
  model: Name.optional(),
  provider: Name.optional(),
  session: Name.optional(),
  /** `rules` for automatic decisions. */
  actor: Name.optional(),
  /** Matches codes, names and details, case-insensitive. */
  text: z.string().max(200).optional(),
  /** End exclusive. */
  sinceMs: WallMs.optional(),
  untilMs: WallMs.optional(),
});
export type EventFilter = z.infer<typeof EventFilter>;

export const RULES_ACTOR = 'rules';

export const AskedModel = z.object({
  at: z.number(),
  model: z.string(),
  outcome: z.string(),
  kind: z.enum(FAILURE_KINDS).nullable(),
  status: z.int().nullable(),
  durationMs: z.number().nullable(),
});
export type AskedModel = z.infer<typeof AskedModel>;

const counted = z.array(z.object({ value: z.string(), count: Count }));
/** Number of events for each choice of one filter, with the other filters applied. */
export const EventCounts = z.object({
  families: counted,
  codes: counted,
  kinds: counted,
  agents: counted,
  models: counted,
  providers: counted,
  actors: counted,
});
export type EventCounts = z.infer<typeof EventCounts>;

const PAGE_MAX = 500;

export const eventQueries = {
  /**
   * Newest first, between two exclusive ids. The log only grows: with `before`, positions are stable. May end early to
   * fit one response.
   */
  'events.page': {
    input: z.object({
      filter: EventFilter.default({}),
      before: z.int().optional(),
      after: z.int().optional(),
      offset: Count.default(0),
      limit: z.int().min(0).max(PAGE_MAX).default(100),
      /** Omits the considered models, the largest part. */
      isBrief: z.boolean().default(false),
    }),
    output: z.object({
      events: z.array(EventRow),
      /** Of all matching events. */
      total: Count,
      /** 0 without events. */
      newest: Count,
      kept: z.object({
        sinceMs: z.number().nullable(),
        /** False without a database: then only the last few hundred events exist. */
        isDurable: z.boolean(),
      }),
    }),
  },
  'events.counts': { input: z.object({ filter: EventFilter.default({}) }), output: EventCounts },
  /** By event, or an agent's latest decision; null if not stored. */
  'decision.explain': {
    input: z.union([z.object({ event: z.int() }), z.object({ session: z.string(), agent: z.string() })]),
    output: z
      .object({
        event: EventRow,
        rule: z.object({ kind: z.enum(FAILURE_KINDS), steps: z.array(Step) }).nullable(),
        asked: z.array(AskedModel),
        /** If true, `rule` is the current one, not that of the event. */
        isFromHistory: z.boolean(),
      })
      .nullable(),
  },
} as const;
