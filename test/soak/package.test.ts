import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { builtinModules, createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilder, type Inspected, inspectApp, packagedApps } from '../../scripts/package.mjs';
import { type Desktop, launchStandIn, STAND_IN_ENV, standInCommand } from '../support/desktop/launch';
import { makeElectronStub } from '../support/electron-stub';

const ROOT = join(import.meta.dirname, '..', '..');
const execute = promisify(execFile);

/** Bundled, and yet asked for at run time when it happens to be there. */
const OPTIONAL = ['libsql'];

/** Null where no registry can be reached. */
function builderHere(): string | null {
  try {
    return ensureBuilder();
  } catch (error) {
    console.log(`The package is not proved: ${(error as Error).message}`);
    return null;
  }
}
const builder = builderHere();

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'us-'));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

describe('given the built desktop app', () => {
  it('when its imports are read, then there is none but of Electron, of Node, and of the files beside it', async () => {
    const names = await readdir(join(ROOT, 'out'), { recursive: true });
    const files = names.filter((name) => /^(?:main|preload)\b.*\.c?js$/.test(name));
    expect(files.length).toBeGreaterThan(2);
    const imported = new Set<string>();
    for (const name of files) {
      const text = await readFile(join(ROOT, 'out', name), 'utf8');
      for (const [, from] of text.matchAll(/^(?:import|export)\b[^'"\n]*["']([^"'\n]+)["'];?$/gm)) imported.add(from!);
      for (const [, from] of text.matchAll(/\b(?:require|import)\(["']([^"']+)["']\)/g)) imported.add(from!);
    }
    const isOfNode = (name: string) => name.startsWith('node:') || builtinModules.includes(name);
    const others = [...imported].filter((name) => !isOfNode(name) && !name.startsWith('.'));
    expect(others.filter((name) => !OPTIONAL.includes(name))).toEqual(['electron']);
  });
});

describe.skipIf(builder === null)('given the packaged desktop app, over a stub of Electron', () => {
  let inspected: Inspected;
  let resources: string;
  let app: string;

  beforeAll(async () => {
    await makeElectronStub(join(folder, 'stub'));
    const output = join(folder, 'dist');
    const options = [
      `-c.electronDist=${join(folder, 'stub')}`,
      `-c.directories.output=${output}`,
      '--publish',
      'never',
    ];
    await execute(process.execPath, [builder!, '--linux', '--x64', '--dir', ...options], { cwd: ROOT });
    const [packaged] = packagedApps(output);
    inspected = await inspectApp(packaged!, builder!);
    resources = packaged!.resources;
    app = join(folder, 'app');
    createRequire(builder!)('@electron/asar').extractAll(join(resources, 'app.asar'), app);
  }, 120_000);

  /** As the packaged program starts it: the archive's files alone, and what lies beside the archive. */
  const packagedAs = (home: string) => ({
    ...{ STAND_IN_PACKAGED: '1', STAND_IN_RESOURCES: resources, STAND_IN_APP_PATH: app },
    ...{ UNDERSTUDY_HOME: home, STAND_IN_USER_DATA: home, XDG_CONFIG_HOME: join(home, '..', 'config') },
  });

  it('when its archive is looked into, then all that is needed is there, and nothing else', async () => {
    console.log(`The archive has ${inspected.files.length} files and ${(inspected.bytes / 1e6).toFixed(1)} MB.`);
    expect(inspected.problems).toEqual([]);
    expect(inspected.files.filter((path) => /node_modules|\.map$|\.tsx?$|\btest\b/.test(path))).toEqual([]);
    const drawn = await readdir(join(ROOT, 'resources', 'tray'), { recursive: true, withFileTypes: true });
    const icons = drawn.filter((entry) => entry.isFile()).length;
    expect([inspected.files.filter((path) => path.startsWith('resources/tray/')).length, icons > 20]).toEqual([
      icons,
      true,
    ]);
  });

  it('when its description is read, then it says what the app is, and nothing of how it was made', async () => {
    const description = JSON.parse(await readFile(join(app, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(description).toMatchObject({ main: './out/main/index.js', type: 'module', productName: 'Understudy' });
    expect(description).not.toHaveProperty('devDependencies');
    expect(description).not.toHaveProperty('scripts');
    expect(description.desktopName).toBe('understudy-desktop.desktop');
  });

  it('when its fuses are read from the program, then those that would let others in are off', () => {
    expect(inspected.fuses).toEqual({
      ...{ RunAsNode: false, EnableNodeOptionsEnvironmentVariable: false, EnableNodeCliInspectArguments: false },
      ...{ EnableEmbeddedAsarIntegrityValidation: true, OnlyLoadAppFromAsar: true, EnableCookieEncryption: true },
      ...{ GrantFileProtocolExtraPrivileges: false, LoadBrowserProcessSpecificV8Snapshot: false },
    });
  });

  it('when the companion is installed by its own command line, then OpenCode is given the file beside the archive', async () => {
    const home = join(folder, 'u1');
    const [program, ...args] = standInCommand(app);
    const { stdout } = await execute(program, [...args, '--cli', '--', 'install', '--create', '--yes', '--json'], {
      cwd: folder,
      env: { ...process.env, ...STAND_IN_ENV, ...packagedAs(home) },
    });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true });
    const [installed, shipped] = await Promise.all(
      [join(home, 'plugin'), join(resources, 'plugin')].map((place) => readFile(join(place, 'opencode-understudy.js'))),
    );
    expect(installed!.equals(shipped!)).toBe(true);
  });

  it('when it starts, then its panel is drawn from the archive alone', async () => {
    const home = join(folder, 'u2');
    await mkdir(home);
    let desktop: Desktop | null = null;
    try {
      desktop = await launchStandIn({ home, env: packagedAs(home), builtApp: app });
      const page = await desktop.firstPage();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Waiting for OpenCode.');
    } finally {
      await desktop?.close();
    }
  });
});

describe.skipIf(process.platform === 'win32')('given the command that is installed with the app', () => {
  it.each([
    ['Linux', ['understudy-desktop'], ['resources', 'bin']],
    ['macOS', ['Contents', 'MacOS', 'Understudy'], ['Contents', 'Resources', 'bin']],
  ])(
    'when it is started on %s by a link, then the app is its command line, with every argument as it was',
    async (system, program, place) => {
      const root = join(folder, system);
      await mkdir(join(root, ...program, '..'), { recursive: true });
      await mkdir(join(root, ...place), { recursive: true });
      await writeFile(join(root, ...program), `#!/bin/sh\nprintf '%s\\n' "$@"\n`, { mode: 0o755 });
      const script = await readFile(join(ROOT, 'resources', 'bin', 'understudy'));
      await writeFile(join(root, ...place, 'understudy'), script, { mode: 0o755 });
      await execute('ln', ['-s', join(root, ...place, 'understudy'), join(root, 'link')]);
      const { stdout } = await execute(join(root, 'link'), ['chains', 'set', 'a b', '--yes']);
      expect(stdout).toBe('--cli\n--\nchains\nset\na b\n--yes\n');
    },
  );
});
