import * as z from 'zod';
import { FAILURE_KINDS } from '../engine/names';
import { StateSince } from './snapshot';

const Count = z.int().nonnegative();
const WallMs = z.number();
const SessionId = z.string().max(200);
const Position = Count.nullable();
/** US dollars; null without a price. */
const Dollars = z.number().nonnegative().nullable();

/** `inFlight` until the end is reported. */
export const ATTEMPT_OUTCOMES = ['inFlight', 'success', 'slow', 'failure', 'limited', 'neutral'] as const;

/** Most urgent first; `lost` has a turn that no model finished. */
export const SESSION_OUTCOMES = ['working', 'lost', 'saved', 'answered', 'quiet'] as const;

/** One conversation with its sub-agents. */
export const SessionEntry = z.object({
  session: z.string(),
  project: z.string(),
  /** Null if unknown or not allowed by the user. */
  title: z.string().nullable().default(null),
  /** First model called; null if not stored. */
  firstModel: z.string().nullable().default(null),
  agents: z.array(z.string()),
  /** First event; null if not stored. */
  since: WallMs.nullable(),
  /** Last event. */
  until: WallMs,
  isLive: z.boolean(),
  outcome: z.enum(SESSION_OUTCOMES),
  turns: Count,
  answered: Count,
  lost: Count,
  /** Turns that a fallback model finished after the primary failed or while it was unavailable. */
  saved: Count,
  attempts: Count,
  switches: Count,
  cost: Dollars,
  /** Part of the usage reports with a price; null without reports. */
  pricedShare: z.number().min(0).max(1).nullable(),
});
export type SessionEntry = z.infer<typeof SessionEntry>;

const ListCursor = z.object({ at: WallMs, session: SessionId });

/** One request, or several in a row that the same model answered. Contains no prompt, answer or provider message. */
const TimelineAttempt = z.object({
  model: z.string(),
  position: Position,
  outcome: z.enum(ATTEMPT_OUTCOMES),
  kind: z.enum(FAILURE_KINDS).nullable(),
  status: z.int().nullable(),
  requests: z.int().positive(),
  at: WallMs,
  /** End of the last request; null while unknown. */
  until: WallMs.nullable(),
  /** Of all requests, in ms. */
  durationMs: z.number().nonnegative().nullable(),
  /** From the first request to its first token, in ms. */
  firstTokenMs: z.number().nonnegative().nullable(),
  /** All kinds; null if not reported. */
  tokens: Count.nullable(),
  cost: Dollars,
  /** Event with its decision; null if no longer stored. */
  event: Count.nullable(),
});
export type TimelineAttempt = z.infer<typeof TimelineAttempt>;

/** One message to an agent and its attempts, in order. */
export const TimelineTurn = z.object({
  /** Number in the conversation, from 1. */
  number: z.int().positive(),
  turn: z.string(),
  agent: z.string(),
  isSubAgent: z.boolean(),
  at: WallMs,
  outcome: z.enum(['open', 'answered', 'lost', 'stopped']),
  /** It had a failure or used a fallback model. */
  isTroubled: z.boolean(),
  attempts: z.array(TimelineAttempt),
  /** Number of omitted attempts. */
  hidden: Count,
});
export type TimelineTurn = z.infer<typeof TimelineTurn>;

/** A session on one time axis. */
export const TimelineAxis = z.object({
  /** From the first request to the last event of its turns; now while one is open. */
  since: WallMs,
  until: WallMs,
  /** Starts of turns, oldest first; a long session groups several. */
  marks: z.array(z.object({ at: WallMs, turns: z.int().positive(), troubled: Count })),
  /** In the order of their first request. */
  models: z.array(
    z.object({
      model: z.string(),
      /** Selects hue and pattern everywhere. */
      slot: Count,
      /** Oldest first; states before `since` are unknown. */
      states: z.array(StateSince),
    }),
  ),
  /** The user's resets; a null `model` means all of a provider, or all models. */
  resets: z.array(
    z.object({ at: WallMs, event: Count, model: z.string().nullable(), provider: z.string().nullable() }),
  ),
});
export type TimelineAxis = z.infer<typeof TimelineAxis>;

export const sessionQueries = {
  /** Live sessions first, then the newest; `search` matches part of a project, title, session, agent or model. */
  'sessions.list': {
    input: z.object({
      search: z.string().max(100).default(''),
      /** `next` of the previous page; only the first page has live sessions. */
      before: ListCursor.nullable().default(null),
      limit: z.int().min(1).max(100).default(50),
    }),
    output: z.object({ entries: z.array(SessionEntry), next: ListCursor.nullable(), total: Count }),
  },
  /** Attempts for each message of a session and its sub-agents, oldest first. */
  'sessions.timeline': {
    input: z.object({
      session: SessionId,
      /** Turns after this number. */
      after: Count.nullable().default(null),
      limit: z.int().min(1).max(50).default(50),
      isTroubleOnly: z.boolean().default(false),
      /** Turns open during this time, Unix ms. */
      within: z.object({ since: WallMs, until: WallMs }).nullable().default(null),
      isAxisWanted: z.boolean().default(true),
    }),
    output: z.object({
      entry: SessionEntry.nullable(),
      turns: z.array(TimelineTurn),
      /** All turns, and those with trouble. */
      total: Count,
      troubled: Count,
      /** Number of matches. */
      found: Count.default(0),
      axis: TimelineAxis.nullable().default(null),
      /** `after` of the next page. */
      next: z.int().positive().nullable(),
    }),
  },
} as const;
