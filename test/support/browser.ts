import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { PATIENCE_MS } from './eventually';
import { isNightly } from './nightly';

/** True if pictures of the pages are wanted: drawing and writing hundreds of them takes minutes. */
export const isPictured = process.env.UNDERSTUDY_PICTURES === '1';

/** Themes to look at: axe finds the same in both but for contrast, and test/renderer/contrast.test.ts computes that. */
export const THEMES: readonly ('light' | 'dark')[] = isNightly ? ['light', 'dark'] : ['light'];

/** Leaves a picture of the page in `test-results`, where pictures are wanted; `name` is a path below, without `.png`. */
export async function picture(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  if (!isPictured) return;
  const folder = join(import.meta.dirname, '..', '..', 'test-results');
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage });
}

/** Leaves pictures of a page of 1280 px at both widths, where pictures are wanted. */
export async function picturesOf(page: Page, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  if (!isPictured) return;
  for (const width of [640, 1280]) {
    await page.setViewportSize({ width, height: 820 });
    await picture(page, `${name}-${width}`, options);
  }
}

let running: Promise<Browser> | undefined;
/** How long a page may take where others keep the machine busy, in ms; whoever waits goes on as soon as it has come. */
const PAGE_PATIENCE_MS = 2 * PATIENCE_MS;

/**
 * Chromium as the tests use it: quiet, off the network, and without a sandbox only for root. One for all files of a
 * worker, which ends with it; a file gives it back with {@link leaveBrowser}.
 */
export async function openBrowser(): Promise<Browser> {
  const earlier = await running;
  if (earlier?.isConnected()) return earlier;
  running = launchBrowser();
  return running;
}

/** Closes every page that a file has left open. */
export async function leaveBrowser(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

/** A page of the panel, 1280 px wide, and its complaints. */
export async function openPage(browser: Browser, url: string) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { page, complaints };
}

/** A Chromium of the caller's own, who closes it. */
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

/** Everything a page complains about: console errors and warnings, exceptions, refused resources. */
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
