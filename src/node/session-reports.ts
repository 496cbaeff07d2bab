import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import type { ExportFormat } from '../contract';
import type { Triage } from '../core/config';
import type { Core } from '../core/core';
import { writeFileAtomic } from './atomic-file';
import { failureText, type Outcome } from './failure';
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
export function writeSessionReports(core: Core, options: SessionReportOptions): void {
  core.onSessionEnd((session, directory) => {
    const triage = options.triageOf(directory);
    if (!triage?.isEnabled) return;
    void report(core, { session, directory, triage }, options).then((outcome) => {
      if (!outcome.ok) core.noteHistory(`The scorecard of a session could not be written: ${outcome.reason}`);
    });
  });
}

type Ended = Readonly<{ session: string; directory: string; triage: Triage }>;

async function report(core: Core, ended: Ended, { env, settle }: SessionReportOptions): Promise<Outcome> {
  const { session, directory, triage } = ended;
  const machine = { env, homedir: homedir(), platform: process.platform };
  const path = placeOf(triage.path, { usual: USUAL, directory }, machine);
  try {
    await settle();
    await mkdir(dirname(path), { recursive: true });
    for (const format of new Set(triage.formats)) {
      const lines = core.desk.lines({ session }, format);
      const written = lines && (await writeFileAtomic(reportPath(path, format), [...lines].join('')));
      if (written?.ok === false) return written;
    }
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: failureText(error) };
  }
}

/** The configured path for JSON, and beside it one with the ending of each other format. */
const reportPath = (path: string, format: ExportFormat): string =>
  format === 'json' ? path : `${path.replace(/\.json$/i, '')}.${format}`;
