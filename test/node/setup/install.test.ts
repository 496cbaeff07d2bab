import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'jsonc-parser';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { applyWrite, planUndo } from '../../../src/node/config/config-write';
import { companionFolder, companionPath, putCompanion, updateCompanion } from '../../../src/node/setup/companion-files';
import {
  detectSetup,
  planInstall,
  planUninstall,
  type SetupPlace,
  type SetupScope,
} from '../../../src/node/setup/install';
import { patiently } from '../../support/eventually';
import { strays } from '../../support/hostile/strays';
import { slowDisk } from '../../support/slow-disk';
import { writeProgram } from '../../support/write-program';
import { contentsOf } from '../config-write-support';
import { tempFolder } from '../temp-folder';

/** A user with a home, a project and a built companion. */
async function user(files: Readonly<Record<string, string>> = {}) {
  const root = await tempFolder();
  const config = join(root, 'config', 'opencode');
  const place: SetupPlace = {
    env: { XDG_CONFIG_HOME: join(root, 'config') },
    home: join(root, 'state'),
    directory: join(root, 'project'),
    source: join(root, 'built', 'opencode-understudy.js'),
  };
  const all = { 'built/opencode-understudy.js': 'export default 1;', 'project/x': '', ...files };
  for (const [name, content] of Object.entries(all)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  const urls = [companionPath(place.home), companionFolder(place.home)].map((path) => pathToFileURL(path).href);
  const [url = '', folder = ''] = urls;
  return { root, config, place, url, folder };
}

async function install(place: SetupPlace, scope: SetupScope = 'global') {
  const planned = await planInstall(place, { scope, actor: 'test' });
  if (!planned.ok) return planned.reason;
  const written = await Promise.all(planned.plans.map((plan) => applyWrite(plan, place.home)));
  const [first] = written;
  return first?.ok ? (first.receipt?.id ?? null) : first?.reason;
}

async function uninstall(place: SetupPlace) {
  const planned = await planUninstall(place, { scope: 'global', evenIfEdited: false, actor: 'test' });
  if (!planned.ok) return planned.reason;
  for (const plan of planned.plans) await applyWrite(plan, place.home);
  return planned.left;
}

const GLOBAL = 'config/opencode/opencode.json';
const OTHER = '{\n  "plugin": ["other"], // mine\n  "model": "a/1"\n}\n';

describe('given a project whose OpenCode file lists plugins without end', () => {
  const listOf = (count: number): string =>
    JSON.stringify({ plugin: Array.from({ length: count }, (_, at) => `./${at}`) });

  it.each([
    [170_000, /opencode\.json: it is larger than 128 kB\.$/],
    [12_000, /opencode\.json:1:1: it holds more than 10000 values\.$/],
  ])('when it has %d, then it is not read, and the setup and an installation say why', async (count, why) => {
    const { place } = await user({ 'project/opencode.json': listOf(count) });
    const { files } = await detectSetup(place);
    expect(files).toMatchObject([{ scope: 'project', problem: expect.stringMatching(why) }]);
  });

  it('when it has 5,000, then of the first hundred it is said where they lead', async () => {
    const { place } = await user({ 'project/opencode.json': listOf(5_000) });
    const [file] = (await detectSetup(place)).files;
    expect(file && 'troubles' in file && [file.found.addresses.length, file.troubles.length]).toEqual([5_000, 100]);
  });

  it('when it is the user’s own, then all of it is read', async () => {
    const { place } = await user({ [GLOBAL]: listOf(10_001) });
    const [file] = (await detectSetup(place)).files;
    expect(file && 'troubles' in file && file.troubles.length).toBe(10_001);
  });

  it('when its disk does not answer, then that is said after a while', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { place, root } = await user({ 'project/opencode.json': listOf(1), [GLOBAL]: OTHER });
    const disk = slowDisk(join(root, 'project'));
    const detecting = detectSetup(place);
    await patiently(() => expect(disk.waiting()).toBeGreaterThan(0));
    await vi.advanceTimersByTimeAsync(2_000);
    const { files } = await detecting;
    expect(files.map((one) => ('problem' in one ? one.problem : one.path))).toEqual([
      join(root, GLOBAL),
      ...NAMES_IN_PROJECT.map((name) => `${join(root, 'project', name)}: the disk did not respond within 2 s.`),
    ]);
    disk.answer();
  });
});

