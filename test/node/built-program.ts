import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { tempFolder } from './temp-folder';

const ROOT = join(import.meta.dirname, '..', '..');

/** Where the sources lie, for the imports of such a program. */
export const SOURCE = join(ROOT, 'src');

/** Builds a program for Node from its source. @returns where it lies. */
export async function builtProgram(source: string): Promise<string> {
  const folder = await tempFolder();
  const entry = join(folder, 'program.ts');
  await writeFile(entry, source);
  // What is optional is asked for when it runs.
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: entry,
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: 'program.mjs', format: 'es' } },
    },
    ssr: { noExternal: true, target: 'node' },
  });
  return join(folder, 'program.mjs');
}
