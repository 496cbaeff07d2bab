import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../src/demo/scripted-provider';
import { createSandbox, type OpencodeServer, type Sandbox, startOpencode } from '../../src/node/opencode';
import { leaveBrowser, openBrowser, openPage } from '../support/browser';
import { eventually } from '../support/eventually';
import { startJourney } from '../support/journey';
import { opencodeBinary } from '../support/opencode-binary';
import { providerConfig } from '../support/opencode-provider-config';
import { type PanelProcess, startPanel } from '../support/panel-process';
import { COMMAND_LINE } from '../support/program-output';
import { lean } from '../support/stage';

const MODELS = { alpha: ['lead-model'], beta: ['understudy-model'] } as const;
const [PRIMARY, FALLBACK] = ['alpha/lead-model', 'beta/understudy-model'];
/** Clicks from the first view that a common job may take. */
const CLICKS_MAX = 3;

let root: string;
let home: string;
let sandbox: Sandbox;
let provider: ScriptedProvider;
let opencode: OpencodeServer;
let panel: PanelProcess;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'us-'));
  home = join(root, 'u');
  provider = await startScriptedProvider();
  const binary = await opencodeBinary();
  const config = { model: PRIMARY, provider: providerConfig(provider.url, MODELS) };
  sandbox = await lean(await createSandbox({ root, git: true, config }));
  panel = await startPanel(home, { ...sandbox.env, OPENCODE_BIN: binary.path });
  browser = await openBrowser();
});
afterAll(async () => {
  expect(complaints).toEqual([]);
  await leaveBrowser(browser);
  await opencode?.stop();
  await panel?.kill();
  await provider?.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

let journey: ReturnType<typeof startJourney>;

/** Opens the panel as a user does, without an address of a view. */
async function openFirstView(job: string): Promise<void> {
  await page?.context().close();
  ({ page, complaints } = await openPage(browser, panel.url));
  await page.getByRole('heading', { level: 1 }).waitFor();
  journey = startJourney(job);
}

async function click(role: 'button' | 'link', name: string | RegExp): Promise<void> {
  await page.getByRole(role, { name, exact: true }).first().click();
  journey.did('click');
}

async function confirm(): Promise<void> {
  await page.locator('dialog button[type=submit]:enabled').click();
  journey.did('click');
}

function endWithin(clicks = CLICKS_MAX): void {
  expect(journey.end().click).toBeLessThanOrEqual(clicks);
}

async function cli(...args: readonly string[]): Promise<string> {
  const env = { ...sandbox.env, UNDERSTUDY_HOME: home, OPENCODE_BIN: (await opencodeBinary()).path };
  const options = { env, cwd: sandbox.directory };
  return (await promisify(execFile)(process.execPath, [...COMMAND_LINE, ...args], options)).stdout;
}

const chains = () => readFile(join(sandbox.configDirectory, 'model-fallback.json'), 'utf8');
const chainOf = async (agent: string): Promise<string> =>
  JSON.stringify(JSON.parse(await chains()).agents[agent] ?? null);
const stateOf = async (model: string): Promise<string> => {
  const { models } = JSON.parse(await cli('status', '--json')) as { models: { model: string; state: string }[] };
  return models.find((row) => row.model === model)?.state ?? 'unseen';
};

describe('given the first view of the panel', () => {
  it('when a user protects all agents, then it takes at most three clicks, and one command says the same', async () => {
    await openFirstView('protect all agents');
    await click('button', 'Add the line');
    opencode = await startOpencode({ binary: await opencodeBinary(), sandbox, env: { UNDERSTUDY_HOME: home } });
    await opencode.request('GET', '/session', { directory: sandbox.directory });
    await click('button', 'Protect all');
    await page.getByText('4 of 4 agents are protected.').waitFor();
    endWithin();
    expect(await chainOf('build')).toContain(FALLBACK);
    await cli('chains', 'suggest', '--apply');
    expect(await chainOf('build')).toContain(FALLBACK);
  });

  describe('and a primary that was rate limited', () => {
    beforeAll(async () => {
      provider.script('lead-model', () => ({ kind: 'status', status: 429, headers: { 'retry-after': '840' } }));
      provider.script('understudy-model', () => ({ kind: 'text', text: 'DONE' }));
      const session = await opencode.createSession(sandbox.directory);
      await opencode.prompt(session, { text: 'Hello' });
      await eventually(async () => (await stateOf(PRIMARY)) === 'cooling');
    });

    it('when a user asks why a model was left, then one click and one command give the reason', async () => {
      await openFirstView('see why a model was left');
      await click('button', 'Why does build use understudy-model?');
      await page.getByText('rate limited').first().waitFor();
      endWithin();
      expect(await cli('status')).toMatch(/rate limited \(429\)/);
    });

    it('when a user resets a breaker, then it takes at most three clicks or one command', async () => {
      await openFirstView('reset a breaker');
      await click('link', /^Models/);
      await click('button', 'Reset…');
      await confirm();
      await eventually(async () => (await stateOf(PRIMARY)) === 'ready');
      endWithin();
      expect(await cli('model', 'reset', PRIMARY)).toContain(PRIMARY);
    });

    it('when a user reorders a chain, then it takes at most three clicks or one command', async () => {
      await openFirstView('reorder a chain');
      await click('link', /^Chains/);
      await click('button', 'Move understudy-model up');
      const before = await chains();
      await click('button', 'Apply');
      await eventually(async () => (await chains()) !== before);
      endWithin();
      await cli('chains', 'move', 'plan', FALLBACK, '1');
      const [chain] = JSON.parse(await cli('chains', 'get', 'plan', '--json')) as { models: string[] }[];
      expect(chain?.models).toEqual([FALLBACK, PRIMARY]);
    });

    it('when a user sets a budget, then it takes at most three clicks or one command', async () => {
      await openFirstView('set a budget');
      await click('link', /^Usage/);
      await page.getByLabel('Daily budget').fill('20');
      await click('button', 'Apply…');
      await confirm();
      await eventually(async () => JSON.parse(await chains()).budget?.day === 20);
      endWithin();
      await cli('limits', 'set', 'budget.day', '15');
      expect(JSON.parse(await chains()).budget.day).toBe(15);
    });

    it('when a user exports the scorecard, then it takes at most three clicks or one command', async () => {
      await openFirstView('export the scorecard');
      await click('link', /^Sessions/);
      await click('button', 'Export…');
      const download = page.waitForEvent('download');
      await confirm();
      const path = await (await download).path();
      endWithin();
      expect(await readFile(path, 'utf8')).toContain('lead-model');
      expect(await cli('report', 'export')).toContain('lead-model');
    });
  });
});
