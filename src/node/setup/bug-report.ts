import { homedir } from 'node:os';
import type { LogRecord } from '../../core/base/record';
import { redact } from '../../engine';
import { readConfigured } from '../config/chains';
import { readErrors } from '../data/internal-errors-file';
import { readLog } from '../data/own-data';
import { drivers } from '../store/driver';
import { examine, type SeenCore } from './doctor';
import type { SetupPlace } from './install';

/** The oldest are dropped first. */
const RECORDS_MAX = 5_000;

/** Contains no keys and no names of the user or projects. */
export type BugReport = Readonly<{
  schema: 'bug-report/1';
  madeAt: string;
  versions: Readonly<Record<string, string | readonly string[]>>;
  doctor: readonly unknown[];
  /** Place, class and position, never the text. */
  errors: readonly unknown[];
  config: readonly unknown[];
  log: readonly unknown[];
}>;

/** Sends nothing. */
export async function makeBugReport(
  place: SetupPlace,
  about: Readonly<{ version: string; core: SeenCore; now: number; recordsMax?: number }>,
): Promise<BugReport> {
  const [doctor, errors, configured, all] = await Promise.all([
    examine(place, about.core),
    readErrors(place.home),
    readConfigured(place.directory, place.env),
    readLog(place.home),
  ]);
  const records = all.slice(-(about.recordsMax ?? RECORDS_MAX));
  const impersonal = impersonalOf([...new Set([...directoriesOf(records), ...directoriesOf(place)])]);
  return {
    schema: 'bug-report/1',
    madeAt: new Date(about.now).toISOString(),
    versions: { understudy: about.version, ...machine(), ...opencodes(records) },
    doctor: doctor.map(impersonal),
    errors: errors.map(impersonal),
    config: configured.values.map(impersonal),
    log: records.map(impersonal),
  };
}

const machine = (): BugReport['versions'] => ({
  node: process.version,
  system: `${process.platform} ${process.arch}`,
  sqlite: drivers().map(({ name }) => name),
});

function opencodes(records: readonly LogRecord[]): BugReport['versions'] {
  const arrived = records.flatMap(({ event }) => (event.type === 'instance.connected' ? [event] : []));
  const kinds = (of: (event: (typeof arrived)[number]) => string): string[] => [...new Set(arrived.map(of))];
  return { opencode: kinds(({ opencode }) => opencode), companion: kinds(({ plugin }) => plugin) };
}

function directoriesOf(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return /^director(?:y|ies)$/.test(key) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => directoriesOf(each, Array.isArray(value) ? key : name));
}

function impersonalOf(directories: readonly string[]): (value: unknown) => unknown {
  const names = directories.map((directory, index): readonly [string, string] => [directory, `/project-${index + 1}`]);
  // Replace a nested folder before its parent.
  const places = [...names, [homedir(), '~'] as const].toSorted(([a], [b]) => b.length - a.length);
  const ofText = (text: string): string =>
    redact(places.reduce((rest, [place, name]) => rest.replaceAll(place, name), text));
  const ofValue = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string' && key === 'project') return '[project]';
    // A notice's key has its project between kind and time.
    if (typeof value === 'string') return ofText(key === 'key' ? value.replace(/^(N\d+)\|.*\|/s, '$1|') : value);
    if (Array.isArray(value)) return value.map((each) => ofValue(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [ofText(name), ofValue(each, name)]));
  };
  return ofValue;
}
