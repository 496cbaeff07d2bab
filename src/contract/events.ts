import * as z from 'zod';
import { FAILURE_KINDS } from '../engine/names';
import { Step } from './config';
import { EventRow } from './snapshot';

const Count = z.int().nonnegative();
/** Unix ms, of a moment that any calendar can name. */
const WallMs = z.number().min(0).max(8e15);
/** A name somebody looks for, as the events have it. */
const Name = z.string().min(1).max(300);

/** Which events are wanted; what is left out does not matter. */
export const EventFilter = z.object({
  /** Codes or what they begin with: `switch` stands for `switch.rate_limit` too. */
  codes: z.array(z.string().min(1).max(80)).max(40).optional(),
  kinds: z.array(z.enum(FAILURE_KINDS)).optional(),
  agent: Name.optional(),
  /** Whether it was left or took over. */
  model: Name.optional(),
  provider: Name.optional(),
  session: Name.optional(),
  /** Who did it; `rules` for what nobody did. */
  actor: Name.optional(),
  /** Stands somewhere in the codes, names and details, in whatever case. */
  text: z.string().max(200).optional(),
  /** Unix ms; the end is not included. */
  sinceMs: WallMs.optional(),
  untilMs: WallMs.optional(),
});
export type EventFilter = z.infer<typeof EventFilter>;

/** How the rules, where nobody acted, are named among those who act. */
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
/** How many events each choice of a filter has while the other filters stay; the most first. */
export const EventCounts = z.object({
  /** By what codes begin with. */
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

/** The questions about what happened. */
export const eventQueries = {
  /**
   * Events newest first, between two of them, neither included. The log only grows: with `before`, places stay as they
   * are. A page ends early rather than become too long for one answer.
   */
  'events.page': {
    input: z.object({
      filter: EventFilter.default({}),
      before: z.int().optional(),
      after: z.int().optional(),
      offset: Count.default(0),
      limit: z.int().min(0).max(PAGE_MAX).default(100),
      /** Without the models that decisions considered: those make most of an event. */
      isBrief: z.boolean().default(false),
    }),
    output: z.object({
      events: z.array(EventRow),
      /** Of all that fit, not only of this page. */
      total: Count,
      /** Number of the newest event there is; 0 when there is none. */
      newest: Count,
      kept: z.object({
        /** Of the oldest event; null when there is none. */
        sinceMs: z.number().nullable(),
        /** False where this computer has no database: then only the last few hundred are known. */
        isDurable: z.boolean(),
      }),
    }),
  },
  'events.counts': { input: z.object({ filter: EventFilter.default({}) }), output: EventCounts },
  /**
   * Why something was decided: the decision with every model it considered, and the rule in force for such a failure.
   * Asked by event, or by agent for its latest decision; null when nothing of it is kept.
   */
  'decision.explain': {
    input: z.union([z.object({ event: z.int() }), z.object({ session: z.string(), agent: z.string() })]),
    output: z
      .object({
        event: EventRow,
        /** The row of the policy in force; null where nobody knows it. */
        rule: z.object({ kind: z.enum(FAILURE_KINDS), steps: z.array(Step) }).nullable(),
        /** What was asked in the same turn, oldest first; empty where that is not kept. */
        asked: z.array(AskedModel),
        /** Not remembered any more but read from the history: the rule is today's. */
        isFromHistory: z.boolean(),
      })
      .nullable(),
  },
} as const;