const NAMES_IN_PROJECT = ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'];

describe('given a user of OpenCode', () => {
  it('when the companion is installed twice and then undone, then one element came, nothing more, and every byte is back', async () => {
    const { root, place, url } = await user({ [GLOBAL]: OTHER });
    const id = await install(place);
    expect(await readFile(join(root, GLOBAL), 'utf8')).toBe(OTHER.replace('"other"', `"other", "${url}"`));
    expect(await install(place)).toBeNull();
    const undo = await planUndo(id ?? '', place.home, 'test');
    expect(undo.ok && (await applyWrite(undo.plan, place.home)).ok).toBe(true);
    expect(await readFile(join(root, GLOBAL), 'utf8')).toBe(OTHER);
  });

  it('when it is planned, then the exact difference is shown and nothing is written', async () => {
    const { root, place, url } = await user({ [GLOBAL]: OTHER });
    const planned = await planInstall(place, { scope: 'global', actor: 'test' });
    expect(planned.ok && planned.plans[0]?.diff.split('\n').filter((line) => /^[-+] /.test(line))).toEqual([
      '-  "plugin": ["other"], // mine',
      `+  "plugin": ["other", "${url}"], // mine`,
    ]);
    expect(await readFile(join(root, GLOBAL), 'utf8')).toBe(OTHER);
  });

  it('when only opencode.jsonc exists, then it is the one, and no opencode.json is made (10)', async () => {
    const { config, place, url } = await user({ [`${GLOBAL}c`]: '{}' });
    await install(place);
    expect(await contentsOf(config)).toEqual({ 'opencode.jsonc': `{\n  "plugin": ["${url}"]\n}` });
  });

  it.each([
    ['the companion', '{"plugin":["opencode-understudy"]}', '{"plugin":["other"]}', 'opencode.json'],
    ['a list of plugins', '{"plugin":["other"]}', '{}', 'opencode.json'],
    ['neither', '{}', '{}', 'opencode.jsonc'],
  ])('when both exist and the first has %s, then %4$s is changed', async (_, json, jsonc, name) => {
    const { config, place, url } = await user({ [GLOBAL]: json, [`${GLOBAL}c`]: jsonc });
    await install(place);
    const after = await contentsOf(config);
    expect(Object.keys(after).filter((file) => after[file]?.includes(url))).toEqual([name]);
  });

  it('when a project has files too, then they stay, unless the project is asked for (12)', async () => {
    const project = 'project/opencode.json';
    const { root, place, url } = await user({ [GLOBAL]: '{}', [project]: '{}' });
    await install(place);
    expect(await readFile(join(root, project), 'utf8')).toBe('{}');
    await install(place, 'project');
    expect(await readFile(join(root, project), 'utf8')).toContain(url);
  });

  it('when OPENCODE_CONFIG names a file, then it is one of the user’s', async () => {
    const { root, place } = await user({ 'own.json': '{}' });
    const { files } = await detectSetup({ ...place, env: { ...place.env, OPENCODE_CONFIG: join(root, 'own.json') } });
    expect(files.map(({ path, scope }) => [path, scope])).toEqual([[join(root, 'own.json'), 'global']]);
  });

  it('when other plugins replay failed messages too, or a file cannot be read, then the setup says so', async () => {
    const { root, place } = await user({
      [GLOBAL]: '{"plugin":["opencode-rate-limit-fallback@1","oh-my-opencode","fine"]}',
      [`${GLOBAL}c`]: '{"plugin":',
    });
    expect((await detectSetup(place)).files).toEqual([
      {
        path: join(root, GLOBAL),
        scope: 'global',
        found: {
          addresses: ['opencode-rate-limit-fallback@1', 'oh-my-opencode', 'fine'],
          companions: [],
          keys: [],
          rivals: ['opencode-rate-limit-fallback@1', 'oh-my-opencode'],
          lists: ['plugin'],
        },
        troubles: [],
      },
      { path: join(root, `${GLOBAL}c`), scope: 'global', problem: `${join(root, GLOBAL)}c:1:11: a value is missing.` },
    ]);
  });
});

