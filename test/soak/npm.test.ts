import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { npmCommand } from '../../scripts/npm-command.mjs';
import { companionParts } from '../../scripts/npm-package.mjs';
import { textOf } from '../../src/node/opencode';
import { copyCompanion } from '../support/built-companion';
import { type NpmRegistry, startNpmRegistry } from '../support/npm-registry';
import { type Case, openStage, type Stage } from '../support/stage';

const OUT = join(import.meta.dirname, '..', '..', 'out');
const FOLDER = join(OUT, 'npm', 'opencode-understudy');
const PLUGIN = join(FOLDER, 'plugin', 'opencode-understudy.js');
const execute = promisify(execFile);

let scratch: string;
let manifest: { name: string; version: string; main: string };
let packed: { filename: string; files: readonly { path: string }[] };
let registry: NpmRegistry;
let stage: Stage;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'us-npm-'));
  manifest = JSON.parse(await readFile(join(FOLDER, 'package.json'), 'utf8'));
  const { command, args } = npmCommand();
  const pack = [...args, 'pack', '--json', '--pack-destination', scratch];
  [packed] = JSON.parse((await execute(command, pack, { cwd: FOLDER })).stdout);
  registry = await startNpmRegistry(join(scratch, packed.filename), manifest);
  stage = await openStage([], { npm_config_registry: registry.url });
});
afterAll(async () => {
  await stage?.close();
  await registry?.close();
  await rm(scratch, { recursive: true, force: true });
});
beforeEach(() => stage.provider.clear());

/** Whether the lead's failure was met by its understudy, as only the companion does it. */
async function fallsBack({ directory, ids }: Case): Promise<boolean> {
  const { provider, server } = stage;
  provider.script(ids[0] ?? '', [{ kind: 'status', status: 401 }]);
  provider.script(ids[1] ?? '', [{ kind: 'text', text: 'UNDERSTUDY ANSWERS' }]);
  return textOf(await server.prompt(await server.createSession(directory), { text: 'One' })) === 'UNDERSTUDY ANSWERS';
}

describe('given the package for npm', () => {
  it('when it is packed, then it holds the companion, the command line, the panel and licences, and depends on nothing', async () => {
    const folder = `plugin/${companionParts(join(FOLDER, 'plugin'))}`;
    const files = packed.files.map(({ path }) => path);
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

describe('given a machine without a clone', () => {
  it('when npx runs the package, then it installs and removes the companion, and all else is as it was', async () => {
    const home = join(scratch, 'home');
    const folder = join(home, '.config', 'opencode');
    await mkdir(folder, { recursive: true });
    const before = '{ "model": "a/one" }\n';
    await writeFile(join(folder, 'opencode.json'), before);
    // Of what a person has on the path, only that which npm itself needs.
    const path = join(scratch, 'bin');
    await mkdir(path);
    await symlink(process.execPath, join(path, 'node'));
    await symlink('/bin/sh', join(path, 'sh'));
    const { command, args } = npmCommand();
    const env = { PATH: path, HOME: home, npm_config_registry: registry.url, npm_config_cache: join(scratch, 'cache') };
    const npx = async (...words: readonly string[]): Promise<string> => {
      const all = [...args, 'exec', '--yes', '--', 'opencode-understudy', ...words];
      return (await execute(command, all, { cwd: home, env })).stdout;
    };
    const configuration = () => readFile(join(folder, 'opencode.json'), 'utf8');
    expect(await npx('--version')).toContain(manifest.version);
    await npx('install', '--yes');
    const { plugin } = JSON.parse(await configuration()) as { plugin: string[] };
    expect((await stat(fileURLToPath(plugin[0] ?? ''))).isFile()).toBe(true);
    await npx('uninstall', '--yes');
    expect(JSON.parse(await configuration())).toEqual(JSON.parse(before));
  });
});

describe('given a real OpenCode', () => {
  it('when nothing of ours is installed, then a failing lead ends the turn', async () => {
    expect(await fallsBack(await stage.makeCase())).toBe(false);
  });

  it('when its configuration names the file, then turns fall back', async () => {
    expect(await fallsBack(await stage.makeCase({ config: { plugin: [pathToFileURL(PLUGIN).href] } }))).toBe(true);
  });

  it.each(['plugin', 'plugins'])(
    'when its files are dropped into .opencode/%s, then turns fall back',
    async (folder) => {
      const place = await stage.makeCase();
      await copyCompanion(join(place.directory, '.opencode', folder), PLUGIN);
      expect(await fallsBack(place)).toBe(true);
    },
  );

  it('when its configuration names the package, then OpenCode installs it from its registry and turns fall back', async () => {
    expect(await fallsBack(await stage.makeCase({ config: { plugin: ['opencode-understudy'] } }))).toBe(true);
    expect(registry.asked()).toContain('/opencode-understudy.tgz');
  });
});
