import type { Page } from 'playwright';
import { eventually } from '../eventually';
import type { Desktop } from './launch';

export const nextPage = (desktop: Desktop, known: readonly Page[]): Promise<Page> =>
  eventually(async () => (await desktop.pages()).find((page) => !known.includes(page)) ?? false) as Promise<Page>;

export async function crash(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Page.crash').catch(() => undefined);
}

/** Shortens timers of half a minute, after which the app drops a hidden page, to `ms`. */
export const shortenHalfMinutes = (desktop: Desktop, ms: number): Promise<void> =>
  desktop.evaluate((_, shortMs) => {
    const later = globalThis.setTimeout;
    globalThis.setTimeout = ((run: () => void, ms: number) => later(run, ms === 30_000 ? shortMs : ms)) as typeof later;
  }, ms);
