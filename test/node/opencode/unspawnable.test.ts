import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askForModels } from '../../../src/node/opencode/ask';
import { findOpencode } from '../../../src/node/opencode/binary';
import { tempFolder } from '../temp-folder';

describe.skipIf(process.platform !== 'linux')('given an OpenCode that is being replaced just now', () => {
  it('when it is looked for or asked, then the reason is told, and nothing is thrown', async () => {
    const directory = await tempFolder();
    const path = join(directory, 'opencode');
    await writeFile(path, '#!/bin/sh\necho 1.18.33\n', { mode: 0o755 });
    // Linux runs no file that somebody is writing.
    const writer = await open(path, 'r+');
    onTestFinished(() => writer.close());
    const env = { OPENCODE_BIN: path };
    expect(await findOpencode(env)).toEqual({ ok: false, reason: expect.stringContaining('ETXTBSY') });
    expect(await askForModels({ path, version: '1.18.33' }, { directory, env, limitMs: 5_000 })).toBeNull();
  });
});
