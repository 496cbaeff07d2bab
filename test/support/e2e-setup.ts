import { join } from 'node:path';
import { build } from 'vite';
import { ensureChromium } from '../../scripts/ensure-chromium.mjs';
import { ensureOpencode, ensureOpencode2 } from '../../scripts/ensure-opencode.mjs';

/** Runs once before the end-to-end tests: finds or fetches what they drive and names it to the test processes. */
export async function setup(): Promise<void> {
  process.env.OPENCODE_BIN = await ensureOpencode();
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
}