describe('given a copy of the companion in a folder that OpenCode loads by itself', () => {
  it('when it is to be installed as well, then it is refused: two would act on the same failure', async () => {
    const copy = 'project/.opencode/plugins/opencode-understudy.js';
    const { root, place } = await user({ [GLOBAL]: OTHER, [copy]: '' });
    expect((await detectSetup(place)).loose).toEqual([join(root, copy)]);
    expect(await install(place)).toBe(
      `OpenCode already loads the companion from ${join(root, copy)}. Nothing was changed.`,
    );
  });
});

describe.skipIf(process.platform === 'win32')('given a project of a stranger that leads out of itself', () => {
  /** Looks at the setup. @returns what was found of the project, and what was looked at outside of it and of what is ours. */
  async function seen(place: SetupPlace, root: string) {
    const outside = strays(
      root,
      ['project', 'state', 'config', 'built'].map((name) => join(root, name)),
    );
    const { files, loose } = await detectSetup(place);
    return { files: files.filter(({ scope }) => scope === 'project'), loose, outside: await outside() };
  }
  const LEADS_OUT = expect.stringContaining('it is a link that leads out of the project.');

  it('when its file is a link out of it, then that is said, and nothing out there is looked at', async () => {
    const { root, place } = await user({ 'outside/opencode.json': '{"plugin":["opencode-understudy"]}' });
    const path = join(root, 'project', 'opencode.json');
    await symlink(join(root, 'outside', 'opencode.json'), path);
    expect(await seen(place, root)).toEqual({
      files: [{ path, scope: 'project', problem: LEADS_OUT }],
      loose: [],
      outside: [],
    });
  });

  it('when its folder is a link out of it, then nothing out there is looked at, and no copy of the companion is found', async () => {
    const { root, place } = await user({
      'outside/opencode.json': '{"plugin":["opencode-understudy"]}',
      'outside/plugin/opencode-understudy.js': '',
    });
    await symlink(join(root, 'outside'), join(root, 'project', '.opencode'));
    const { files, loose, outside } = await seen(place, root);
    expect([files.filter((file) => 'found' in file), loose, outside]).toEqual([[], [], []]);
  });

  it('when a copy of the companion in it is a link out of it, then it counts: OpenCode loads it', async () => {
    const { root, place } = await user({ 'outside/one.js': '', 'project/.opencode/plugin/other.js': '' });
    const copy = join(root, 'project', '.opencode', 'plugin', 'opencode-understudy.js');
    await symlink(join(root, 'outside', 'one.js'), copy);
    expect(await seen(place, root)).toEqual({ files: [], loose: [copy], outside: [] });
  });

  it('when it names plugins outside and a link that leads there, then nobody looks whether they are there; its own are looked at', async () => {
    const plugin = ['/nowhere/lost.js', 'file:///nowhere/lost.js', '../outside/lost.js', './out.js', './lost.js'];
    const { root, place } = await user({ 'project/opencode.json': JSON.stringify({ plugin }) });
    await symlink(join(root, 'outside', 'lost.js'), join(root, 'project', 'out.js'));
    const { files, outside } = await seen(place, root);
    expect(files.flatMap((file) => ('found' in file ? file.troubles : []))).toEqual([
      { address: './lost.js', trouble: 'gone' },
    ]);
    expect(outside).toEqual([]);
  });

  it('when its file is a link inside it, then it counts', async () => {
    const { root, place } = await user({ 'project/shared/opencode.json': '{"plugin":["opencode-understudy"]}' });
    await symlink(join('shared', 'opencode.json'), join(root, 'project', 'opencode.json'));
    const { files } = await seen(place, root);
    expect(files).toMatchObject([{ scope: 'project', found: { companions: ['opencode-understudy'] } }]);
  });
});

