import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configPaths } from '../../../src/node/config/config-files';
import { loadConfig } from '../../../src/node/config/config-reader';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'us-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const mapsHere = async () =>
  (await loadConfig(configPaths(join(root, 'project'), { OPENCODE_CONFIG_DIR: join(root, 'global') }))).maps;

async function put(folder: string, name: string, text: string): Promise<void> {
  await mkdir(join(root, folder, 'providers'), { recursive: true });
  await writeFile(join(root, folder, 'providers', name), text);
}

describe('given provider maps beside the configuration file', () => {
  it('when there are none, then nothing is said', async () => {
    expect(await mapsHere()).toEqual({ maps: [], own: [], problems: [] });
  });

  it('when the user and the project have one each, then both are read, the project’s last', async () => {
    await put(
      'global',
      'own.json',
      '{ "version": 1, "provider": "openai", "codes": { "tea_break": "rate_limit" } } // mine',
    );
    await put(
      'project/.opencode',
      'own.json',
      '{ "version": 1, "provider": "xai", "statuses": { "418": "overloaded" } }',
    );
    const { maps, problems } = await mapsHere();
    expect([maps.map((map) => map.provider), problems]).toEqual([['openai', 'xai'], []]);
  });

  it('when one is broken, then it is out of force and its place is named, and the other one holds', async () => {
    await put('global', 'bad.json', '{ "version": 1, "provider": "openai",\n  "codes": { "x": "no_such_kind" } }');
    await put('global', 'good.json', '{ "version": 1, "provider": "xai", "statuses": { "418": "overloaded" } }');
    const { maps, problems } = await mapsHere();
    expect(maps.map((map) => map.provider)).toEqual(['xai']);
    expect(problems).toEqual([expect.stringMatching(/bad\.json:2:\d+: /)]);
  });
});
