import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isNodeNewEnough, matchesLock } from '../../scripts/ensure-deps.mjs';
import { OPENCODE_VERSION, OPENCODE2_VERSION, packageName, packageName2 } from '../../scripts/ensure-opencode.mjs';
import { ensurePackage } from '../../scripts/ensure-package.mjs';
import { PINNED_OPENCODE_VERSION } from '../../src/node/opencode';
import { isProven } from '../../src/node/opencode/proven';

describe('given the machines OpenCode is built for', () => {
  it('when the package is named, then system, processor, musl and baseline are told apart', () => {
    const name = (platform: string, arch: string, isMusl = false, hasAvx2 = true) =>
      packageName({ platform, arch, isMusl, hasAvx2 });

    expect([
      name('linux', 'x64'),
      name('linux', 'x64', true, false),
      name('linux', 'arm64', true, false),
      name('darwin', 'arm64'),
      name('darwin', 'x64', false, false),
      name('win32', 'x64'),
    ]).toEqual([
      'opencode-linux-x64',
      'opencode-linux-x64-baseline-musl',
      'opencode-linux-arm64-musl',
      'opencode-darwin-arm64',
      'opencode-darwin-x64-baseline',
      'opencode-windows-x64',
    ]);
    expect(() => name('freebsd', 'x64')).toThrow('freebsd-x64');
  });

  it('when the script fetches OpenCode, then it is the version the product is measured on', () => {
    expect(OPENCODE_VERSION).toBe(PINNED_OPENCODE_VERSION);
    expect([isProven(OPENCODE_VERSION), isProven(OPENCODE2_VERSION)]).toEqual([true, true]);
  });

  it('when the package of OpenCode 2 is named, then it is the build that runs on every machine of its kind', () => {
    const machine = { arch: 'x64', isMusl: false, hasAvx2: true };
    expect([
      packageName2({ ...machine, platform: 'linux' }),
      packageName2({ ...machine, platform: 'darwin', arch: 'arm64' }),
    ]).toEqual(['@opencode/cli-linux-x64-baseline', '@opencode/cli-darwin-arm64']);
  });
});

describe('given a cache folder with one package in it, and no registry', () => {
  let cache: string;

  beforeEach(async () => {
    cache = await mkdtemp(join(tmpdir(), 'understudy-cache-'));
    const folder = join(cache, 'understudy', 'here-1.0.0', 'node_modules', 'here');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{}');
    vi.stubEnv('XDG_CACHE_HOME', cache);
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/');
    vi.stubEnv('npm_config_fetch_retries', '0');
  });

  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(cache, { recursive: true, force: true });
  });

  it('when that package is wanted, then it is found where it lies', async () => {
    const folder = join(cache, 'understudy', 'here-1.0.0', 'node_modules', 'here');
    expect(await ensurePackage('here', '1.0.0')).toBe(folder);
  });

  it('when another version is wanted, then one line says what could not be fetched and why', async () => {
    await expect(ensurePackage('here', '2.0.0')).rejects.toThrow(/^here 2\.0\.0 could not be fetched: .+$/);
  }, 180_000);
});

describe('given Node versions around 20.19', () => {
  it('when they are checked, then older ones are refused', () => {
    const versions = ['18.20.0', '20.18.9', '20.19.0', '22.0.0'];
    expect(versions.map(isNodeNewEnough)).toEqual([false, false, true, true]);
  });
});

describe('given a lock file with one package and one for another system', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'understudy-lock-'));
    await mkdir(join(root, 'node_modules', 'a'), { recursive: true });
    await writeFile(join(root, 'node_modules', 'a', 'package.json'), '{}');
    const packages = {
      '': { name: 'x' },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '1.0.0', optional: true },
    };
    await writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages }));
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  async function install(version: string): Promise<void> {
    const packages = { 'node_modules/a': { version } };
    await writeFile(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
  }

  it('when the installed version is the locked one, then it matches', async () => {
    await install('1.0.0');
    expect(matchesLock(root)).toBe(true);
  });

  it('when the installed version is another one, then it does not match', async () => {
    await install('0.9.0');
    expect(matchesLock(root)).toBe(false);
  });

  it('when the folder of the package is gone, then it does not match', async () => {
    await install('1.0.0');
    await rm(join(root, 'node_modules', 'a'), { recursive: true });
    expect(matchesLock(root)).toBe(false);
  });

  it('when nothing is installed, then it does not match', () => {
    expect(matchesLock(root)).toBe(false);
  });
});
