/** @module-tag nightly */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { complaintsOf, leaveBrowser, openBrowser, picturesOf } from '../support/browser';
import {
  type CouncilStage,
  DONE,
  oneHoleWithoutGamma,
  openCouncilStage,
  saying,
  VENDORS,
} from '../support/council-stage';
import { handsOn } from '../support/page-hands';
import { type PanelProcess, startPanel } from '../support/panel-process';

const IDEA = { title: 'Keep the price in cents', text: 'Whole numbers do not round.' };

let stage: CouncilStage;
let panel: PanelProcess;
let browser: Browser;
let page: Page;
let complaints: string[];
const { tabTo, tabUntil } = handsOn(() => page);

beforeAll(async () => {
  stage = await openCouncilStage();
  const speakers = VENDORS.map((vendor) => [
    vendor,
    { model: `${vendor}/${vendor}-model`, fallback: `${vendor}/${vendor}-model-small`, vendor },
  ]);
  const file = join(stage.sandbox.configDirectory, 'model-fallback.json');
  await writeFile(file, JSON.stringify({ council: { speakers: Object.fromEntries(speakers) } }));
  panel = await startPanel(stage.home, { ...stage.sandbox.env, OPENCODE_BIN: stage.binary.path });
  browser = await openBrowser();
  page = await (await browser.newContext({ viewport: { width: 1280, height: 820 } })).newPage();
  complaints = complaintsOf(page);
  await page.goto(panel.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
});
afterAll(async () => {
  await leaveBrowser(browser);
  await panel?.stop();
  await stage?.close();
});

async function asked(text: string): Promise<void> {
  await page.keyboard.press('Control+6');
  await page.getByRole('heading', { level: 1, name: 'Council' }).waitFor();
  await tabUntil(`it.matches('.co-ask textarea')`);
  await page.keyboard.insertText(text);
  await tabTo('Check');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Plan' }).waitFor();
}

async function begun(): Promise<void> {
  await tabTo('Start');
  await page.keyboard.press('Enter');
}

/** Shows the report of a run that has ended under one's eyes, and saves it. */
async function saved(format: string): Promise<string> {
  if (!(await page.locator('.rep').isVisible())) {
    await tabTo('Show the report');
    await page.keyboard.press('Enter');
  }
  await page.locator('.rep').waitFor();
  await page.evaluate('scrollTo(0, 0)');
  await tabTo(format);
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  return await readFile(await download.path(), 'utf8');
}

it('when somebody with a keyboard alone asks for a review, then OpenCode plays it, they answer what it asks, and save its report', async () => {
  stage.answer(oneHoleWithoutGamma);
  await asked(stage.repo);
  await picturesOf(page, 'council-real/plan');
  await begun();
  await page.locator('main .ask').waitFor();
  await picturesOf(page, 'council-real/question');
  await tabTo('No');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'One hole.' }).waitFor();
  const sarif = JSON.parse(await saved('SARIF')) as { runs: { results: { ruleId: string }[] }[] };
  expect(sarif.runs[0]?.results.map(({ ruleId }) => ruleId)).toEqual(['council-critical']);
  await picturesOf(page, 'council-real/report', { fullPage: true });
  expect(await saved('HTML')).toContain('Code of a stranger is run');
  expect(complaints).toEqual([]);
});

it('when they put a problem, then it is thought about, and the options are there by their points', async () => {
  stage.answer(({ hero, stage: name, text }) => {
    if (hero === 'Pragmatist' && name === 'Divergence') return saying({ tool: 'PostIdeas', ideas: [IDEA] }, DONE);
    if (hero === 'Skeptic' && name === 'Divergence')
      return saying({ tool: 'PostIdeas', ideas: [{ title: 'Ask the ledger', text: 'One place.' }] }, DONE);
    if (name === 'Convergence') return saying({ tool: 'RankIdeas', ranking: ['i2', 'i1'] }, DONE);
    return text.includes('"PresentOptions"')
      ? saying({ tool: 'PresentOptions', headline: 'Ask the ledger.', nextSteps: ['Try it.'], dissent: [] }, DONE)
      : null;
  });
  await asked('Where should the price be kept?');
  await picturesOf(page, 'council-real/problem');
  await begun();
  await page.getByRole('heading', { level: 1, name: 'Ask the ledger.' }).waitFor();
  expect(await saved('Markdown')).toContain('Keep the price in cents');
  await picturesOf(page, 'council-real/ideas', { fullPage: true });
  expect(complaints).toEqual([]);
  const [run] = (await page.evaluate<string>('location.hash')).match(/r\d{8}-[\w-]+/) ?? [];
  expect(existsSync(join(stage.home, 'council', run ?? '', 'repo'))).toBe(false);
});
