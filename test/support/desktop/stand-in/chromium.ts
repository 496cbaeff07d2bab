import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import type { BrowserContext } from 'playwright';

/**
 * Loading takes most of the start time, so `require` loads it with the first window, without the name analysis of an
 * import.
 */
const require = createRequire(import.meta.url);

export type Chromium = Readonly<{ context: BrowserContext; port: number }>;

/** Starts Chromium with a profile in the app's folder. It ends with this process. */
export async function startChromium(userData: string): Promise<Chromium> {
  const executablePath = process.env.CHROMIUM_BIN;
  if (!executablePath) throw new Error('CHROMIUM_BIN is not set: the end-to-end set-up names it');
  const { chromium } = require('playwright') as typeof import('playwright');
  const profile = join(userData, `chromium-${process.pid}`);
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--remote-debugging-port=0', '--disable-gpu', '--disable-quic'],
    viewport: null,
    timeout: 120_000,
  });
  const [port] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
  return { context, port: Number(port) };
}
