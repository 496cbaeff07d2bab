import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = async (name: string): Promise<Record<string, Record<string, Record<string, unknown>>>> =>
  JSON.parse(await readFile(join(root, name), 'utf8'));

describe('given the package and its lock', () => {
  it('when it is installed, then no script of ours or of a dependency runs', async () => {
    const scripts = Object.keys((await read('package.json')).scripts ?? {});
    const hooks = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
    expect(scripts.filter((name) => hooks.includes(name))).toEqual([]);
    const packages = Object.entries((await read('package-lock.json')).packages ?? {});
    expect(packages.filter(([, entry]) => entry.hasInstallScript === true).map(([name]) => name)).toEqual([]);
  });

  it('when the lock is read, then everything comes from the registry the user has set, by version and checksum', async () => {
    const packages = Object.entries((await read('package-lock.json')).packages ?? {}).filter(([name]) => name !== '');
    expect(packages.length).toBeGreaterThan(50);
    expect(
      packages.filter(([, entry]) => entry.resolved !== undefined || entry.link === true).map(([name]) => name),
    ).toEqual([]);
    expect(packages.filter(([, entry]) => typeof entry.integrity !== 'string').map(([name]) => name)).toEqual([]);
  });

  it('when its engines are read, then Node 20.19 is enough', async () => {
    expect((await read('package.json')).engines).toEqual({ node: '>=20.19.0' });
  });
});
