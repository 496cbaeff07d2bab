import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = async (name: string): Promise<Record<string, Record<string, Record<string, unknown>>>> =>
  JSON.parse(await readFile(join(root, name), 'utf8'));

type Entry = Readonly<{
  integrity?: string;
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}>;

/** Where a package of the lock finds another one, as Node looks for it; null where it does not. */
function placeOf(packages: Readonly<Record<string, Entry>>, from: string, name: string): string | null {
  const place = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (place in packages) return place;
  return from === '' ? null : placeOf(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

/** Licences that ask for nothing but their text beside the code. */
const PERMISSIVE = new Set([
  ...['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0', 'Python-2.0'],
]);
/** They test pages and build them. */
const TOOLS = /^(?:@axe-core\/playwright|axe-core|lightningcss(?:-[\w-]+)?|caniuse-lite)$/;

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

  it('when the packages of packaging are read, then they are locked by version and checksum, for every system', async () => {
    const { packages = {} } = (await read('packaging/package-lock.json')) as {
      packages?: Record<string, Entry>;
    };
    const entries = Object.entries(packages);
    expect(entries.length).toBeGreaterThan(200);
    expect(entries.filter(([name, { integrity }]) => name !== '' && !integrity?.startsWith('sha512-'))).toEqual([]);
    expect(entries.filter(([, { resolved, link }]) => resolved !== undefined || link === true)).toEqual([]);
    // A mirror that leaves packages of other systems out would leave a hole here.
    const missing = entries.flatMap(([path, { dependencies, devDependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
        .filter((name) => placeOf(packages, path, name) === null)
        .map((name) => `${path} needs ${name}`),
    );
    expect(missing).toEqual([]);
    expect(packages['']?.devDependencies).toEqual({ 'electron-builder': expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  });

  it('when licences are read, then each package has a permissive one, but for tools that no source imports', async () => {
    const packages = Object.entries((await read('package-lock.json')).packages ?? {}).filter(([name]) => name !== '');
    const others = packages.filter(
      ([, { license }]) =>
        !String(license)
          .split(/ OR | AND /)
          .every((one) => PERMISSIVE.has(one)),
    );
    const names = others.map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(others.filter(([, { dev }]) => dev !== true)).toEqual([]);
    expect(names.filter((name) => !TOOLS.test(name))).toEqual([]);
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.tsx?$/.test(path),
    );
    const imported = sources.flatMap((path) =>
      [...readFileSync(join(root, 'src', path), 'utf8').matchAll(/from '([^'.][^']*)'/g)].map(([, name]) => name),
    );
    expect(imported).toContain('zod');
    expect(names.filter((name) => imported.includes(name))).toEqual([]);
  });

  it('when its engines are read, then Node 20.19 is enough', async () => {
    expect((await read('package.json')).engines).toEqual({ node: '>=20.19.0' });
  });
});
