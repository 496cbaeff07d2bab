import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { ensureChromium } from '../../scripts/ensure-chromium.mjs';
import { ensureOpencode, ensureOpencode2 } from '../../scripts/ensure-opencode.mjs';
import type { OpencodeBinary } from '../../src/node/opencode';
import { killTree } from '../../src/node/opencode/child';
import { isNightly } from './nightly';
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
  const folder = await mkdtemp(join(tmpdir(), 'us-'));
  if (known) {
    process.env.UNDERSTUDY_OPENCODE_VERSION = known.version;
    if (!isNightly && process.platform !== 'win32') process.env.OPENCODE_BIN = await withoutStart(known, folder);
  }
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
  process.env.UNDERSTUDY_SHARED = await mkdtemp(join(folder, 'shared-'));
  return async () => {
    await endShared(process.env.UNDERSTUDY_SHARED ?? '');
    await rm(folder, { recursive: true, force: true });
  };
}

/** Makes a program that prints the version at once, for which OpenCode takes a second, and is OpenCode for all else. */
async function withoutStart({ path, version }: OpencodeBinary, folder: string): Promise<string> {
  const program = join(folder, 'opencode');
  const script = `#!/bin/sh\n[ "$*" = --version ] && echo '${version}' && exit\nexec '${path}' "$@"\n`;
  await writeFile(program, script, { mode: 0o755 });
  return program;
}

/** Ends the OpenCodes that still have a file there, called by their process and holding the folder they work in. */
async function endShared(folder: string): Promise<void> {
  for (const pid of await readdir(folder)) {
    killTree(Number(pid), 'SIGKILL');
    await rm(await readFile(join(folder, pid), 'utf8'), { recursive: true, force: true, maxRetries: 5 });
  }
  await rm(folder, { recursive: true, force: true });
}
