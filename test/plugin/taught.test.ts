import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addItems } from '../../src/core/edits';
import { openCompanion } from '../../src/plugin/companion';
import { tempFolder } from '../node/temp-folder';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('given a companion in a project whose file knows no such phrase', () => {
  it('when one is taught for one provider, then the next failure of that provider has its kind, without a restart', async () => {
    const root = await tempFolder();
    for (const name of ['UNDERSTUDY_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, join(root, name));
    vi.stubEnv('OPENCODE_CONFIG_DIR', '');
    const directory = join(root, 'project');
    const path = join(directory, '.opencode', 'model-fallback.json');
    await mkdir(join(directory, '.opencode'), { recursive: true });
    await writeFile(path, '{ "agents": { "*": { "fallbackModels": ["acme/b"] } } }\n');
    const quiet = { warn: () => undefined, notify: async () => undefined, version: async () => '1.18.33' };
    const companion = await openCompanion({ directory, ...quiet });
    const said = { phase: 'body', message: 'Moon 17 hides your allowance' } as const;
    expect(companion.named('acme/a', said)).toEqual(said);

    const pattern = { phrase: 'hides your allowance', kind: 'quota', provider: 'acme' };
    const taught = addItems(await readFile(path, 'utf8'), ['patterns'], [pattern]);
    await writeFile(path, taught.ok ? taught.text : '');
    await companion.refresh();
    expect(companion.named('acme/a', said)).toEqual({ ...said, mapped: { kind: 'quota' } });
    expect(companion.named('other/a', said)).toEqual(said);
    await companion.close();
  });
});
