import { execFile } from 'node:child_process';
import { cp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npmCommand } from '../../scripts/npm-command.mjs';
import { companionParts } from '../../scripts/npm-package.mjs';
import type { Manifest } from './npm-registry';

const execute = promisify(execFile);
export const PACKAGE_FOLDER = join(import.meta.dirname, '..', '..', 'out', 'npm', 'opencode-understudy');

export type Packed = Readonly<{
  folder: string;
  tarball: string;
  manifest: Manifest & Readonly<{ main: string }>;
  files: readonly string[];
}>;

export async function pack(into: string, folder = PACKAGE_FOLDER): Promise<Packed> {
  const { command, args } = npmCommand();
  const run = execute(command, [...args, 'pack', '--json', '--pack-destination', into], { cwd: folder });
  const [packed] = JSON.parse((await run).stdout) as [{ filename: string; files: readonly { path: string }[] }];
  return {
    folder,
    tarball: join(into, packed.filename),
    manifest: JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')),
    files: packed.files.map(({ path }) => path),
  };
}

/** Packs the next version, with parts in another folder. */
export async function packNext(into: string): Promise<Packed> {
  const folder = join(into, 'next');
  await cp(PACKAGE_FOLDER, folder, { recursive: true });
  const plugin = join(folder, 'plugin');
  const parts = companionParts(plugin);
  const version = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).version as string;
  const next = version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
  await rename(join(plugin, parts), join(plugin, 'understudy-0123456789ab'));
  for (const path of await readdir(folder, { recursive: true })) {
    if (!/\.(?:js|json)$/.test(path)) continue;
    const text = await readFile(join(folder, path), 'utf8');
    await writeFile(
      join(folder, path),
      text
        .replaceAll(parts, 'understudy-0123456789ab')
        .replaceAll(`"${version}"`, `"${next}"`)
        .replace(`opencode-understudy ${version}\n`, `opencode-understudy ${next}\n`),
    );
  }
  return await pack(into, folder);
}
