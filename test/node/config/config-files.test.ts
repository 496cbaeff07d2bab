import { chmod, mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MAX_CONFIG_BYTES } from '../../../src/node/base/read-text';
import { configPaths, openCodeConfigFolder } from '../../../src/node/config/config-files';
import { loadConfig, openConfig } from '../../../src/node/config/config-reader';
import { watchConfigFiles } from '../../../src/node/config/config-watch';
import { strays } from '../../support/hostile/strays';
import { deferred } from '../socket-support';
import { tempFolder } from '../temp-folder';

/** A project and a home of this test alone. */
async function places() {
  const root = await tempFolder();
  const directory = join(root, 'project');
  const env = { OPENCODE_CONFIG_DIR: join(root, 'config') };
  await mkdir(directory);
  return { directory, env, paths: configPaths(directory, env, root) };
}

async function put(path: string | undefined, content: string | Uint8Array): Promise<string> {
  if (path === undefined) throw new RangeError('no such place');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

const chain = (...models: string[]) => JSON.stringify({ agents: { build: { fallbackModels: models } } });

describe("given OpenCode's configuration folder", () => {
  it.each([
    [{ OPENCODE_CONFIG_DIR: '/o', XDG_CONFIG_HOME: '/x' }, '/o'],
    [{ XDG_CONFIG_HOME: '/x' }, '/x/opencode'],
    [{ XDG_CONFIG_HOME: 'relative' }, '/home/u/.config/opencode'],
    [{}, '/home/u/.config/opencode'],
  ])('when the environment is %j, then it is %s', (env, folder) => {
    expect(openCodeConfigFolder(env, '/home/u')).toBe(folder);
  });

  it("when it is the project's own folder, then its file is looked up once", () => {
    expect(configPaths('/p', { OPENCODE_CONFIG_DIR: '/p/.opencode' }, '/home/u')).toMatchObject({
      project: [],
      global: ['/p/.opencode/model-fallback.json', '/p/.opencode/model-fallback.jsonc'],
    });
  });
});

describe('given the places of one directory', () => {
  it('when there is no file, then there is no source and no problem', async () => {
    const { paths } = await places();
    expect((await loadConfig(paths)).sources).toEqual({ project: null, global: null });
  });

  it('when both scopes have a file, then both are read', async () => {
    const { paths } = await places();
    await put(paths.project[1], `// mine\n${chain('p/1')}`);
    await put(paths.global[0], chain('g/1'));
    const { sources } = await loadConfig(paths);
    expect(sources.project?.config?.agents?.build?.fallbackModels).toEqual(['p/1']);
    expect(sources.global?.config?.agents?.build?.fallbackModels).toEqual(['g/1']);
  });

  it('when .json and .jsonc stand side by side, then .json wins and a warning says so', async () => {
    const { paths } = await places();
    const json = await put(paths.global[0], chain('json/1'));
    const jsonc = await put(paths.global[1], chain('jsonc/1'));
    const { global } = (await loadConfig(paths)).sources;
    expect(global?.config?.agents?.build?.fallbackModels).toEqual(['json/1']);
    expect(global?.problems).toEqual([
      {
        severity: 'warning',
        code: 'file.shadowed',
        message: `${jsonc} is ignored because ${json} exists.`,
        path: json,
        line: null,
        column: null,
      },
    ]);
  });

  it.each([
    [
      'is not UTF-8',
      async (path: string) => void (await put(path, Uint8Array.of(0x7b, 0xff, 0x7d))),
      'it is not UTF-8 text',
    ],
    ['is a folder', async (path: string) => void (await mkdir(path, { recursive: true })), 'it is not a file'],
    ['has 200 kB', async (path: string) => void (await put(path, ' '.repeat(200_000))), 'it is larger than 128 kB'],
  ])('when the file %s, then it is an error and nothing is thrown', async (_, make, reason) => {
    const { paths } = await places();
    await make(paths.global[0] ?? '');
    const { global } = (await loadConfig(paths)).sources;
    expect(global?.config).toBeNull();
    expect(global?.problems.map(({ severity, message }) => [severity, message])).toEqual([
      ['error', `The file cannot be read: ${reason}.`],
    ]);
  });

  it('when a good file becomes malformed, then what it said last stays in force until it is good again', async () => {
    const { paths } = await places();
    const path = await put(paths.project[0], chain('p/1'));
    const reader = await openConfig(paths);
    const project = () => reader.loaded().sources.project;
    const first = project()?.config;
    for (const broken of ['{ "agents": ', '{ "agents"']) {
      await writeFile(path, broken);
      await reader.refresh();
      expect([project()?.config, project()?.problems.map(({ code }) => code)]).toEqual([first, ['file.malformed']]);
    }
    await writeFile(path, chain('p/2'));
    await reader.refresh();
    expect(project()?.config?.agents?.build?.fallbackModels).toEqual(['p/2']);
    await rm(path);
    await reader.refresh();
    expect(project()).toBeNull();
  });
});

describe('given a configuration that was loaded', () => {
  it('when a file comes, changes, is replaced or goes, then it has changed; else not', async () => {
    const { paths } = await places();
    const seen: boolean[] = [];
    const reader = await openConfig(paths);
    const look = async () => seen.push(await reader.refresh());
    await look();
    const path = await put(paths.project[0], chain('p/1'));
    await look();
    await look();
    await writeFile(`${path}.new`, chain('p/2'));
    await rename(`${path}.new`, path);
    await look();
    await utimes(path, 1, 1);
    await look();
    await rm(path);
    await look();
    expect(seen).toEqual([false, true, false, true, true, true]);
  });
});

describe('given a watch', () => {
  async function watching(
    prepare: (paths: ReturnType<typeof configPaths>) => Promise<unknown> = async () => undefined,
  ) {
    const { paths } = await places();
    await prepare(paths);
    let changes = 0;
    let next = deferred<void>();
    const watch = watchConfigFiles(paths, {
      onChange: () => {
        changes += 1;
        next.resolve();
        next = deferred<void>();
      },
    });
    onTestFinished(() => watch.close());
    await watch.ready;
    return { paths, changed: () => next.promise, count: () => changes };
  }

  it('when a file appears in folders that did not exist, then it is told', async () => {
    const { paths, changed } = await watching();
    const told = changed();
    await put(paths.project[0], chain('p/1'));
    await told;
  });

  it('when its folder goes and comes again, then both are told', async () => {
    const { paths, changed } = await watching((all) => put(all.project[0], chain('p/1')));
    const gone = changed();
    await rm(dirname(paths.project[0] ?? ''), { recursive: true });
    await gone;
    const back = changed();
    await put(paths.project[0], chain('p/2'));
    await back;
  });

  it('when a file is written three times in a row, then it is told once', async () => {
    const { paths, changed, count } = await watching((all) => put(all.global[0], chain('g/1')));
    const told = changed();
    for (const model of ['g/2', 'g/3', 'g/4']) await put(paths.global[0], chain(model));
    await told;
    expect(count()).toBe(1);
  });

  it('when an editor replaces a file by renaming, then it is told, the second time too', async () => {
    const { paths, changed } = await watching((all) => put(all.project[0], chain('p/1')));
    for (const model of ['p/2', 'p/3']) {
      const told = changed();
      const sibling = await put(`${paths.project[0]}.tmp`, chain(model));
      await rename(sibling, paths.project[0] ?? '');
      await told;
    }
  });

  it('when it is of a project alone, then nothing that lies beside it is looked at', async () => {
    const { directory, paths } = await places();
    const { trust: _, ...others } = paths;
    const foreign = paths.foreign?.filter(({ scope }) => scope === 'project') ?? [];
    const outside = strays(dirname(directory), [directory]);
    const told = deferred<void>();
    const watch = watchConfigFiles({ ...others, foreign, global: [] }, { onChange: () => told.resolve() });
    onTestFinished(() => watch.close());
    await watch.ready;
    await mkdir(join(directory, '..', 'neighbour'));
    await put(join(directory, 'opencode.json'), '{}');
    await told.promise;
    expect(await outside()).toEqual([]);
  });

  it("when it is of the app's own folder, then nothing that lies beside that one is looked at", async () => {
    const home = join(await tempFolder(), 'u');
    const trust = join(home, 'trusted-projects.json');
    await mkdir(home);
    await mkdir(join(home, '..', 'neighbour'));
    const outside = strays(dirname(home), [home]);
    const told = deferred<void>();
    const watch = watchConfigFiles({ project: [], global: [], trust }, { onChange: () => told.resolve(), home });
    onTestFinished(() => watch.close());
    await watch.ready;
    await put(trust, '{}');
    await told.promise;
    expect(await outside()).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'when a project has 3,000 folders among its agents, then the system is asked to watch some hundred of them',
    async () => {
      const { paths, changed } = await watching(async ({ within = '' }) => {
        for (let n = 0; n < 3_000; n++) await mkdir(join(within, '.opencode', 'agent', `f${n}`), { recursive: true });
        await put(join(within, '.opencode', 'agent', 'build.md'), 'x');
      });
      const watches = async (): Promise<number> => {
        const infos = (await readdir('/proc/self/fdinfo')).map((fd) =>
          readFile(`/proc/self/fdinfo/${fd}`, 'utf8').catch(() => ''),
        );
        return (await Promise.all(infos)).join('').split('inotify wd:').length - 1;
      };
      expect(await watches()).toBeLessThan(1_500);
      const told = changed();
      await put(paths.project[0], chain('p/1'));
      await told;
    },
  );

  it('when a file is removed, then it is told', async () => {
    const { paths, changed } = await watching((all) => put(all.project[0], chain('p/1')));
    const told = changed();
    await rm(paths.project[0] ?? '');
    await told;
  });
});

describe.skipIf(process.platform === 'win32')('given a project that places files of ours behind a link', () => {
  it('when it is loaded, then both places are ignored, each with a warning at its line; the same without links counts', async () => {
    const { paths } = await places();
    const within = paths.within ?? '';
    const text = '{\n"logPath": "out/x.log",\n"triage": { "exportPath": "in/r.json" }\n}';
    await put(paths.project[0], text);
    await symlink(tmpdir(), join(within, 'out'));
    await mkdir(join(within, 'real'));
    await symlink(join(within, 'real'), join(within, 'in'));
    const { project } = (await loadConfig(paths)).sources;
    expect([project?.config?.logPath, project?.config?.triage?.exportPath]).toEqual([undefined, undefined]);
    expect(project?.problems.map(({ code, line, message }) => [code, line, message.split('.')[0]])).toEqual([
      ['place.outside', 2, 'logPath leads through a link'],
      ['place.outside', 3, 'triage'],
    ]);
    for (const name of ['out', 'in']) await rm(join(within, name));
    await put(paths.project[0], `${text}\n`);
    expect((await loadConfig(paths)).sources.project?.problems).toEqual([]);
  });
});

describe.runIf(process.getuid?.() !== 0)('given a file this user may not read', () => {
  it('when it is loaded, then permission is denied and nothing is thrown', async () => {
    const { paths } = await places();
    await chmod(await put(paths.global[0], '{}'), 0o000);
    const { global } = (await loadConfig(paths)).sources;
    expect(global?.problems[0]?.message).toBe('The file cannot be read: permission is denied.');
  });
});

describe('given files of others that name chains', () => {
  it('when they lie in the project and in the home, then they are read in their order, and ours before them', async () => {
    const { directory, paths } = await places();
    const agent = (model: string) => JSON.stringify({ agent: { build: { fallback_models: [model] } } });
    const global = dirname(paths.global[0] ?? '');
    const files = [
      [join(directory, '.opencode', 'opencode.jsonc'), agent('p/1')],
      [join(directory, 'opencode.json'), agent('p/2')],
      [join(global, 'opencode.json'), agent('g/1')],
      [join(directory, '.opencode', 'agent', 'deep', 'build.md'), '---\nfallback_models: [m/1]\n---\n'],
      [join(global, 'oh-my-opencode-theseus.json'), '{"fallback":{"chains":{"build":["t/1"]}}}'],
      [join(global, 'rate-limit-fallback.json'), '{"fallbackModel":"r/1"}'],
    ] as const;
    for (const [path, content] of files) await put(path, content);
    await put(join(global, 'opencode.jsonc'), '{"model":"x/1"}');
    const { foreign } = (await loadConfig(paths)).sources;
    expect(foreign?.map(({ path, config }) => [path, config?.agents])).toEqual([
      [files[0][0], { build: { fallbackModels: ['p/1'] } }],
      [files[1][0], { build: { fallbackModels: ['p/2'] } }],
      [files[2][0], { build: { fallbackModels: ['g/1'] } }],
      [files[3][0], { 'deep/build': { fallbackModels: ['m/1'] } }],
      [files[4][0], { build: { fallbackModels: ['t/1'] } }],
      [files[5][0], { '*': { fallbackModels: ['r/1'] } }],
    ]);
  });

  it('when one is broken for a moment, then its chains stay in force until it can be read again', async () => {
    const { directory, paths } = await places();
    const path = join(directory, 'opencode.json');
    await put(path, '{"agent":{"build":{"fallback_models":["p/1"]}}}');
    const reader = await openConfig(paths);
    const good = reader.loaded().sources.foreign;
    await put(path, '{"agent":{"build":');
    await reader.refresh();
    expect([good?.length, reader.loaded().sources.foreign]).toEqual([1, good]);
    await put(path, '{}');
    await reader.refresh();
    expect(reader.loaded().sources).toEqual({ project: null, global: null });
  });

  it('when OpenCode could read a broken one after all, then its chains stay, and it may define any model', async () => {
    const { directory, paths } = await places();
    const path = join(directory, 'opencode.json');
    const chain = '"agent":{"build":{"fallback_models":["p/1"]}}';
    await put(path, `{${chain}}`);
    const reader = await openConfig(paths);
    await put(path, `{${chain}, {file:more.json}}`);
    await reader.refresh();
    const [source] = reader.loaded().sources.foreign ?? [];
    expect([source?.config?.agents?.build?.fallbackModels, source?.providers]).toEqual([['p/1'], ['*']]);
  });

  it('when one grows too long to be read, then its chains stay, and it may define any model', async () => {
    const { directory, paths } = await places();
    const path = join(directory, 'opencode.json');
    const text = '{"agent":{"build":{"fallback_models":["p/1"]}},"provider":{"p":{}}}';
    await put(path, text);
    const reader = await openConfig(paths);
    const providers = () => reader.loaded().sources.foreign?.[0]?.providers;
    const before = providers();
    await put(path, text + ' '.repeat(MAX_CONFIG_BYTES));
    await reader.refresh();
    const [source] = reader.loaded().sources.foreign ?? [];
    expect([before, source?.config?.agents?.build?.fallbackModels, providers()]).toEqual([['p'], ['p/1'], ['*']]);
  });

  it('when an agent comes, changes and goes, then that is a change', async () => {
    const { directory, paths } = await places();
    const path = join(directory, '.opencode', 'agent', 'build.md');
    const reader = await openConfig(paths);
    await put(path, '---\nfallback_models: [m/1]\n---\n');
    const seen = [await reader.refresh(), await reader.refresh()];
    await rm(path);
    expect([...seen, await reader.refresh()]).toEqual([true, false, true]);
  });
});
