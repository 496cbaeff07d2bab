import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { ensureChromium } from '../../scripts/ensure-chromium.mjs';
import { ensureOpencode, ensureOpencode2 } from '../../scripts/ensure-opencode.mjs';
import { killTree } from '../../src/node/opencode/child';
import { opencodeBinary } from './opencode-binary';

/**
 * Runs once before the end-to-end tests: finds or fetches what they drive and names it to the test processes.
 *
 * @returns what ends the OpenCodes that files have shared (`shared-stage.ts`), once all have been played.
 */
export async function setup(): Promise<() => Promise<void>> {
  process.env.OPENCODE_BIN = await ensureOpencode();
  delete process.env.UNDERSTUDY_OPENCODE_VERSION;
  // Where it does not answer, each worker asks it again, and its files say why.
  const known = await opencodeBinary().catch(() => null);
  if (known) process.env.UNDERSTUDY_OPENCODE_VERSION = known.version;
  process.env.OPENCODE2_BIN = await ensureOpencode2().catch((error: Error) => {
    // Not built for this machine, or not to be had: its promises are left out, and that is said.
    if (process.env.OPENCODE2_BIN || process.env.CI) throw error;
    console.warn(`No OpenCode 2 is run: ${error.message}`);
    return '';
  });
  process.env.CHROMIUM_BIN = await ensureChromium();
  await build({
    configFile: join(import.meta.dirname, '..', '..', 'vite.node.config.ts'),
    mode: 'stand-in',
    logLevel: 'warn',
  });
  const folder = await mkdtemp(join(tmpdir(), 'us-'));
  process.env.UNDERSTUDY_SHARED = folder;
  return () => endShared(folder);
}

/** Ends the OpenCodes that still have a file there, called by their process and holding the folder they work in. */
async function endShared(folder: string): Promise<void> {
  for (const pid of await readdir(folder)) {
    killTree(Number(pid), 'SIGKILL');
    await rm(await readFile(join(folder, pid), 'utf8'), { recursive: true, force: true, maxRetries: 5 });
  }
  await rm(folder, { recursive: true, force: true });
}
