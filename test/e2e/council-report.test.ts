import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { reportHtml } from '../../src/features/council/core/report-html';
import type { CouncilReport } from '../../src/features/council/rules/report/schema';
import { complaintsOf, leaveBrowser, openBrowser, picture, THEMES } from '../support/browser';
import { hostileReport, largeReview, richBrainstorm, richReview } from '../support/council-report';
import { UNREADABLE } from '../support/layout';
import { nightlyIf } from '../support/nightly';
import { handsOn } from '../support/page-hands';

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => leaveBrowser(browser));

/** A report as somebody opens it who was sent the file: from a disk, without a network. */
async function opened(report: CouncilReport) {
  const folder = await mkdtemp(join(tmpdir(), 'us-'));
  const file = join(folder, 'report.html');
  await writeFile(file, reportHtml(report));
  const context = await browser.newContext({
    ...{ viewport: { width: 1280, height: 900 }, colorScheme: 'light', offline: true },
  });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const url = pathToFileURL(file).href;
  await page.goto(url);
  const setWidth = (width: number): Promise<void> => page.setViewportSize({ width, height: 900 });
  const close = async (): Promise<void> => {
    await context.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { page, complaints, asked: () => asked.filter((each) => each !== url), setWidth, close };
}

type Opened = Awaited<ReturnType<typeof opened>>;

/** How far the page is wider than its window, in px. */
const tooWide = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Reports of hostile texts have all parts of the others, which the nightly run plays. */
const REPORTS = [
  ['review', richReview()],
  ['brainstorm', richBrainstorm()],
  ['review of hostile texts', hostileReport(richReview())],
  ['brainstorm of hostile texts', hostileReport(richBrainstorm())],
] as const;

for (const [name, report] of REPORTS)
  describe(`given the report of a ${name} as a file`, nightlyIf(!name.includes('hostile')), () => {
    let file: Opened;
    beforeAll(async () => {
      file = await opened(report);
    });
    afterAll(() => file?.close());

    it('when it is opened, then it wears its own styles, asks for nothing, runs nothing and leads nowhere', async () => {
      const { page, complaints, asked } = file;
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(246, 247, 249)');
      expect(await page.locator('script, img, iframe, object, embed, link, base, form').count()).toBe(0);
      expect(await page.locator('[href], [src], [srcset], [style], [onerror], [onload], [target]').count()).toBe(0);
      expect([complaints, asked()]).toEqual([[], []]);
    });

    it('when it is printed, then nothing of it is closed, and no code is cut off', async () => {
      const { page } = file;
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('details').count()).toBe(0);
      expect(
        await page.evaluate(
          `[...document.querySelectorAll('.code')].filter((each) => each.scrollWidth > each.clientWidth + 1).length`,
        ),
      ).toBe(0);
      expect(await tooWide(page)).toBeLessThanOrEqual(0);
      await page.emulateMedia({ media: 'screen' });
    });

    it.each(THEMES)('when it is read in the %s, then nobody is shut out', async (scheme) => {
      const { page, complaints } = file;
      const { violations } = handsOn(() => page);
      await page.emulateMedia({ colorScheme: scheme });
      expect(await violations(name)).toEqual([]);
      expect(complaints).toEqual([]);
    });

    it.each([320, 640, 1280])('when its window is %i px wide, then nothing lies beside it', async (width) => {
      const { page, setWidth } = file;
      await setWidth(width);
      expect(await tooWide(page)).toBeLessThanOrEqual(0);
    });
  });

describe.each([
  ['review', richReview()],
  ['brainstorm', richBrainstorm()],
] as const)('given the report of a %s that somebody reads', (name, report) => {
  let file: Opened;
  beforeAll(async () => {
    file = await opened(report);
  });
  afterAll(() => file?.close());

  it.each([320, 640, 1280])(
    'when the window is %i px wide, then no line is too long and no word is broken',
    async (width) => {
      const { page, setWidth } = file;
      await setWidth(width);
      expect(await page.evaluate(UNREADABLE.replaceAll("'.scroll, ", "'.code, .scroll, "))).toEqual([]);
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await picture(page, `council-report-${name}-${scheme}-${width}`, { fullPage: true });
      }
    },
  );
});

describe('given a report of 500 findings', () => {
  it('when it is opened, then it is there, and as wide as its window', async () => {
    const { page, complaints, setWidth, close } = await opened(largeReview(500));
    onTestFinished(close);
    await setWidth(320);
    expect(await page.locator('#findings').textContent()).toBe('Findings');
    expect(await page.locator('main h4').count()).toBe(500);
    expect([await tooWide(page), complaints]).toEqual([0, []]);
  });
});
