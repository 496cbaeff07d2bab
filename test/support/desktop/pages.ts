import type { Page } from 'playwright-core';
import { eventually } from '../eventually';
import type { Desktop } from './launch';

/** The next page of the panel that is none of these. */
export const nextPage = (desktop: Desktop, known: readonly Page[]): Promise<Page> =>
  eventually(async () => (await desktop.pages()).find((page) => !known.includes(page)) ?? false) as Promise<Page>;

/** Has a page crash. */
export async function crash(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Page.crash').catch(() => undefined);
}
