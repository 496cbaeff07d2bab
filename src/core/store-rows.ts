import type { EventRow } from '../contract';
import type { FailureKind } from '../engine';
import type { CellRow, OpenPart } from '../engine/scorecard';
import type { AttemptExport } from './scorecard/csv';

/** Where an attempt is. `inFlight` until its end is known. */
export const OUTCOMES = ['inFlight', 'success', 'slow', 'failure', 'limited', 'neutral'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Who spoke: `position` is the place of the model in the agent's chain, null outside of one. */
type Speaker = Readonly<{ session: string; turn: string; agent: string; model: string; position: number | null }>;
type Purpose = 'turn' | 'internal';

/** One change of what is stored. Times are Unix ms, durations ms. No prompts, no answers, no keys. */
export type StoreRow =
  | Readonly<{ type: 'session.seen'; session: string; parent: string | null; project: string; at: number }>
  | (Speaker & Readonly<{ type: 'attempt.started'; attempt: string; purpose: Purpose; at: number }>)
  | Readonly<{
      type: 'attempt.ended';
      attempt: string;
      outcome: Exclude<Outcome, 'inFlight'>;
      kind: FailureKind | null;
      status: number | null;
      /** Redacted, at most 200 characters. */
      message: string | null;
      durationMs: number | null;
      firstTokenMs: number | null;
    }>
  /** Whatever a session still asked has no answer any more. */
  | Readonly<{ type: 'session.rested'; session: string }>
  | (Omit<Speaker, 'model'> &
      Readonly<{
        type: 'switched';
        from: string;
        to: string;
        kind: FailureKind | null;
        code: string;
        at: number;
      }>)
  | Readonly<{ type: 'switch.carried'; turn: string; from: string; ok: boolean; durationMs: number }>
  | (Speaker &
      Readonly<{
        type: 'used';
        purpose: Purpose;
        input: number;
        output: number;
        reasoning: number;
        cacheRead: number;
        cacheWrite: number;
        /** Billionths of a US dollar; null without a price. */
        costNanos: number | null;
        at: number;
      }>)
  | Readonly<{ type: 'event'; row: EventRow }>;

/** What is written together, or not at all. */
export type StoreBatch = Readonly<{
  /** Number of the last log record these changes come from. */
  cursor: number;
  rows: readonly StoreRow[];
  /** Figures that changed; each replaces what is stored of the same hour, model and session. */
  cells: readonly CellRow[];
  /** What the scorecard is continued with. */
  open: OpenPart;
}>;

/** What is stored of the scorecard. */
export type StoredCard = Readonly<{ open: OpenPart; cells: readonly CellRow[] }>;

/** Which figures are wanted. Hours count from 1970; `untilHour` is not included. */
export type FiguresQuery = Readonly<{
  session?: string;
  sinceHour?: number;
  untilHour?: number;
  /** Whole days will do where they lie within the range: their figures then stand in their first hour. */
  isByDay?: boolean;
}>;

/** Unix ms; `untilMs` is not included. */
export type TimeQuery = Readonly<{ sinceMs: number; untilMs: number }>;
export type AttemptsQuery = TimeQuery & Readonly<{ sessions?: readonly string[] }>;

/** Where history is kept. Reads see what is already in the file; what cannot be read is as good as not there. */
export type Store = Readonly<{
  /** Number of the last log record that is stored; 0 for none. */
  cursor: number;
  /** Null when there is none. */
  card: StoredCard | null;
  /** Takes a batch; written soon, never waited for. */
  write(batch: StoreBatch): void;
  figures(query: FiguresQuery): readonly CellRow[];
  /** Changes of the states of models, oldest first; the latest thousand of the range. */
  transitions(query: TimeQuery): readonly EventRow[];
  /** Attempts of these sessions, or of all, oldest first. @throws what the database says: half an export is none. */
  attempts(query: AttemptsQuery): Iterable<AttemptExport>;
}>;