describe('given an installed companion', () => {
  it('when it is uninstalled, then its element goes from each of the user’s files and the rest stays', async () => {
    const { root, place } = await user({ [GLOBAL]: OTHER });
    await install(place);
    const planned = await planUninstall(place, { scope: 'global', evenIfEdited: false, actor: 'test' });
    for (const plan of planned.ok ? planned.plans : []) await applyWrite(plan, place.home);
    expect(await readFile(join(root, GLOBAL), 'utf8')).toBe(OTHER);
    expect(await planUninstall(place, { scope: 'global', evenIfEdited: false, actor: 'test' })).toEqual({
      ok: true,
      plans: [],
      left: [],
    });
  });

  it('when a person has changed the element, then it is refused until it is asked for (9)', async () => {
    const { root, place } = await user({ [GLOBAL]: '{"plugin":[["opencode-understudy@0.1",{"a":1}]]}' });
    const options = { scope: 'global', evenIfEdited: false, actor: 'test' } as const;
    expect(await planUninstall(place, options)).toEqual({
      ok: false,
      reason: `${join(root, GLOBAL)}:1:13: the entry of the companion is not as it was installed. Nothing was changed.`,
    });
    expect(await planUninstall(place, { ...options, evenIfEdited: true })).toMatchObject({
      ok: true,
      plans: [{ path: join(root, GLOBAL) }],
    });
  });
});

describe('given a companion that OpenCode’s own command installed', () => {
  const LINE = 'config/opencode/tui.json';

  it.each(['opencode-understudy', 'opencode-understudy@0.1.0'])(
    'when %s is uninstalled, then the files that have nothing else go, without a question',
    async (address) => {
      const named = JSON.stringify({ plugin: [address] });
      const { place, config } = await user({ [GLOBAL]: named, [LINE]: named });
      expect(await uninstall(place)).toEqual([]);
      expect(await contentsOf(config)).toEqual({});
    },
  );

  it('when Understudy installs its own, then both files name that', async () => {
    const named = '{"plugin":["opencode-understudy@0.1.0"]}';
    const { place, config, url, root } = await user({ [GLOBAL]: named, [LINE]: named });
    writeProgram(join(root, 'opencode'), '#!/bin/sh\necho 1.18.34\n');
    await install({ ...place, env: { ...place.env, OPENCODE_BIN: join(root, 'opencode') } });
    expect(await contentsOf(config)).toEqual({
      'opencode.json': `{"plugin":["${url}"]}`,
      'tui.json': `{"plugin":["${url.replace('.js', '-tui.js')}"]}`,
    });
  });
});

describe('given a user without a configuration of OpenCode', () => {
  it('when the companion is installed and uninstalled, then the file is made, and goes again', async () => {
    const { place, config, url } = await user();
    await install(place);
    const made = `{\n  "$schema": "https://opencode.ai/config.json",\n  "plugin": ["${url}"]\n}\n`;
    expect(await contentsOf(config)).toEqual({ 'opencode.json': made });
    expect(await uninstall(place)).toEqual([]);
    expect(await contentsOf(config)).toEqual({});
  });

  it.skipIf(process.platform === 'win32')(
    'when that file became a link to one of theirs, then that one stays',
    async () => {
      const { place, root } = await user();
      await install(place);
      await rename(join(root, GLOBAL), join(root, 'dotfile.json'));
      await symlink(join(root, 'dotfile.json'), join(root, GLOBAL));
      const left = async () => {
        expect(await uninstall(place)).toEqual([]);
        return JSON.parse(await readFile(join(root, 'dotfile.json'), 'utf8'));
      };
      const blank = { $schema: 'https://opencode.ai/config.json' };
      expect([await left(), await left()]).toEqual([blank, blank]);
    },
  );

  it('when OpenCode 2 has taken the element out of that file, then the file goes as well', async () => {
    const { place, config, root } = await user();
    await install(place);
    await writeFile(join(root, GLOBAL), '{ "$schema": "https://opencode.ai/config.json", "plugins": [] }');
    expect(await uninstall(place)).toEqual([]);
    expect(await contentsOf(config)).toEqual({});
  });

  it.each(['{\n  "$schema": "https://opencode.ai/config.json"\n}\n', '{}'])(
    'when %s was there before, then it is there afterwards',
    async (before) => {
      const { place, config } = await user({ [GLOBAL]: before });
      await install(place);
      expect(await uninstall(place)).toEqual([]);
      expect((await contentsOf(config))['opencode.json']?.replaceAll(/\s/g, '')).toBe(before.replaceAll(/\s/g, ''));
    },
  );
});

