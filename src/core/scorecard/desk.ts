import type { AgentFigures, ExportFormat, Metric, ScorecardDocument, ScorecardRange } from '../../contract/scorecard';
import type { EventRow } from '../../contract/snapshot';
import {
  type Alert,
  type CellRow,
  hourFrom,
  hourOf,
  ledgerOf,
  reportOf,
  type ScorecardReport,
  startOf,
} from '../../engine/scorecard';
import type { AttemptExport, RefusedTurn } from '../base/store-rows';
import { agentRows } from './agents';
import { csvLines } from './csv';
import { documentOf } from './document';
import { renderScorecard } from './render';

export type ScorecardSources = Readonly<{
  version: string;
  /** Unix ms. */
  wall(): number;
  alert(): Alert | null;
  figures(range: ScorecardRange): readonly CellRow[];
  events(range: Readonly<{ sinceMs: number; untilMs: number }>): readonly EventRow[];
  /** Oldest first; null if not stored. */
  attempts(range: ScorecardRange): Iterable<AttemptExport> | null;
  refused(range: ScorecardRange): Iterable<RefusedTurn>;
}>;

export type ScorecardDesk = Readonly<{
  report(range: ScorecardRange): ScorecardReport;
  document(range: ScorecardRange): ScorecardDocument;
  /** In whole hours; null if attempts are not stored. Reads all attempts of the range. */
  agents(range: ScorecardRange): AgentFigures[] | null;
  /**
   * Start of stored attempts, Unix ms, if later than the range's: earlier attempts are gone, but not the totals. A
   * session loses both at once.
   */
  agentsSince(range: ScorecardRange): number | null;
  /** Null if attempts are required but not stored. @param metrics null for the default. */
  lines(range: ScorecardRange, format: ExportFormat, metrics?: readonly Metric[] | null): Iterable<string> | null;
}>;

const HOUR_MS = 3_600_000;

export function createScorecardDesk(sources: ScorecardSources): ScorecardDesk {
  const ledgerFor = (range: ScorecardRange) => ledgerOf(sources.figures(range));
  const report = (range: ScorecardRange): ScorecardReport => reportFor(range, ledgerFor(range));
  const reportFor = ({ sinceMs, untilMs }: ScorecardRange, ledger: ReturnType<typeof ledgerOf>): ScorecardReport => {
    const query = { ...(sinceMs === undefined ? {} : { sinceMs }), ...(untilMs === undefined ? {} : { untilMs }) };
    return reportOf(ledger, { ...query, now: sources.wall() }, sources.alert());
  };
  const document = (range: ScorecardRange): ScorecardDocument => {
    const ledger = ledgerFor(range);
    const first = ledger[0]?.hour;
    const last = ledger.at(-1)?.hour;
    const reported = reportFor(range, ledger);
    // Limits events to hours with figures. For all sessions the last row may cover a whole day, so it sets no end.
    const endMs = range.session === undefined ? Number.MAX_SAFE_INTEGER : startOf(last ?? 0) + HOUR_MS;
    const events =
      first === undefined
        ? []
        : sources.events({
            sinceMs: Math.max(startOf(first), reported.range.sinceMs ?? 0),
            untilMs: Math.min(endMs, reported.range.untilMs ?? Number.MAX_SAFE_INTEGER),
          });
    const { version } = sources;
    return documentOf(reported, { version, generatedAtMs: sources.wall(), session: range.session ?? null, events });
  };
  const agents = (range: ScorecardRange): AgentFigures[] | null => {
    const hours = wholeHours(range);
    const attempts = sources.attempts(hours);
    return attempts && agentRows(attempts, sources.refused(hours));
  };
  const agentsSince = ({ session, sinceMs = 0 }: ScorecardRange): number | null => {
    if (session !== undefined) return null;
    for (const { at } of sources.attempts({}) ?? []) return at > sinceMs ? at : null;
    return null;
  };
  return {
    report,
    document,
    agents,
    agentsSince,
    lines(range, format, metrics = null) {
      if (format !== 'csv') {
        const rows = agents(range);
        const since = rows && agentsSince(range);
        const theirs = rows ? { agents: rows } : {};
        const storedSince = since === null ? {} : { agentsSince: new Date(since).toISOString() };
        return [renderScorecard({ ...document(range), ...theirs, ...storedSince }, format, metrics)];
      }
      const attempts = sources.attempts(range);
      return attempts && csvLines(attempts);
    },
  };
}

const wholeHours = ({ sinceMs, untilMs, ...range }: ScorecardRange): ScorecardRange => ({
  ...range,
  ...(sinceMs === undefined ? {} : { sinceMs: startOf(hourOf(sinceMs)) }),
  ...(untilMs === undefined ? {} : { untilMs: startOf(hourFrom(untilMs)) }),
});

export const NOT_KEPT = 'Single attempts are not stored: this needs Node 22.13 or newer, or libsql.';
/** In characters: the socket accepts 1 MiB, and JSON escapes some of them. */
const TEXT_MAX_CHARS = 700_000;

/** @throws Error with a message for people if attempts are not stored or the text is too long. */
export function exportText(desk: ScorecardDesk, range: ScorecardRange, format: ExportFormat): string {
  const lines = desk.lines(range, format);
  if (lines === null) throw new Error(NOT_KEPT);
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length > TEXT_MAX_CHARS)
      throw new Error('The report is too long for the panel. Choose a shorter range, or run understudy report export.');
  }
  return text;
}

export function exportName({ session }: ScorecardRange, format: ExportFormat): string {
  const about = session === undefined ? 'all' : session.replace(/[^\w-]/g, '_').slice(0, 60);
  return `understudy-scorecard-${about}.${format}`;
}
