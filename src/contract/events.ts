import * as z from 'zod';
import { FAILURE_KINDS } from '../engine/names';
import { Step } from './config';
import { EventRow } from './snapshot';

const Count = z.int().nonnegative();
/** Unix ms within the range of calendar dates. */
const WallMs = z.number().min(0).max(8e15);
/** A name to search for, as in the events. */
const Name = z.string().min(1).max(300);

/** Filter of events; absent fields match all. */
export const EventFilter = z.object({
  /** Codes or their prefixes: `switch` also matches `switch.rate_limit`. */
  codes: z.array(z.string().min(1).max(80)).max(40).optional(),
  kinds: z.array(z.enum(FAILURE_KINDS)).optional(),
  agent: Name.optional(),
  /** The model that was left or took over. */
  model: Name.optional(),
  provider: Name.optional(),
  session: Name.optional(),
  /** The actor; `rules` for automatic decisions. */
  actor: Name.optional(),
  /** Text in codes, names and details, case-insensitive. */
  text: z.string().max(200).optional(),
  /** Unix ms; the end is exclusive. */
  sinceMs: WallMs.optional(),
  untilMs: WallMs.optional(),
});
export type EventFilter = z.infer<typeof EventFilter>;

/** Name of the rules among the actors. */
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
/** Number of events for each choice of a filter while the other filters stay; the largest first. */
export const EventCounts = z.object({
  /** By the prefix of the codes. */
  families: counted,
  codes: counted,
  kinds: counted,
  agents: counted,
  models: counted,
  providers: counted,
  actors: counted,
});
export type EventCounts = z.infer<typeof EventCounts>;

/** Longest page of events. */
const PAGE_MAX = 500;

/** Queries about events. */
export const eventQueries = {
  /**
   * Events newest first, between two exclusive ids. The log only grows: with `before`, positions are stable. A page
   * ends early if it would become too long for one answer.
   */
  'events.page': {
    input: z.object({
      filter: EventFilter.default({}),
      before: z.int().optional(),
      after: z.int().optional(),
      offset: Count.default(0),
      limit: z.int().min(0).max(PAGE_MAX).default(100),
      /** Omits the models that decisions considered, the largest part of an event. */
      isBrief: z.boolean().default(false),
    }),
    output: z.object({
      events: z.array(EventRow),
      /** Of all matching events, not only of this page. */
      total: Count,
      /** Number of the newest event; 0 without events. */
      newest: Count,
      kept: z.object({
        /** Time of the oldest event; null without events. */
        sinceMs: z.number().nullable(),
        /** False without a database on this computer: then only the last few hundred events are available. */
        isDurable: z.boolean(),
      }),
    }),
  },
  'events.counts': { input: z.object({ filter: EventFilter.default({}) }), output: EventCounts },
  /**
   * Explains a decision: every model it considered, and the rule in force for such a failure. By event, or by agent for
   * its latest decision; null if it is not stored.
   */
  'decision.explain': {
    input: z.union([z.object({ event: z.int() }), z.object({ session: z.string(), agent: z.string() })]),
    output: z
      .object({
        event: EventRow,
        /** The policy row in force; null if unknown. */
        rule: z.object({ kind: z.enum(FAILURE_KINDS), steps: z.array(Step) }).nullable(),
        /** The requests of the same turn, oldest first; empty if not stored. */
        asked: z.array(AskedModel),
        /** Read from the history and not from memory: the rule is today's. */
        isFromHistory: z.boolean(),
      })
      .nullable(),
  },
} as const;
