import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { complaintsOf, leaveBrowser, openBrowser, picturesOf } from '../support/browser';
import { eventually } from '../support/eventually';
import { inventedFile } from '../support/invented-models';
import { handsOn } from '../support/page-hands';
import { type PanelProcess, startPanel } from '../support/panel-process';
import { rankingHome } from '../support/ranking-home';

let browser: Browser;
let home: Awaited<ReturnType<typeof rankingHome>>;
let panel: PanelProcess;
let page: Page;
let complaints: string[];
const { dragTo, tabTo, tabUntil, until, violations } = handsOn(() => page);

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => leaveBrowser(browser));
beforeEach(async () => {
  home = await rankingHome();
  panel = await startPanel(home.home, home.env);
});
afterEach(async () => {
  await page?.context().close();
  await panel?.kill();
  await home?.close();
  expect(complaints).toEqual([]);
});

async function open(locale: string): Promise<void> {
  const context = await browser.newContext({ locale, viewport: { width: 1280, height: 820 }, reducedMotion: 'reduce' });
  page = await context.newPage();
  complaints = complaintsOf(page);
  await page.goto(panel.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

const press = (key: string) => page.keyboard.press(key);
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const written = () => readFile(home.file, 'utf8');

/** What a screen reader is told of a model that is moved. */
const announced = (text: string) =>
  page.locator('[id^=DndLiveRegion]', { hasText: text }).waitFor({ state: 'attached' });

/** A lifted model takes keys after the places are measured: one frame and one task after the announcement. */
const keysAreTaken = () =>
  page.evaluate(`new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(go))))`);

const card = (model: string) => page.locator(`.tc[data-model="${model}"]`);

/** Nothing can be decided while the order is worked out again. */
const atRest = () => page.locator('.gate-act .btn-main[aria-disabled=false]').waitFor();

/** Takes in the invented values with keys alone. */
async function takeValues(): Promise<void> {
  await page.getByRole('button', { name: 'Import…' }).waitFor();
  await tabTo('Import…');
  await press('Enter');
  await page.keyboard.insertText(inventedFile());
  await tabUntil(`it.matches('dialog input.field:not([type])')`);
  await page.keyboard.insertText('Invented for tests');
  await tabUntil(`it.matches('dialog [type=submit]')`);
  await press('Enter');
  await page.getByText(/^48 values imported/).waitFor();
  await press('Escape');
}

describe('given a home with invented models, a chain of two of them, and no values', () => {
  it('when a person goes from there to a chain applied and undone with keys alone, then the file holds the old bytes again', async () => {
    await open('en-GB');
    await press('g');
    await press('r');
    await heading('No model can be ranked for Builder.');
    await page.getByText(/livecodebench missing for 8 of 8 models/).waitFor();

    await takeValues();
    await heading('For build, gale-3 scores highest.');
    await page.getByText(/atlas-1, the current primary, is \d+\.\d points behind/).waitFor();

    // A value and where it comes from.
    await tabUntil(`it.matches('.hm-cell')`);
    await press('ArrowDown');
    await press('ArrowRight');
    await page.locator('.hm-detail', { hasText: 'Invented for tests' }).waitFor();

    await tabTo('Propose');
    await press('Enter');
    await page.locator('.gate').waitFor();
    await page.getByText(/model 1 of \d+, \d+ to decide/).waitFor();

    // A place kept, and let go again.
    await tabTo('Fix boreal-2 at a position');
    await press('Enter');
    await tabTo('Let boreal-2 move again');
    await press('Enter');
    await page.getByRole('button', { name: 'Fix boreal-2 at a position' }).waitFor();

    // The same by lifting it: over the one before it, it takes its place.
    await tabTo('Position of boreal-2, 3 of 5');
    await press('Space');
    await announced('boreal-2, position 3. Lifted.');
    await keysAreTaken();
    await press('ArrowUp');
    await announced('boreal-2, over position 2.');
    await press('Space');
    await page.getByRole('button', { name: 'Position of boreal-2, 2 of 5' }).waitFor();
    await tabTo('Let boreal-2 move again');
    await press('Enter');
    await page.getByRole('button', { name: 'Position of boreal-2, 3 of 5' }).waitFor();

    await tabUntil(`it.matches('.gate-act .btn-main')`);
    for (let left = await page.locator('.tc-open').count(); left > 0; left--) {
      await atRest();
      await press('a');
      await until(`document.querySelectorAll('.tc-open').length === ${left - 1}`);
    }
    await page.locator('.rk-apply .diff').first().waitFor();
    const shown = await page.locator('.rk-apply .diff').first().innerText();
    await tabTo('Apply');
    await press('Enter');
    await page.getByText('Applied. The file contains what you approved.').waitFor();
    expect(await written()).toContain('gamma/gale-3');
    expect(shown).toContain('gamma/gale-3');
    expect(JSON.parse(await written())).toMatchObject({ agents: { build: { tiers: expect.anything() } } });

    await tabUntil(`it.closest('.rk-apply') !== null && it.textContent === 'Undo'`);
    await press('Enter');
    await page.getByText('Undone: the files are restored.').waitFor();
    await eventually(async () => (await written()) === home.before);
  }, 240_000);

  it('when a model is dragged to another place and one is never wanted, then it stands there, and that one nowhere', {
    tags: ['nightly'],
  }, async () => {
    await open('en-GB');
    await page.evaluate(`location.hash = '#/ranking'`);
    await takeValues();
    await page.getByRole('button', { name: 'Propose', exact: true }).click();
    await atRest();
    await dragTo(page.getByRole('button', { name: 'Position of dune-9, 5 of 5' }), card('alpha/atlas-1'));
    await page.getByRole('button', { name: 'Position of dune-9, 2 of 5' }).waitFor();
    await atRest();
    await page.getByRole('button', { name: 'Never', exact: true }).click();
    await card('gamma/gale-3').waitFor({ state: 'detached' });
    expect(await card('delta/dune-9').count()).toBe(1);
    await page.getByText('Never proposed for this agent').click();
    await page.getByRole('button', { name: 'Propose gale-3 again' }).click();
    await card('gamma/gale-3').waitFor();
  });

  it('when the view is looked at in each theme, empty, ranked and under review, in English and in German, then axe finds nothing', {
    tags: ['nightly'],
    timeout: 240_000,
  }, async () => {
    const found: string[] = [];
    const looked = async (where: string, picturesAs: string): Promise<void> => {
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        found.push(...(await violations(`${where} ${theme}`)));
        await picturesOf(page, `${picturesAs}-${theme}`, { fullPage: true });
      }
    };
    await open('en-GB');
    await page.evaluate(`location.hash = '#/ranking'`);
    await heading('No model can be ranked for Builder.');
    await page.locator('.hm').waitFor();
    await looked('empty', 'ranking/empty');
    await takeValues();
    await heading('For build, gale-3 scores highest.');
    await page.getByRole('button', { name: 'Propose', exact: true }).click();
    await page.locator('.gate').waitFor();
    await until(`document.querySelector('.rk-phases [role=status]').textContent.startsWith('Waiting')`);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.evaluate('scrollTo(0, 0)');
      await picturesOf(page, `screens/ranking-${theme}`);
    }
    await page.evaluate(`for (const each of document.querySelectorAll('details')) each.open = true`);
    await page.locator('.hm-cell').nth(3).focus();
    await looked('under review', 'ranking/ranking');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await heading('Für build hat gale-3 die höchste Wertung.');
    found.push(...(await violations('German', { contrast: false })));
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await picturesOf(page, `ranking/de-${theme}`, { fullPage: true });
    }
    expect(found).toEqual([]);
  });
});
