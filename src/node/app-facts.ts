import { homedir } from 'node:os';
import type { QueryOutput, Snapshot } from '../contract';
import { neighbourWarnings } from '../core/neighbours';
import { configPaths, configTarget } from './config-files';
import { journalFolder } from './config-journal';
import { examine, type Finding } from './doctor';
import { detectSetup, type SetupPlace } from './install';
import { logPaths } from './log-paths';
import { logPath } from './own-data';
import { preferencesPath } from './preferences';
import { storePath } from './store/open-store';
import { metricsTokenPath } from './token';

const EVENTS_TOLD = 50;

const systemName = (): string => `${process.platform} ${process.arch}, Node ${process.versions.node}`;

/** Where everything of Understudy lies, and which plugins get in its way. */
export async function appInfo(place: SetupPlace): Promise<QueryOutput<'app.info'>> {
  const { home, env } = place;
  const { files } = await detectSetup(place);
  return {
    paths: {
      folder: home,
      preferences: preferencesPath(home),
      config: configTarget(configPaths(null, env).global),
      log: logPath(home),
      history: storePath(home),
      writes: journalFolder(home),
      fallbackLog: logPaths(null, home, { env, homedir: homedir(), platform: process.platform }).text,
    },
    metricsToken: metricsTokenPath(home),
    system: systemName(),
    neighbours: [...neighbourWarnings(files.flatMap((file) => ('found' in file ? file.found.rivals : [])))],
  };
}

/** A report of a problem as Markdown: what runs, what the doctor found, and the last events by their codes. */
export async function bugReport(place: SetupPlace, snapshot: Snapshot): Promise<QueryOutput<'app.report'>> {
  const findings = await examine(place, snapshot);
  const { app, connection, instances, models, sessions } = snapshot;
  const anonymous = withoutPlaces([place.home, ...instances.flatMap(({ directories }) => directories)]);
  const lines = [
    '# Understudy: report of a problem',
    '',
    `- Understudy ${app.version}, ${app.runtime}`,
    `- ${systemName()}`,
    `- Connection: ${connection.status}`,
    ...instances.map(({ opencode, plugin, status }) => `- OpenCode ${opencode}, companion ${plugin}: ${status}`),
    `- ${sessions.length} sessions, ${models.length} models`,
    '',
    '## Doctor',
    '',
    ...findings.map(findingLine),
    '',
    '## Models',
    '',
    ...models.map(
      ({ model, state, code, calls, failed }) =>
        `- ${model}: ${[state, code].filter(Boolean).join(', ')}; ${failed} of ${calls} failed`,
    ),
    '',
    '## Last events',
    '',
    ...snapshot.events.slice(0, EVENTS_TOLD).map(eventLine),
    '',
  ];
  return { name: 'understudy-report.md', text: anonymous(lines.join('\n')) };
}

const findingLine = ({ check, verdict, says }: Finding): string => `- ${verdict} ${check}: ${says}`;

/** Neither who spoke nor what was said. */
const eventLine = ({ at, code, model, to, kind, status }: Snapshot['events'][number]): string =>
  `- ${[new Date(at).toISOString(), code, model, to && `→ ${to}`, kind, status].filter(Boolean).join(' ')}`;

/** Puts names in the place of folders, the longest first, and of the user's home. */
function withoutPlaces(folders: readonly string[]): (text: string) => string {
  const named = [...new Set(folders)].map(
    (folder, index) => [folder, index === 0 ? '<state>' : `<project ${index}>`] as const,
  );
  const all = [...named, [homedir(), '~'] as const].toSorted(([one], [other]) => other.length - one.length);
  return (text) => all.reduce((held, [folder, name]) => held.replaceAll(folder, name), text);
}
