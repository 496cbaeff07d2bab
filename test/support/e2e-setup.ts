import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { ensureChromium } from '../../scripts/ensure-chromium.mjs';
import { ensureOpencode, ensureOpencode2 } from '../../scripts/ensure-opencode.mjs';
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
  const list = join(folder, 'shared.jsonl');
  process.env.UNDERSTUDY_SHARED = list;
  return async () => {
    await endShared(list);
    await rm(folder, { recursive: true, force: true });
  };
}

/** Ends what the list names, and removes its folders; an OpenCode that has ended is no longer there. */
async function endShared(list: string): Promise<void> {
  const lines = (await readFile(list, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  for (const { pid, root } of lines.map((line) => JSON.parse(line) as { pid: number; root: string })) {
    try {
      // Of a group of its own, with all that it has started.
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch {
      // It has ended before.
    }
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}