describe('given a tui.json that people have written themselves', () => {
  const LINE = 'config/opencode/tui.json';
  const BY_HAND = 'file:///home/me/understudy/out/plugin/opencode-understudy-tui.js';

  /** A user with the companion installed. @returns how taking it out was planned, and all files as they are then. */
  async function uninstalled(line: string) {
    const { root, place, config } = await user({ [GLOBAL]: OTHER, [LINE]: line });
    await install(place);
    const left = await uninstall(place);
    const { 'opencode.json': opencode, 'tui.json': tui } = await contentsOf(config);
    return { opencode, tui, left, path: join(root, LINE) };
  }

  it.each([
    [`{ "plugin": ["mine", "${BY_HAND}"] } // theirs`, '{ "plugin": ["mine"] } // theirs'],
    ['{ "plugin": ["../understudy/out/plugin/opencode-understudy-tui.js"], "a": 1 }', '{ "a": 1 }'],
    ['{ "plugin": ["C:\\\\u\\\\opencode-understudy-tui.js", "mine"] }', '{ "plugin": ["mine"] }'],
    [`{ "plugin": [["${BY_HAND}", { "a": 1 }], "${BY_HAND}"] }`, '{}'],
    ['{ "plugin": ["opencode-understudy"] }', undefined],
    ['{ "plugin": ["opencode-understudy@0.1.0", "mine"] }', '{ "plugin": ["mine"] }'],
    [`{ "plugin": [/* mine */ "${BY_HAND}"] }`, '{ "plugin": [/* mine */] }'],
    [`{ "plugin": /* mine */ ["${BY_HAND}"] }`, '{ "plugin": /* mine */ [] }'],
    [
      `{\n  "plugin": ["${BY_HAND}"], // mine\n  "theme": "dark"\n}`,
      '{\n  "plugin": [], // mine\n  "theme": "dark"\n}',
    ],
    [`{\n  // mine\n  "plugin": ["${BY_HAND}"],\n  "theme": "dark"\n}`, '{\n  // mine\n  "theme": "dark"\n}'],
  ])('when it says %s, then what names our file is taken out of it with the companion', async (line, after) => {
    expect(await uninstalled(line)).toMatchObject({ opencode: OTHER, tui: after, left: [] });
  });

  it.each([
    [`{ "plugin": ["${BY_HAND}"`, '1:80: a closing ] is missing'],
    [`{ "plugin": "${BY_HAND}" }`, '1:13: plugin must be a list'],
    [`{ "plugin": [], "plugin": ["${BY_HAND}"] }`, '1:17: plugin is written twice'],
    [`{ "plugins": {}, "plugin": ["${BY_HAND}"] }`, '1:14: plugins must be a list'],
  ])(
    'when it says %s, then it stays as it is, which is said with the reason, and the companion goes',
    async (line, why) => {
      const { path, left, ...files } = await uninstalled(line);
      expect(files).toEqual({ opencode: OTHER, tui: line });
      expect(left).toEqual([`${path}:${why}. It stays unchanged: remove opencode-understudy from it by hand.`]);
    },
  );

  it.each(['{ "plugin":', '{ "plugin": "mine" }', 'not JSON'])(
    'when it says %s and names no file of ours, then it is nobody’s concern',
    async (line) => {
      expect(await uninstalled(line)).toMatchObject({ opencode: OTHER, tui: line, left: [] });
    },
  );

  it.skipIf(process.platform === 'win32')('when it cannot be read, then it stays as it is, which is said', async () => {
    const { place, config } = await user({ [GLOBAL]: OTHER });
    await install(place);
    await symlink('/nowhere/tui.json', join(config, 'tui.json'));
    const planned = await planUninstall(place, { scope: 'global', evenIfEdited: false, actor: 'test' });
    expect(planned).toMatchObject({ ok: true, plans: [{ path: join(config, 'opencode.json') }], left: [] });
    await rm(join(config, 'tui.json'));
    await mkdir(join(config, 'tui.json'));
    expect(await planUninstall(place, { scope: 'global', evenIfEdited: false, actor: 'test' })).toMatchObject({
      ok: true,
      plans: [{ path: join(config, 'opencode.json') }],
      left: [expect.stringMatching(/tui\.json: .*\. It stays unchanged: /)],
    });
  });
});

