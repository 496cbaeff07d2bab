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
 * Runs once before the end-to-end tests: finds or downloads the programs and sets their paths in the environment.
 * @returns a function that ends shared OpenCodes (`shared-stage.ts`).
 */
export async function setup(): Promise<() => Promise<void>> {
  process.env.OPENCODE_BIN = await ensureOpencode();
  delete process.env.UNDERSTUDY_OPENCODE_VERSION;
  // If this fails, each worker tries again and its files report the reason.
  const known = await opencodeBinary().catch(() => null);
  const folder = await mkdtemp(join(tmpdir(), 'us-'));
  if (known) {
    process.env.UNDERSTUDY_OPENCODE_VERSION = known.version;
    if (!isNightly && process.platform !== 'win32') process.env.OPENCODE_BIN = await withoutStart(known, folder);
  }
  process.env.OPENCODE2_BIN = await ensureOpencode2().catch((error: Error) => {
    // Not built for this machine or not available: its promises are skipped, with a warning.
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

/**
 * Creates a program that prints the version at once, which takes OpenCode a second, and starts OpenCode for all else.
 */
async function withoutStart({ path, version }: OpencodeBinary, folder: string): Promise<string> {
  const program = join(folder, 'opencode');
  const script = `#!/bin/sh\n[ "$*" = --version ] && echo '${version}' && exit\nexec '${path}' "$@"\n`;
  await writeFile(program, script, { mode: 0o755 });
  return program;
}

/** Ends OpenCodes that still have a file, which is named by process id and contains the working folder. */
async function endShared(folder: string): Promise<void> {
  for (const pid of await readdir(folder)) {
    killTree(Number(pid), 'SIGKILL');
    await rm(await readFile(join(folder, pid), 'utf8'), { recursive: true, force: true, maxRetries: 5 });
  }
  await rm(folder, { recursive: true, force: true });
}
