import * as z from 'zod';
import { FAILURE_KINDS } from '../engine/names';
import { StateSince } from './snapshot';

const Count = z.int().nonnegative();
const WallMs = z.number();
const SessionId = z.string().max(200);
const Position = Count.nullable();
/** US dollars; null where nothing has a price. */
const Dollars = z.number().nonnegative().nullable();

/** Where an attempt is. `inFlight` until its end is known. */
export const ATTEMPT_OUTCOMES = ['inFlight', 'success', 'slow', 'failure', 'limited', 'neutral'] as const;

/** What became of a session so far, the most urgent first: `lost` has a turn that nobody finished. */
export const SESSION_OUTCOMES = ['working', 'lost', 'saved', 'answered', 'quiet'] as const;

/** One conversation with its sub-agents, in figures. The figures are those of its scorecard. */
export const SessionEntry = z.object({
  session: z.string(),
  project: z.string(),
  /** What OpenCode calls it; null where that is not known, or the user does not let it be shown. */
  title: z.string().nullable().default(null),
  /** The model it asked first; null where nobody remembers. */
  firstModel: z.string().nullable().default(null),
  /** Who has spoken in it, by name. */
  agents: z.array(z.string()),
  /** Of the first thing that is known of it; null where nobody remembers. */
  since: WallMs.nullable(),
  /** Of the last. */
  until: WallMs,
  isLive: z.boolean(),
  outcome: z.enum(SESSION_OUTCOMES),
  turns: Count,
  answered: Count,
  lost: Count,
  /** Turns that an understudy finished, whether the lead failed first or was out. */
  saved: Count,
  attempts: Count,
  switches: Count,
  cost: Dollars,
  /** The part of the usage reports, from 0 to 1, that has a price; null without a report. */
  pricedShare: z.number().min(0).max(1).nullable(),
});
export type SessionEntry = z.infer<typeof SessionEntry>;

const ListCursor = z.object({ at: WallMs, session: SessionId });

/** One request to a model, or several in a row that the same model answered. No prompt, no answer, nothing a provider said. */
const TimelineAttempt = z.object({
  model: z.string(),
  position: Position,
  outcome: z.enum(ATTEMPT_OUTCOMES),
  kind: z.enum(FAILURE_KINDS).nullable(),
  status: z.int().nullable(),
  requests: z.int().positive(),
  at: WallMs,
  /** Of the end of the last request; null while it is not known. */
  until: WallMs.nullable(),
  /** Spent in the requests, in ms. */
  durationMs: z.number().nonnegative().nullable(),
  /** From the first request to its first token, in ms. */
  firstTokenMs: z.number().nonnegative().nullable(),
  /** All kinds together; null where none were reported. */
  tokens: Count.nullable(),
  cost: Dollars,
  /** Number of the event that says what was decided about it; null where it is no longer remembered. */
  event: Count.nullable(),
});
export type TimelineAttempt = z.infer<typeof TimelineAttempt>;

/** One message to an agent, and who tried to answer it, in order. */
export const TimelineTurn = z.object({
  /** Counts the turns of the conversation, from 1. */
  number: z.int().positive(),
  turn: z.string(),
  agent: z.string(),
  isSubAgent: z.boolean(),
  at: WallMs,
  outcome: z.enum(['open', 'answered', 'lost', 'stopped']),
  /** Whether anything failed in it, or anybody but the lead spoke. */
  isTroubled: z.boolean(),
  attempts: z.array(TimelineAttempt),
  /** Attempts that are left out, because there are too many to show. */
  hidden: Count,
});
export type TimelineTurn = z.infer<typeof TimelineTurn>;

/** All of a session on one axis of time: where its turns lie, what its models went through, and what people did to them. */
export const TimelineAxis = z.object({
  /** Of its first request, and of the last thing that is known of its turns; now while one is open. */
  since: WallMs,
  until: WallMs,
  /** Where turns begin, oldest first; of a long session several in one place. */
  marks: z.array(z.object({ at: WallMs, turns: z.int().positive(), troubled: Count })),
  /** In the order in which they were first asked. */
  models: z.array(
    z.object({
      model: z.string(),
      /** Its own number, from 0: hue and pattern of it are the same everywhere. */
      slot: Count,
      /** From `since` on, oldest first; what was before the first is not known. */
      states: z.array(StateSince),
    }),
  ),
  /** People had models asked again; `model` is null where all of a provider, or all, were meant. */
  resets: z.array(
    z.object({ at: WallMs, event: Count, model: z.string().nullable(), provider: z.string().nullable() }),
  ),
});
export type TimelineAxis = z.infer<typeof TimelineAxis>;

/** The questions about sessions. */
export const sessionQueries = {
  /** Sessions, those that go on first, then the newest; `search` is a part of a project, title, session, agent or model. */
  'sessions.list': {
    input: z.object({
      search: z.string().max(100).default(''),
      /** What `next` said; those that go on are on the first page alone. */
      before: ListCursor.nullable().default(null),
      limit: z.int().min(1).max(100).default(50),
    }),
    output: z.object({ entries: z.array(SessionEntry), next: ListCursor.nullable(), total: Count }),
  },
  /**
   * What was tried for each message of a session and its sub-agents, oldest first, and the axis all of it lies on. A session
   * nobody knows has no entry.
   */
  'sessions.timeline': {
    input: z.object({
      session: SessionId,
      /** Turns after this number. */
      after: Count.nullable().default(null),
      limit: z.int().min(1).max(50).default(50),
      isTroubleOnly: z.boolean().default(false),
      /** Turns that were under way in this time alone, Unix ms. */
      within: z.object({ since: WallMs, until: WallMs }).nullable().default(null),
      isAxisWanted: z.boolean().default(true),
    }),
    output: z.object({
      entry: SessionEntry.nullable(),
      turns: z.array(TimelineTurn),
      /** Of all turns, and of those with trouble. */
      total: Count,
      troubled: Count,
      /** Of those that fit. */
      found: Count.default(0),
      /** Null where nothing was asked, or nobody wants it. */
      axis: TimelineAxis.nullable().default(null),
      /** What `after` is for the next page; null on the last. */
      next: z.int().positive().nullable(),
    }),
  },
} as const;
