import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

/** The browser that draws the stand-in's windows. */
export type Chromium = Readonly<{ context: BrowserContext; port: number; kill(): void }>;

const FLAGS = [
  ...['--headless', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--remote-debugging-port=0'],
];

/** Starts Chromium on a profile of its own. It ends with this process. */
export async function startChromium(userData: string): Promise<Chromium> {
  const program = process.env.CHROMIUM_BIN;
  if (!program) throw new Error('CHROMIUM_BIN is not set: the end-to-end set-up names it');
  const profile = join(userData, 'chromium');
  mkdirSync(profile, { recursive: true });
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const child = spawn(program, [...FLAGS, ...asRoot, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const port = await portOf(child);
  // From here on nobody reads what it says.
  child.stderr?.resume();
  const browser: Browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const [context] = browser.contexts();
  if (!context) throw new Error('Chromium has no profile');
  return { context, port, kill };
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const port = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(said)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    child.once('exit', (code) => reject(new Error(`Chromium ended with ${code}: ${said}`)));
    child.once('error', reject);
  });
}
