import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companionParts } from '../../scripts/npm-package.mjs';
import { PACKAGE_FOLDER, type Packed, pack } from '../support/npm-package';

const OUT = join(import.meta.dirname, '..', '..', 'out');
const PLUGIN = join(PACKAGE_FOLDER, 'plugin', 'opencode-understudy.js');

let scratch: string;
let packed: Packed;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'us-npm-'));
  packed = await pack(scratch);
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

describe('given the package for npm', () => {
  it('when it is packed, then it holds the companion, the command line, the panel and licences, and depends on nothing', async () => {
    const folder = `plugin/${companionParts(join(PACKAGE_FOLDER, 'plugin'))}`;
    const { files, manifest } = packed;
    const rest = files.filter((path) => ![folder, 'renderer/assets'].includes(dirname(path)));
    expect(rest.toSorted()).toEqual([
      ...['LICENSE', 'README.md', 'cli/third-party.md', 'cli/understudy.js', 'package.json'],
      ...['plugin/opencode-understudy-tui.js', 'plugin/opencode-understudy.js', 'plugin/third-party.md'],
      ...['renderer/index.html', 'renderer/safe.html', 'renderer/third-party.md'],
    ]);
    for (const [built, part] of [
      [`plugin/${basename(folder)}`, folder],
      ['renderer/assets', 'renderer/assets'],
    ] as const)
      expect(files.filter((path) => dirname(path) === part)).toHaveLength((await readdir(join(OUT, built))).length);
    expect(manifest).toMatchObject({ name: 'opencode-understudy', type: 'module', license: 'MIT' });
    expect(Object.keys(manifest).filter((key) => /dependencies|scripts/i.test(key))).toEqual([]);
  });

  it('when its plugin is loaded, then it exports one plugin and nothing else that OpenCode would call', async () => {
    const exported = await import(pathToFileURL(PLUGIN).href);
    expect(Object.keys(exported)).toEqual(['default']);
    expect([exported.default.id, typeof exported.default.server]).toEqual(['understudy', 'function']);
    const imports = [...(await readFile(PLUGIN, 'utf8')).matchAll(/^import .* from "([^"]+)";$/gm)];
    expect(imports.filter(([, from = '']) => !from.startsWith('node:'))).toEqual([]);
  });
});
