import { mkdir, open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import type { ExportFormat } from '../contract';
import type { Triage } from '../core/config';
import type { Core } from '../core/core';
import type { ScorecardDesk } from '../core/scorecard/desk';
import { writeFileAtomic } from './atomic-file';
import { failureCode, failureText, type Outcome } from './failure';
import { ensureInside } from './inside';
import { placeOf } from './log-paths';
import type { Environment } from './state-home';

const USUAL = ['oracle-triage-scorecard.json'] as const;

export type SessionReportOptions = Readonly<{
  triageOf(directory: string): Triage | null;
  env: Environment;
  /** Resolves when everything that has happened is stored. */
  settle(): Promise<void>;
}>;

/** Writes the report of each session that ends, where its directory's configuration wants one. */
export function writeSessionReports(core: Core, { triageOf, env, settle }: SessionReportOptions): void {
  core.onSessionEnd((session, directory) => {
    const triage = triageOf(directory);
    if (!triage?.isEnabled) return;
    const written = settle().then(() => writeReport(core.desk, { session, directory, triage }, env));
    void written.then((outcome) => {
      if (!outcome.ok) core.noteHistory(notWritten(outcome.reason));
    });
  });
}

/** Why there is no report, for people. */
export const notWritten = (reason: string): string => `The scorecard of a session could not be written: ${reason}`;

/** A session that has ended, and what its directory's configuration wants of it. */
export type Ended = Readonly<{ session: string; directory: string; triage: Triage }>;

/** Writes the report of a session in each format it is wanted in. A file that is there and is none of ours stays. */
export async function writeReport(desk: ScorecardDesk, ended: Ended, env: Environment): Promise<Outcome> {
  const { session, directory, triage } = ended;
  const machine = { env, homedir: homedir(), platform: process.platform };
  const place = placeOf(triage.path, { usual: USUAL, directory }, machine);
  try {
    for (const format of new Set(triage.formats)) {
      const path = reportPath(place, format);
      // The path may come from a project that is not the user's.
      if (triage.isConfined) await ensureInside(directory, path);
      await mkdir(dirname(path), { recursive: true });
      if (!(await isFreeOrOurs(path))) return { ok: false, reason: `${path} is there already and is no scorecard.` };
      const lines = desk.lines({ session }, format);
      const written = lines && (await writeFileAtomic(path, [...lines].join('')));
      if (written?.ok === false) return written;
    }
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

/** How reports begin, in every format. */
const BEGINNING =
  /^(?:\{\s*"schema":\s*"scorecard\/|# Understudy scorecard|<!doctype html>.*<title>Understudy scorecard|at,session,turn,)/s;
const BEGINNING_BYTES = 1_024;

async function isFreeOrOurs(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (failureCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return true;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
    return bytesRead === 0 || BEGINNING.test(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}

/** The configured path for JSON, and beside it one with the ending of each other format. */
const reportPath = (path: string, format: ExportFormat): string =>
  format === 'json' ? path : `${path.replace(/\.json$/i, '')}.${format}`;
