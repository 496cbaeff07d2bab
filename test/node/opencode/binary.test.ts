import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findOpencode } from '../../../src/node/opencode';
import { restartText } from '../../../src/node/opencode/binary';
import { tempFolder } from '../temp-folder';

const isWindows = process.platform === 'win32';

/** A folder with an OpenCode in it that tells its version. */
async function opencodeIn(folder: string, version: string, name = 'opencode'): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
  return path;
}

describe.skipIf(isWindows)('given a user who has OpenCode', () => {
  it('when the app was not started from a terminal, then it is found where its installer puts it', async () => {
    const home = await tempFolder();
    const path = await opencodeIn(join(home, '.opencode', 'bin'), '1.18.33');
    expect(await findOpencode({ PATH: '', HOME: home })).toEqual({ ok: true, binary: { path, version: '1.18.33' } });
  });

  it('when there is another on the PATH, then that one is meant', async () => {
    const home = await tempFolder();
    await opencodeIn(join(home, '.opencode', 'bin'), '1.18.33');
    const path = await opencodeIn(join(home, 'own'), '1.19.0');
    expect(await findOpencode({ PATH: join(home, 'own'), HOME: home })).toEqual({
      ok: true,
      binary: { path, version: '1.19.0' },
    });
  });

  it.each([
    ['alone', [], 'opencode2'],
    ['and OpenCode 1 where its installer puts it', ['opencode'], 'opencode'],
  ])(
    'when OpenCode 2 is called opencode2, %s, then the one called opencode is meant before it',
    async (_, beside, taken) => {
      const home = await tempFolder();
      await opencodeIn(join(home, 'own'), '2.0.15', 'opencode2');
      for (const name of beside) await opencodeIn(join(home, '.opencode', 'bin'), '1.18.34', name);
      const search = await findOpencode({ PATH: join(home, 'own'), HOME: home });
      expect(search.ok && search.binary).toMatchObject({ path: expect.stringMatching(new RegExp(`/${taken}$`)) });
    },
  );
});

describe('given the OpenCodes of a machine', () => {
  it.each([
    [[], 'restart OpenCode'],
    [['1.18.34'], 'restart OpenCode'],
    [['2.0.15'], 'opencode service restart'],
    [['1.18.34', '2.0.15'], 'restart OpenCode (OpenCode 2: opencode service restart)'],
  ])('when they are %j, then they are restarted by: %s', (versions, text) => {
    expect(restartText(versions.map((version) => ({ path: '/bin/opencode', version })))).toBe(text);
  });
});
