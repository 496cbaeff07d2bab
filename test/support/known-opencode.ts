import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpencodeBinary } from '../../src/node/opencode';
import { buildOf, keepVerdict } from '../../src/node/setup/host-abilities';
import { builtPlugin, partsOf } from './built-companion';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * Lets a state home know that an OpenCode lets turns be moved, so that no proof runs beside what a test looks at. The proof
 * itself has a file of its own, `test/e2e/self-test.test.ts`.
 */
export async function knowOpencode(home: string, { path, version: opencode }: OpencodeBinary): Promise<void> {
  const { version: plugin } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const build = await buildOf(join(partsOf(builtPlugin()), 'runtime.js'), path);
  await keepVerdict(home, { opencode, plugin, ...(build ? { build } : {}), broken: [], at: Date.now() });
}