describe('given the built companion', () => {
  it('when it is put in place, then it is private and current; a newer one replaces it, an equal one is left alone', async () => {
    const { place } = await user();
    expect((await detectSetup(place)).companion).toBe('absent');
    expect(await putCompanion(place)).toEqual({ ok: true });
    const first = await stat(companionPath(place.home));
    await putCompanion(place);
    expect([(await stat(companionPath(place.home))).ino, first.mode & 0o777]).toEqual([first.ino, 0o600]);
    expect(await contentsOf(companionFolder(place.home))).toEqual({
      'server.js': "export { default } from '../opencode-understudy.js';\n",
      'package.json': expect.stringContaining('"main": "./server.js"'),
    });
    await writeFile(place.source, 'export default 2;');
    expect((await detectSetup(place)).companion).toBe('other');
    await putCompanion(place);
    expect((await detectSetup(place)).companion).toBe('current');
  });

  it('when its part in the terminal lies beside it, then that is put with it, and a newer one replaces it', async () => {
    const { place } = await user();
    const built = join(place.source, '..', 'opencode-understudy-tui.js');
    await writeFile(built, 'export default 1;');
    await putCompanion(place);
    expect((await contentsOf(companionFolder(place.home)))['tui.js']).toBe(
      "export { default } from '../opencode-understudy-tui.js';\n",
    );
    const there = join(place.home, 'plugin', 'opencode-understudy-tui.js');
    expect(await readFile(there, 'utf8')).toBe('export default 1;');
    await writeFile(built, 'export default 2;');
    expect((await detectSetup(place)).companion).toBe('other');
    await putCompanion(place);
    expect([(await detectSetup(place)).companion, await readFile(there, 'utf8')]).toEqual([
      'current',
      'export default 2;',
    ]);
  });

  it('when it was never built, then the reason is a value', async () => {
    const { place } = await user();
    expect(await putCompanion({ ...place, source: `${place.source}.gone` })).toMatchObject({ ok: false });
  });
});

describe('given both generations of OpenCode', () => {
  const BOTH = ['1.18.33', '2.2.0'];
  const NATIVE = '{\n  // mine\n  "plugins": [{ "package": "other", "options": { "a": 1 } }]\n}\n';

  /** A user who would start OpenCodes of these versions, in the order of the PATH. */
  async function userOf(versions: readonly string[], files: Readonly<Record<string, string>>) {
    const made = await user(files);
    const folders = versions.map((version) => join(made.root, 'bin', version));
    for (const [at, folder] of folders.entries()) {
      await mkdir(folder, { recursive: true });
      writeProgram(join(folder, 'opencode'), `#!/bin/sh\necho ${versions[at]}\n`);
    }
    return { ...made, place: { ...made.place, env: { ...made.place.env, PATH: folders.join(delimiter) } } };
  }

  it.each([
    [['1.18.33'], '{}', 'plugin', 'file'],
    [['2.2.0'], '{}', 'plugins', 'folder'],
    [BOTH, '{}', 'plugin', 'folder'],
    [[], '{}', 'plugin', 'file'],
    [['2.2.0'], NATIVE, 'plugins', 'folder'],
    [['2.2.0'], OTHER, 'plugin', 'folder'],
    [BOTH, NATIVE, 'plugin', 'folder'],
    [[], NATIVE, 'plugins', 'folder'],
  ])(
    'when OpenCode %j is here and a file says %j, then the companion comes into %s alone, by its %s, and goes again',
    async (versions, text, key, by) => {
      const { root, place, ...addresses } = await userOf(versions, { [GLOBAL]: text });
      const url = by === 'file' ? addresses.url : addresses.folder;
      await install(place);
      const after = await readFile(join(root, GLOBAL), 'utf8');
      const lists = parse(after) as Record<string, unknown[] | undefined>;
      expect(['plugin', 'plugins'].filter((list) => lists[list]?.includes(url))).toEqual([key]);
      expect(await install(place)).toBeNull();
      const planned = await planUninstall(place, { scope: 'global', evenIfEdited: false, actor: 'test' });
      for (const plan of planned.ok ? planned.plans : []) await applyWrite(plan, place.home);
      expect(parse(await readFile(join(root, GLOBAL), 'utf8'))).toEqual(parse(text));
    },
  );

  it('when a list of OpenCode 2 has plugins, then not a byte changes but the element', async () => {
    const { root, place, folder } = await userOf(['2.2.0'], { [GLOBAL]: NATIVE });
    await install(place);
    expect(await readFile(join(root, GLOBAL), 'utf8')).toBe(NATIVE.replace('} }]', `} }, "${folder}"]`));
  });

  it('when another file names the companion already, then a second entry is refused: OpenCode 2 would load nothing', async () => {
    const { root, place } = await userOf(['2.2.0'], { [GLOBAL]: '{}', 'project/opencode.json': '{}' });
    await install(place);
    expect(await install(place, 'project')).toBe(
      `${join(root, GLOBAL)} already names the companion. One entry is enough. Nothing was changed.`,
    );
  });

  it('when OpenCode 1 comes to an OpenCode 2, then installing again moves the element to the list that both read', async () => {
    const { root, place, folder } = await userOf(BOTH, {});
    await mkdir(dirname(join(root, GLOBAL)), { recursive: true });
    await writeFile(join(root, GLOBAL), NATIVE.replace('} }]', `} }, "${folder}"]`));
    await install(place);
    expect(await readFile(join(root, GLOBAL), 'utf8')).toBe(
      NATIVE.replace('} }]\n', `} }],\n  "plugin": ["${folder}"]\n`),
    );
  });

  it('when an OpenCode 2 comes, then the folder takes the place of the file, and stays when that OpenCode goes', async () => {
    const { root, place, url: file, folder } = await userOf(BOTH, {});
    await mkdir(dirname(join(root, GLOBAL)), { recursive: true });
    await writeFile(join(root, GLOBAL), `{"plugin":["a","${file}"]}`);
    await install(place);
    expect(await readFile(join(root, GLOBAL), 'utf8')).toBe(`{"plugin":["a","${folder}"]}`);
    expect(await install({ ...place, env: { ...place.env, PATH: join(root, 'bin', '1.18.33') } })).toBeNull();
  });
});

