import * as z from 'zod';
import { FAILURE_KINDS } from '../engine/names';
import { StateSince } from './snapshot';

const Count = z.int().nonnegative();
const WallMs = z.number();
const SessionId = z.string().max(200);
const Position = Count.nullable();
/** US dollars. */
const Dollars = z.number().nonnegative().nullable();

/** `inFlight` until the end is reported. */
export const ATTEMPT_OUTCOMES = ['inFlight', 'success', 'slow', 'failure', 'limited', 'neutral'] as const;

/** Most urgent first; no model finished a `lost` turn. */
export const SESSION_OUTCOMES = ['working', 'lost', 'saved', 'answered', 'quiet'] as const;

/** Includes sub-agents. */
export const SessionEntry = z.object({
  session: z.string(),
  project: z.string(),
  /** Only if the user allows it. */
  title: z.string().nullable().default(null),
  firstModel: z.string().nullable().default(null),
  agents: z.array(z.string()),
  /** Null if not stored. */
  since: WallMs.nullable(),
  until: WallMs,
  isLive: z.boolean(),
  outcome: z.enum(SESSION_OUTCOMES),
  turns: Count,
  answered: Count,
  lost: Count,
  /** Turns that a fallback model finished. */
  saved: Count,
  attempts: Count,
  switches: Count,
  cost: Dollars,
  /** Part of the reports with a price. */
  pricedShare: z.number().min(0).max(1).nullable(),
});
export type SessionEntry = z.infer<typeof SessionEntry>;

const ListCursor = z.object({ at: WallMs, session: SessionId });

/** One request, or several in a row to one model. Contains no texts. */
const TimelineAttempt = z.object({
  model: z.string(),
  position: Position,
  outcome: z.enum(ATTEMPT_OUTCOMES),
  kind: z.enum(FAILURE_KINDS).nullable(),
  status: z.int().nullable(),
  requests: z.int().positive(),
  at: WallMs,
  /** Null while unknown. */
  until: WallMs.nullable(),
  /** Of all requests. */
  durationMs: z.number().nonnegative().nullable(),
  /** Time from the first request to its first token. */
  firstTokenMs: z.number().nonnegative().nullable(),
  tokens: Count.nullable(),
  cost: Dollars,
  /** Id of the event with its decision; null if no longer stored. */
  event: Count.nullable(),
});
export type TimelineAttempt = z.infer<typeof TimelineAttempt>;

export const TimelineTurn = z.object({
  /** Counts from 1 in the conversation. */
  number: z.int().positive(),
  turn: z.string(),
  agent: z.string(),
  isSubAgent: z.boolean(),
  at: WallMs,
  outcome: z.enum(['open', 'answered', 'lost', 'stopped']),
  /** Had a failure or a fallback model. */
  isTroubled: z.boolean(),
  attempts: z.array(TimelineAttempt),
  hidden: Count,
});
export type TimelineTurn = z.infer<typeof TimelineTurn>;

export const TimelineAxis = z.object({
  /** First request to last event; now while a turn is open. */
  since: WallMs,
  until: WallMs,
  /** Oldest first; long sessions group turns. */
  marks: z.array(z.object({ at: WallMs, turns: z.int().positive(), troubled: Count })),
  models: z.array(
    z.object({
      model: z.string(),
      /** Selects hue and pattern everywhere. */
      slot: Count,
      /** States before `since` are unknown. */
      states: z.array(StateSince),
    }),
  ),
  /** By the user; a null `model` means all of a provider, or all. */
  resets: z.array(
    z.object({ at: WallMs, event: Count, model: z.string().nullable(), provider: z.string().nullable() }),
  ),
});
export type TimelineAxis = z.infer<typeof TimelineAxis>;

export const sessionQueries = {
  /** Live first, then newest; `search` matches parts of names. */
  'sessions.list': {
    input: z.object({
      search: z.string().max(100).default(''),
      /** Only the first page has live sessions. */
      before: ListCursor.nullable().default(null),
      limit: z.int().min(1).max(100).default(50),
    }),
    output: z.object({ entries: z.array(SessionEntry), next: ListCursor.nullable(), total: Count }),
  },
  /** Oldest first, with sub-agents. */
  'sessions.timeline': {
    input: z.object({
      session: SessionId,
      after: Count.nullable().default(null),
      limit: z.int().min(1).max(50).default(50),
      isTroubleOnly: z.boolean().default(false),
      /** Turns that were open during this time, Unix ms. */
      within: z.object({ since: WallMs, until: WallMs }).nullable().default(null),
      isAxisWanted: z.boolean().default(true),
    }),
    output: z.object({
      entry: SessionEntry.nullable(),
      turns: z.array(TimelineTurn),
      total: Count,
      troubled: Count,
      found: Count.default(0),
      axis: TimelineAxis.nullable().default(null),
      next: z.int().positive().nullable(),
    }),
  },
} as const;
