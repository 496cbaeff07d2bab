import type { Triage } from '../../core/config';
import { attemptsIn, createBooks } from '../../core/history/books';
import { rowsOf } from '../../core/history/event-rows';
import { createHistory, NO_ARCHIVE, rowsIn } from '../../core/history/history';
import { createKeptAttempts } from '../../core/history/kept-attempts';
import type { Clock } from '../../core/ports/ports';
import { createScorecardDesk } from '../../core/scorecard/desk';
import type { EngineEvent, EngineState, Step } from '../../engine';
import { alertAt } from '../../engine/scorecard';
import type { Environment } from '../../node/base/state-home';
import { notWritten, writeReport } from '../../node/data/session-reports';
import type { Noted } from '../../protocol';

export type ReportParts = Readonly<{
  version: string;
  env: Environment;
  schedule: Clock['schedule'];
  hasApp(): boolean;
  warn(message: string): void;
}>;

/** `step` is null if the engine does not process the event. */
export type Counted =
  | Readonly<{ step: Step; event: EngineEvent; state: EngineState; now: number; wall: number }>
  | Readonly<{ step: null; event: Noted; state: EngineState; wall: number }>;

export type ReportWriter = Readonly<{
  take(counted: readonly Counted[]): void;
  write(wanted: Readonly<{ session: string; directory: string; triage: Triage }>): Promise<void>;
}>;

export function openReportWriter(clock: Clock, { version, env, warn }: ReportParts): ReportWriter {
  const attempts = createKeptAttempts();
  const books = createBooks(clock, attempts);
  const history = createHistory(NO_ARCHIVE);
  const desk = createScorecardDesk({
    version,
    wall: clock.wall,
    alert: () => alertAt(books.card(), clock.wall()),
    figures: books.figuresByDay,
    events: (range) => rowsIn(range, history.rows(), null),
    attempts: (range) => attempts.attempts(attemptsIn(range, books.familyOf)),
    refused: (range) => attempts.refused(attemptsIn(range, books.familyOf)),
  });
  let hasWarned = false;
  return {
    take(counted) {
      for (const each of counted) {
        const { state, wall } = each;
        if (each.step === null) {
          books.note(each.event, { state, wall });
          continue;
        }
        const { step, event, now } = each;
        const wallOf = (engineMs: number): number => Math.round(wall + engineMs - now);
        books.take(event, step, { state, wall, now, wallOf });
        for (const row of rowsOf(step, { state, now, wallOf })) history.note(row, wall);
      }
      books.flush();
    },
    async write(wanted) {
      const outcome = await writeReport(desk, wanted, env);
      if (!outcome.ok && !hasWarned) warn(notWritten(outcome.reason));
      hasWarned ||= !outcome.ok;
    },
  };
}