const built = (version: string, content = '') => `// @bun opencode-understudy ${version}\nexport default 1;${content}`;

describe('given a program that starts with a companion of its own', () => {
  it.each([
    ['an older one', built('0.1.9')],
    ['another of the same version', built('0.2.0', ' // built by hand')],
    ['one that does not tell its version', 'export default 0;'],
  ])(
    'when the user had installed %s, then it is the program’s now, and OpenCode’s files are as they were',
    async (_what, there) => {
      const { root, place } = await user({
        'built/opencode-understudy.js': built('0.2.0'),
        'state/plugin/opencode-understudy.js': there,
        [GLOBAL]: OTHER,
      });
      for (let times = 0; times < 2; times++) expect(await updateCompanion(place)).toEqual({ ok: true });
      expect(await readFile(companionPath(place.home), 'utf8')).toBe(built('0.2.0'));
      expect(await readFile(join(root, GLOBAL), 'utf8')).toBe(OTHER);
    },
  );

  it('when the user had installed a newer one, then it stays', async () => {
    const there = { 'state/plugin/opencode-understudy.js': built('0.10.0') };
    const { place } = await user({ 'built/opencode-understudy.js': built('0.2.0'), ...there });
    expect(await updateCompanion(place)).toEqual({ ok: true });
    expect(await readFile(companionPath(place.home), 'utf8')).toBe(built('0.10.0'));
  });

  it('when the user had installed none, then there is none', async () => {
    const { place } = await user({ 'built/opencode-understudy.js': built('0.2.0'), [GLOBAL]: OTHER });
    expect(await updateCompanion(place)).toEqual({ ok: true });
    expect((await detectSetup(place)).companion).toBe('absent');
  });
});

describe.skipIf(process.platform === 'win32')('given a pipe where a part of the companion should lie', () => {
  it('when it is looked at, then nobody waits for it; installed, the part is in its place again', async () => {
    const { place } = await user({ [GLOBAL]: OTHER });
    await putCompanion(place);
    const part = join(companionFolder(place.home), 'server.js');
    await rm(part);
    await promisify(execFile)('mkfifo', [part]);
    expect((await detectSetup(place)).companion).toBe('other');
    expect(await putCompanion(place)).toEqual({ ok: true });
    expect((await detectSetup(place)).companion).toBe('current');
  });
});
