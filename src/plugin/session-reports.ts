import type { Triage } from '../core/config';
import { attemptsIn, createBooks } from '../core/history/books';
import { rowsOf } from '../core/history/event-rows';
import { createHistory, NO_ARCHIVE, rowsIn } from '../core/history/history';
import { createKeptAttempts } from '../core/history/kept-attempts';
import { createSessionEnds } from '../core/history/session-ends';
import type { Clock } from '../core/ports/ports';
import { createScorecardDesk } from '../core/scorecard/desk';
import type { EngineEvent, EngineState, Step } from '../engine';
import { alertAt } from '../engine/scorecard';
import { machineUptime } from '../node/base/clock';
import type { Environment } from '../node/base/state-home';
import { notWritten, writeReport } from '../node/data/session-reports';
import { isNoted } from '../protocol';
import type { Brain } from './brain';

/** How long what happened may wait to be counted with more of it, in ms. */
const BATCH_MS = 50;

/** Reports of sessions that end while no app is there to write them. */
export type SessionReports = Readonly<{
  /** What a directory's configuration wants from now on; null for nothing. */
  follow(directory: string, triage: Triage | null): void;
  /** This OpenCode leaves a directory: its sessions end. Resolves when their reports are written. Never rejects. */
  leave(directory: string): Promise<void>;
}>;

export type ReportParts = Readonly<{
  version: string;
  env: Environment;
  schedule: Clock['schedule'];
  /** Whether an app hears of this process: then it is the one that writes. */
  hasApp(): boolean;
  /** Hears, once, that reports cannot be written. */
  warn(message: string): void;
}>;

type Heard = Readonly<{ step: Step; event: EngineEvent; state: EngineState; now: number; wall: number }>;

/** Counts what happens in this process as the app would, where a directory wants reports. */
export function openSessionReports(brain: Brain, parts: ReportParts): SessionReports {
  const { version, env, hasApp, warn } = parts;
  const clock: Clock = { now: brain.now, wall: Date.now, uptime: machineUptime, schedule: parts.schedule };
  const triages = new Map<string, Triage>();
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
  const waiting: Heard[] = [];
  let cancel: (() => void) | null = null;
  let writing: Promise<unknown> = Promise.resolve();
  let hasWarned = false;

  const count = (): void => {
    cancel?.();
    cancel = null;
    for (const { step, event, state, now, wall } of waiting.splice(0)) {
      const wallOf = (engineMs: number): number => Math.round(wall + engineMs - now);
      books.take(event, step, { state, wall, now, wallOf });
      for (const row of rowsOf(step, { state, now, wallOf })) history.note(row, wall);
    }
    books.flush();
  };
  const report = (session: string, directory: string): void => {
    const triage = triages.get(directory);
    if (!triage || hasApp()) return;
    writing = writing
      .then(() => {
        count();
        return writeReport(desk, { session, directory, triage }, env);
      })
      .then((outcome) => {
        if (!outcome.ok && !hasWarned) warn(notWritten(outcome.reason));
        hasWarned ||= !outcome.ok;
      })
      // A fault of ours must not become one of OpenCode.
      .catch(() => undefined);
  };
  const ends = createSessionEnds(clock, report);
  brain.onStep((step, event) => {
    if (triages.size === 0) return;
    const now = brain.now();
    waiting.push({ step, event, state: brain.state(), now, wall: clock.wall() });
    // Counted later, all at once: the request that has just failed does not wait for it.
    cancel ??= clock.schedule(BATCH_MS, count);
    ends.hear({ event, now });
  });
  brain.onEntry(({ event }) => {
    if (!isNoted(event) || triages.size === 0) return;
    count();
    books.note(event, { state: brain.state(), wall: clock.wall() });
  });
  return {
    follow(directory, triage) {
      if (triage?.isEnabled) triages.set(directory, triage);
      else triages.delete(directory);
    },
    async leave(directory) {
      ends.left(directory);
      triages.delete(directory);
      await writing;
    },
  };
}
