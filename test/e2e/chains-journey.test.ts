import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../src/demo/scripted-provider';
import { createSandbox, type OpencodeServer, type Sandbox, startOpencode } from '../../src/node/opencode';
import { leaveBrowser, openBrowser, openPage } from '../support/browser';
import { builtPlugin } from '../support/built-companion';
import { eventually } from '../support/eventually';
import { startJourney } from '../support/journey';
import { opencodeBinary } from '../support/opencode-binary';
import { providerConfig } from '../support/opencode-provider-config';
import { handsOn } from '../support/page-hands';
import { type PanelProcess, startPanel } from '../support/panel-process';
import { textOf } from '../support/said';
import { lean } from '../support/stage';

const MODELS = { alpha: ['lead-model', 'second-lead'], beta: ['understudy-model'], gem: ['third-model'] } as const;
const [LEAD, SECOND, BETA, GEM] = [
  'alpha/lead-model',
  'alpha/second-lead',
  'beta/understudy-model',
  'gem/third-model',
] as const;

let root: string;
let sandbox: Sandbox;
let provider: ScriptedProvider;
let server: OpencodeServer | undefined;
let panel: PanelProcess;
let browser: Browser;
let page: Page;
let complaints: string[];
let journey: ReturnType<typeof startJourney>;
const { tabTo, dragTo } = handsOn(() => page);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'us-'));
  const home = join(root, 'u');
  provider = await startScriptedProvider();
  const binary = await opencodeBinary();
  const plugin = [pathToFileURL(builtPlugin()).href];
  const config = { model: LEAD, provider: providerConfig(provider.url, MODELS), plugin };
  sandbox = await lean(await createSandbox({ root, git: true, config }));
  panel = await startPanel(home, { ...sandbox.env, OPENCODE_BIN: binary.path });
  server = await startOpencode({ binary, sandbox, env: { UNDERSTUDY_HOME: home } });
  await server.request('GET', '/session', { directory: sandbox.directory });
  browser = await openBrowser();
  ({ page, complaints } = await openPage(browser, panel.url));
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
  await panel?.kill();
  await provider?.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

const file = () => join(sandbox.configDirectory, 'model-fallback.json');
const written = async () => (JSON.parse(await readFile(file(), 'utf8')) as { agents: Record<string, unknown> }).agents;
const order = () =>
  page.evaluate(`[...document.querySelectorAll('.crow')].map((row) => row.getAttribute('data-model'))`);
const ordered = async (...models: string[]) => {
  await eventually(async () => JSON.stringify(await order()) === JSON.stringify(models)).catch(() => undefined);
  expect(await order()).toEqual(models);
};
const row = (model: string) => page.locator(`.crow[data-model="${model}"]`);
const changes = () => page.locator('.ldiff li').allInnerTexts();

async function click(what: Locator): Promise<void> {
  journey.did('click');
  await what.click();
}

async function press(key: string): Promise<void> {
  journey.did('key');
  await page.keyboard.press(key);
}

async function drag(from: Locator, to: Locator): Promise<void> {
  journey.did('drag');
  await dragTo(from, to);
}

/** A turn of OpenCode whose lead is limited; who answered it. */
async function turn(): Promise<string> {
  provider.clear();
  provider.script('lead-model', [{ kind: 'status', status: 429 }]);
  for (const [model] of [MODELS.beta, MODELS.gem]) provider.script(model, [{ kind: 'text', text: `${model} answers` }]);
  if (!server) throw new Error('OpenCode does not run');
  const session = await server.createSession(sandbox.directory);
  return textOf(await server.prompt(session, { agent: 'build', text: 'One' }));
}

describe('given a user with OpenCode, one chain to make, and a second pair of hands on the file', () => {
  it('when they make, tier, reorder, undo, apply and merge it, then OpenCode’s next turn goes by what they see', async () => {
    journey = startJourney('a chain made, tiered, reordered, undone, applied and merged');
    await page.evaluate(`location.hash = '#/chains/build'`);
    await row(LEAD).waitFor();
    await page.locator(`[data-offer="${GEM}"]`).waitFor();

    // Made: one by click, one by key, one by drag to its place.
    await click(page.locator(`[data-offer="${GEM}"]`));
    await press('a');
    await page.keyboard.type('understudy');
    await press('Enter');
    await drag(page.locator(`[data-offer="${SECOND}"]`), row(GEM));
    await ordered(LEAD, SECOND, GEM, BETA);

    // Tiered: a head named, and dragged before the third.
    await click(page.getByRole('button', { name: 'Add a tier' }));
    await page.getByRole('textbox', { name: 'Name of Tier 1' }).waitFor();
    await page.keyboard.type('Elsewhere');
    await press('Enter');
    await drag(page.getByRole('button', { name: 'Move the beginning of Elsewhere' }), row(GEM));
    expect(await changes()).toContainEqual(expect.stringContaining('Elsewhere'));

    // Put in another order by key, wrongly, and taken back; then rightly.
    await tabTo('Move understudy-model, position 4 of 4');
    await press('Alt+ArrowUp');
    await press('Alt+ArrowUp');
    await press('Control+z');
    await ordered(LEAD, SECOND, BETA, GEM);
    await press('Control+s');
    await page.getByText('The new chain of').waitFor();
    const made = { fallbackModels: [LEAD, SECOND], tiers: [{ name: 'Elsewhere', models: [BETA, GEM] }] };
    expect((await written()).build).toEqual(made);
    await page.locator('.draft').waitFor({ state: 'detached' });

    // Conflicted: mine takes one out, theirs adds another's chain and moves one of mine.
    await click(page.getByRole('button', { name: 'Remove second-lead' }));
    const theirs = { ...made, tiers: [{ name: 'Elsewhere', models: [GEM, BETA] }] };
    const agents = { ...(await written()), build: theirs };
    // An editor that writes in place empties the file first: whoever reads it then has read no change of theirs.
    await writeFile(file(), '');
    await page.getByText('the file is empty').first().waitFor();
    expect([await order(), await page.locator('.conflict').count()]).toEqual([[LEAD, BETA, GEM], 0]);
    await writeFile(file(), JSON.stringify({ agents }, null, 2));
    await page.getByRole('heading', { name: 'This chain was changed elsewhere' }).waitFor();
    await click(page.getByRole('button', { name: 'Combine both' }));
    await ordered(LEAD, GEM, BETA);
    await press('Control+s');
    await eventually(async () => JSON.stringify((await written()).build) !== JSON.stringify(theirs));
    expect((await written()).build).toEqual({ fallbackModels: [LEAD], tiers: theirs.tiers });
    await page.locator('.draft').waitFor({ state: 'detached' });
    expect(journey.end()).toEqual({ click: 4, drag: 2, key: 8 });

    // Its policy is one choice, and one key takes it back.
    const chain = (await written()).build;
    await page.getByRole('button', { name: 'patient', exact: true }).click();
    await page.getByText('now uses the policy patient.').waitFor();
    expect((await written()).build).toEqual({ ...(chain as object), policy: 'patient' });
    await press('Control+z');
    await page.getByText('Undone.').waitFor();
    expect((await written()).build).toEqual(chain);

    expect(await turn()).toBe('third-model answers');
    expect(complaints).toEqual([]);
  });
});
