import { join } from 'node:path';
import { build } from 'vite';
import { ensureChromium } from '../../scripts/ensure-chromium.mjs';
import { ensureOpencode } from '../../scripts/ensure-opencode.mjs';

/** Runs once before the end-to-end tests: finds or fetches what they drive and names it to the test processes. */
export async function setup(): Promise<void> {
  process.env.OPENCODE_BIN = await ensureOpencode();
  process.env.CHROMIUM_BIN = await ensureChromium();
  await build({
    configFile: join(import.meta.dirname, '..', '..', 'vite.node.config.ts'),
    mode: 'stand-in',
    logLevel: 'warn',
  });
}
