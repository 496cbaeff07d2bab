import type { QueryOutput } from '../../contract/contract';
import type { Snapshot } from '../../contract/snapshot';
import { neighbourWarnings } from '../../core/providers/neighbours';
import { logPaths } from '../base/log-paths';
import { machineIn } from '../base/state-home';
import { metricsTokenPath } from '../base/token';
import { configPaths, configTarget } from '../config/config-files';
import { journalFolder } from '../config/config-journal';
import { preferencesPath } from '../config/preferences-path';
import { logPath } from '../data/own-data';
import { storePath } from '../store/open-store';
import { makeBugReport } from './bug-report';
import { detectSetup, type SetupPlace } from './install';

const RECORDS_SHOWN = 200;

const systemName = (): string => `${process.platform} ${process.arch}, Node ${process.versions.node}`;

export async function appInfo(place: SetupPlace): Promise<QueryOutput<'app.info'>> {
  const { home, env } = place;
  const { files } = await detectSetup(place);
  return {
    paths: {
      folder: home,
      preferences: preferencesPath(home),
      config: await configTarget(configPaths(null, env).global),
      log: logPath(home),
      history: storePath(home),
      writes: journalFolder(home),
      fallbackLog: logPaths(null, home, machineIn(env)).text,
    },
    metricsToken: metricsTokenPath(home),
    system: systemName(),
    neighbours: [...neighbourWarnings(files.flatMap((file) => ('found' in file ? file.found.rivals : [])))],
  };
}

export async function shownReport(place: SetupPlace, snapshot: Snapshot): Promise<QueryOutput<'app.report'>> {
  const about = { version: snapshot.app.version, core: snapshot, now: Date.now(), recordsMax: RECORDS_SHOWN };
  const report = await makeBugReport(place, about);
  return { name: 'understudy-bug-report.json', text: `${JSON.stringify(report, null, 1)}\n` };
}
