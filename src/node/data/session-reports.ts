import { constants } from 'node:fs';
import { dirname } from 'node:path';
import type { ExportFormat } from '../../contract/scorecard';
import type { Triage } from '../../core/config';
import type { Core } from '../../core/core';
import type { ScorecardDesk } from '../../core/scorecard/desk';
import { writeFileAtomic } from '../base/atomic-file';
import { O_NOFOLLOW, runBeneath } from '../base/beneath';
import { mkdir, open } from '../base/disk';
import { failureCode, failureText, type Outcome } from '../base/failure';
import { placeOf } from '../base/log-paths';
import { lstatOrNull, statOrNull } from '../base/look';
import { type Environment, machineIn } from '../base/state-home';
import { keepScorecard } from './kept-scorecards';

const USUAL = ['oracle-triage-scorecard.json'] as const;

export type SessionReportOptions = Readonly<{
  /** Null if the directory's configuration is unavailable. */
  triageOf(directory: string): Promise<Triage | null>;
  env: Environment;
  home: string;
  wall(): number;
  /** Resolves when all events are stored. */
  settle(): Promise<void>;
}>;

/** Handles one session at a time. @returns a function that waits for all. */
export function writeSessionReports(core: Core, options: SessionReportOptions): () => Promise<void> {
  const { triageOf, env, home, wall, settle } = options;
  let writing = Promise.resolve();
  core.onSessionEnd((session, directory) => {
    const report = async (): Promise<void> => {
      const [triage] = await Promise.all([triageOf(directory), settle()]);
      const outcomes = [
        ...(triage?.isOff ? [] : [await keepScorecard(core.desk, session, home, wall())]),
        ...(triage?.isEnabled ? [await writeReport(core.desk, { session, directory, triage }, env)] : []),
      ];
      for (const outcome of outcomes) if (!outcome.ok) core.noteHistory(notWritten(outcome.reason));
    };
    // A failure must not prevent later reports.
    writing = writing.then(report).catch((error: unknown) => core.noteHistory(notWritten(failureText(error))));
  });
  return () => writing;
}

export const notWritten = (reason: string): string => `The scorecard of a session could not be written: ${reason}`;

export type Ended = Readonly<{ session: string; directory: string; triage: Triage }>;

/** Never replaces a foreign file. */
export async function writeReport(desk: ScorecardDesk, ended: Ended, env: Environment): Promise<Outcome> {
  const { session, directory, triage } = ended;
  const place = placeOf(triage.path, { usual: USUAL, directory }, machineIn(env));
  try {
    for (const format of new Set(triage.formats)) {
      const path = reportPath(place, format);
      const write = async (at: string): Promise<Outcome> => {
        if (!(await isFreeOrOurs(at, triage.isConfined)))
          return { ok: false, reason: `${path} exists and is not a scorecard.` };
        const lines = desk.lines({ session }, format, triage.metrics);
        return lines ? await writeFileAtomic(at, [...lines].join('')) : { ok: true };
      };
      if (!triage.isConfined) await mkdir(dirname(path), { recursive: true });
      // The path may come from an untrusted project.
      const written = await (triage.isConfined ? runBeneath(directory, path, write) : write(path));
      if (!written.ok) return written;
    }
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

const BEGINNING =
  /^(?:\{\s*"schema":\s*"scorecard\/|# Understudy scorecard|<!doctype html>.*<title>Understudy scorecard|at,session,turn,)/s;
const BEGINNING_BYTES = 1_024;

/** A pipe would block later reports and the app's end. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

async function isFreeOrOurs(path: string, isConfined: boolean): Promise<boolean> {
  // Even opening can move a device.
  const found = await (isConfined ? lstatOrNull : statOrNull)(path);
  if (found !== null && !found.isFile()) return false;
  const file = await open(path, isConfined ? READ | O_NOFOLLOW : READ).catch((error: unknown) => {
    if (failureCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return true;
  try {
    if (!(await file.stat()).isFile()) return false;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
    return bytesRead === 0 || BEGINNING.test(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}

const reportPath = (path: string, format: ExportFormat): string =>
  format === 'json' ? path : `${path.replace(/\.json$/i, '')}.${format}`;
