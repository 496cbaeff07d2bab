import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appInfo, shownReport } from '../../../src/node/setup/app-facts';
import { sampleSnapshot } from '../../support/sample-snapshot';
import { tempFolder } from '../temp-folder';

async function place() {
  const root = await tempFolder();
  const config = join(root, 'config', 'opencode');
  await mkdir(config, { recursive: true });
  await writeFile(join(config, 'opencode.json'), '{ "plugin": ["oh-my-opencode"] }');
  const env = { XDG_CONFIG_HOME: join(root, 'config'), XDG_DATA_HOME: join(root, 'data'), PATH: '' };
  return { env, home: join(root, 'u'), source: join(root, 'companion.js'), directory: null, root };
}

describe('given the program behind a panel', () => {
  it('when it is asked where things lie, then it names every path, and a plugin that gets in the way', async () => {
    const here = await place();
    const { paths, metricsToken, neighbours } = await appInfo(here);
    expect(paths).toEqual({
      folder: here.home,
      preferences: join(here.home, 'preferences.json'),
      config: join(here.root, 'config', 'opencode', 'model-fallback.json'),
      log: join(here.home, 'events.jsonl'),
      history: join(here.home, 'history.db'),
      writes: join(here.home, 'config-writes'),
      fallbackLog: join(here.root, 'data', 'opencode', 'logs', 'model-fallback.log'),
    });
    expect(metricsToken).toBe(join(here.home, 'metrics-token'));
    expect(neighbours).toEqual([expect.stringContaining('oh-my-opencode')]);
  });

  it('when a report is made, then it is the one of the command line, to be saved under a name', async () => {
    const { name, text } = await shownReport(await place(), sampleSnapshot());
    expect(name).toBe('understudy-bug-report.json');
    expect(JSON.parse(text)).toMatchObject({ schema: 'bug-report/1', versions: { understudy: '0.1.0' }, log: [] });
  });
});
