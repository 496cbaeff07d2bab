import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findOpencode } from '../../../src/node/opencode';
import { tempFolder } from '../temp-folder';

const isWindows = process.platform === 'win32';

/** A folder with an OpenCode in it that tells its version. */
async function opencodeIn(folder: string, version: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'opencode');
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
});
