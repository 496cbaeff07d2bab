import type { Page } from 'playwright-core';
import { vi } from 'vitest';
import type { Desktop } from './launch';

const PATIENCE_MS = 15_000;

/** The next page of the panel that is none of these. */
export const nextPage = (desktop: Desktop, known: readonly Page[]): Promise<Page> =>
  vi.waitUntil(async () => (await desktop.pages()).find((page) => !known.includes(page)) ?? false, {
    timeout: PATIENCE_MS,
  }) as Promise<Page>;

/** Has a page crash. */
export async function crash(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Page.crash').catch(() => undefined);
}
