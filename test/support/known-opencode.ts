import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpencodeBinary } from '../../src/node/opencode';
import { buildOf, keepVerdict } from '../../src/node/setup/host-abilities';
import { builtPlugin, partsOf } from './built-companion';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * Records in a state home that an OpenCode lets turns be moved, so that no self-test runs beside a test.
 * `test/e2e/self-test.test.ts` tests the self-test.
 */
export async function knowOpencode(home: string, { path, version: opencode }: OpencodeBinary): Promise<void> {
  const { version: plugin } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const build = await buildOf(join(partsOf(builtPlugin()), 'runtime.js'), path);
  await keepVerdict(home, { opencode, plugin, ...(build ? { build } : {}), broken: [], at: Date.now() });
}
