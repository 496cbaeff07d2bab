import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { PATIENCE_MS } from './eventually';
import { isNightly } from './nightly';

/** True if screenshots are enabled; hundreds of them take minutes. */
export const isPictured = process.env.UNDERSTUDY_PICTURES === '1';

/** Axe finds the same in both themes except contrast, which test/renderer/contrast.test.ts computes. */
export const THEMES: readonly ('light' | 'dark')[] = isNightly ? ['light', 'dark'] : ['light'];

/** Writes a screenshot to `test-results` if enabled; `name` is a path without `.png`. */
export async function picture(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  if (!isPictured) return;
  const folder = join(import.meta.dirname, '..', '..', 'test-results');
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage });
}

/** Writes screenshots of a 1280 px page at both widths, if enabled. */
export async function picturesOf(page: Page, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  if (!isPictured) return;
  for (const width of [640, 1280]) {
    await page.setViewportSize({ width, height: 820 });
    await picture(page, `${name}-${width}`, options);
  }
}

let running: Promise<Browser> | undefined;
/** Time limit for a page on a busy machine, in ms. */
const PAGE_PATIENCE_MS = 2 * PATIENCE_MS;

/**
 * Chromium without network, and without a sandbox only for root. All files of a worker share it; a file ends its use
 * with {@link leaveBrowser}.
 */
export async function openBrowser(): Promise<Browser> {
  const earlier = await running;
  if (earlier?.isConnected()) return earlier;
  running = launchBrowser();
  return running;
}

export async function leaveBrowser(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

export async function openPage(browser: Browser, url: string) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { page, complaints };
}

export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_BIN;
  if (!executablePath) throw new Error('CHROMIUM_BIN is not set: the end-to-end set-up names it');
  const browser = await chromium.launch({
    executablePath,
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    context.setDefaultTimeout(PAGE_PATIENCE_MS);
    return context;
  };
  return browser;
}

export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  // Chromium prints nothing about code from a string if the page catches the exception.
  void page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.effectiveDirective));`,
  );
  return complaints;
}
