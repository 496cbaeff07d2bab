import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keptPaths } from '../../../src/node/config/config-files';
import { STILL_COUNTS } from '../../../src/node/config/config-part';
import { loadConfig } from '../../../src/node/config/config-reader';
import { createLastConfig, lastConfigPath } from '../../../src/node/config/last-config';
import { tempFolder } from '../temp-folder';

const CONFIG = {
  ...{ budget: { day: 5, action: 'stop' }, agents: { build: { fallbackModels: ['a/1'] } } },
  council: { knowledge: { command: ['notes', '--key', 'not-a-real-key'], tool: 'search' } },
};

/** The user's own file, and a process that has read it. */
async function readOnce(text = JSON.stringify(CONFIG)) {
  const root = await tempFolder();
  const home = join(root, 'state');
  const env = { OPENCODE_CONFIG_DIR: join(root, 'config'), UNDERSTUDY_HOME: home };
  const paths = keptPaths(null, home, env);
  const path = paths.global[0] ?? '';
  await mkdir(dirname(path), { recursive: true });
  const write = (next: string) => writeFile(path, next);
  await write(text);
  await createLastConfig(home).keep((await loadConfig(paths)).sources.global);
  return { home, path, write, later: async () => (await loadConfig(paths)).sources.global };
}

describe('given the user’s own file, which a process has read', () => {
  it('when it is broken since, then what it said counts in one that begins, and its problem says so', async () => {
    const { write, later } = await readOnce();
    await write('{ "budget": { "day": ');
    const source = await later();
    expect(source?.config).toMatchObject({ budget: { day: 5, action: 'stop' }, agents: CONFIG.agents });
    expect(source?.problems).toMatchObject([
      {
        severity: 'error',
        code: 'file.malformed',
        line: 1,
        message: expect.stringMatching(/Its last valid content applies until you fix it\.$/),
      },
    ]);
  });

  it('when it is fixed, changed or removed since, then only what it says now counts', async () => {
    const { path, write, later } = await readOnce();
    await write('{ "budget": { "day": 9 } }');
    expect((await later())?.config).toEqual({ budget: { day: 9 } });
    await rm(path);
    expect(await later()).toBeNull();
  });

  it('when it is kept, then nobody else may read that, and no command of a council stands in it', async () => {
    const { home } = await readOnce();
    const text = await readFile(lastConfigPath(home), 'utf8');
    expect([(await stat(lastConfigPath(home))).mode & 0o777, text.includes('not-a-real-key')]).toEqual([0o600, false]);
  });

  it('when what was kept was written while the file was broken, then the last that could be read still counts', async () => {
    const { home, write, later } = await readOnce();
    await write('{');
    await createLastConfig(home).keep(await later());
    expect((await later())?.config?.budget).toEqual({ day: 5, action: 'stop' });
  });

  it('when it could never be read, or what was kept makes no sense, then nothing counts, and nothing else is said', async () => {
    const { home, write, later } = await readOnce('{');
    const told = { message: expect.not.stringContaining(STILL_COUNTS) };
    expect(await later()).toMatchObject({ config: null, problems: [told] });
    await write(JSON.stringify(CONFIG));
    await createLastConfig(home).keep(await later());
    await writeFile(lastConfigPath(home), '{"v":1,"files":7}', { mode: 0o600 });
    await write('{');
    expect(await later()).toMatchObject({ config: null, problems: [told] });
  });
});
