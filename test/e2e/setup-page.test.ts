import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../src/demo/scripted-provider';
import { createSandbox, type OpencodeServer, type Sandbox, startOpencode } from '../../src/node/opencode';
import { leaveBrowser, openBrowser, openPage, picturesOf, THEMES } from '../support/browser';
import { eventually } from '../support/eventually';
import { startJourney } from '../support/journey';
import { opencodeBinary } from '../support/opencode-binary';
import { providerConfig } from '../support/opencode-provider-config';
import { handsOn } from '../support/page-hands';
import { type PanelProcess, startPanel } from '../support/panel-process';
import { COMMAND_LINE } from '../support/program-output';
import { lean } from '../support/stage';

const MODELS = { alpha: ['lead-model'], beta: ['understudy-model'] } as const;
const [LEAD, UNDERSTUDY] = ['alpha/lead-model', 'beta/understudy-model'];

let root: string;
let home: string;
let sandbox: Sandbox;
let provider: ScriptedProvider;
let server: OpencodeServer | undefined;
let panel: PanelProcess;
let browser: Browser;
let page: Page;
let complaints: string[];
const { tabTo, tabUntil, violations } = handsOn(() => page);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'us-'));
  home = join(root, 'u');
  provider = await startScriptedProvider();
  const binary = await opencodeBinary();
  const config = { model: LEAD, provider: providerConfig(provider.url, MODELS) };
  sandbox = await lean(await createSandbox({ root, git: true, config }));
  panel = await startPanel(home, { ...sandbox.env, OPENCODE_BIN: binary.path });
  browser = await openBrowser();
  ({ page, complaints } = await openPage(browser, panel.url));
  await page.evaluate(`location.hash = '#/setup'`);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
  await panel?.kill();
  await provider?.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

const heading = (text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor();
const configuration = () => readFile(join(sandbox.configDirectory, 'opencode.json'), 'utf8');

const ownFile = () => readFile(join(sandbox.configDirectory, 'model-fallback.json'), 'utf8');

let journey: ReturnType<typeof startJourney> | null = null;

async function press(name: string): Promise<void> {
  await tabTo(name);
  journey?.did('click');
  await page.keyboard.press('Enter');
}

/** Violations that axe finds in each theme. */
async function look(name: string): Promise<string[]> {
  const found: string[] = [];
  for (const theme of THEMES) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    found.push(...(await violations(`${name} ${theme}`)));
    await picturesOf(page, `panel/${name}-${theme}`, { fullPage: true });
  }
  return found;
}

describe('given a user who has OpenCode, the panel and a keyboard', () => {
  it('when they add the line, start OpenCode, make a drill and take the line out, then each step is seen and the file is what it was', async () => {
    const before = await configuration();
    await heading('One line connects OpenCode.');
    await page.getByText('plugin/opencode-understudy').first().waitFor();
    expect(await look('setup-connect')).toEqual([]);
    expect(await configuration()).toBe(before);

    journey = startJourney('from a panel that was never set up to four agents protected, with one start of OpenCode');
    await press('Add the line');
    await heading('Restart OpenCode once.');
    expect(JSON.parse(await configuration())).toEqual({
      ...JSON.parse(before),
      plugin: [expect.stringMatching(/^file:\/\/.*opencode-understudy\.js$/)],
    });

    server = await startOpencode({ binary: await opencodeBinary(), sandbox, env: { UNDERSTUDY_HOME: home } });
    await server.request('GET', '/session', { directory: sandbox.directory });
    await heading('Connected, but no agent is protected yet.');
    await page.getByRole('heading', { level: 3, name: 'build' }).waitFor();
    expect(await look('setup-chains')).toEqual([]);

    await page.locator('.protect .diff').getByText(`"beta/understudy-model"`).first().waitFor();
    const untouched = provider.requests().length;
    await press('Protect all');
    // One change, then a drill for each agent: nobody is asked for it.
    await heading('4 of 4 agents are protected.');
    await eventually(
      async () => (await page.locator('.drills li', { hasText: 'failed in the simulation' }).count()) === 4,
    );
    expect(provider.requests().length).toBe(untouched);
    expect(journey.end()).toEqual({ click: 2 });
    // What the wizard has written is all that the doctor asks for.
    const env = { ...sandbox.env, UNDERSTUDY_HOME: home, OPENCODE_BIN: (await opencodeBinary()).path };
    const asDoctor = [...COMMAND_LINE, 'doctor', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, asDoctor, { env, cwd: sandbox.directory });
    const findings = JSON.parse(stdout) as { verdict: string; says: string }[];
    expect(findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    expect(await look('setup-protected')).toEqual([]);
    expect(await ownFile()).toContain(UNDERSTUDY);

    await tabUntil(`it.matches('summary') && it.textContent.startsWith('Which behaviour?')`);
    await page.keyboard.press('Enter');
    await press('Use the published behaviour');
    await page.getByText('Understudy now uses the published behaviour.').waitFor();
    await page.getByRole('heading', { level: 2, name: 'Which behaviour?' }).waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    expect(await ownFile()).toContain('"policy": "published"');
    await press('Undo');
    await page.getByText('Undone.').waitFor();
    expect(await ownFile()).not.toContain('published');

    const asked = provider.requests().length;
    await server.request('GET', '/session', { directory: sandbox.directory });
    await press('Run the drill');
    await page.getByText('In the last drill build switched from').waitFor();
    await heading('4 of 4 agents are protected.');
    await page.getByText('build switched lead-model → understudy-model in').first().waitFor();
    expect(provider.requests().length).toBe(asked);
    expect(await look('setup-done')).toEqual([]);

    await press('Uninstall…');
    await page.getByRole('dialog').getByText('plugin/opencode-understudy').waitFor();
    expect(await look('setup-uninstall')).toEqual([]);
    await press('Remove');
    await page.getByText('The companion is removed from OpenCode’s configuration.').waitFor();
    expect(JSON.parse(await configuration())).toEqual(JSON.parse(before));
    await press('Undo');
    await page.getByText('Undone.').waitFor();
    await eventually(async () => (await configuration()).includes('opencode-understudy'));
    await press('Uninstall…');
    await page.getByRole('dialog').getByText('plugin/opencode-understudy').waitFor();
    await press('Remove');
    await page.getByText('The companion is removed from OpenCode’s configuration.').waitFor();
    await heading('One line connects OpenCode.');
    expect(JSON.parse(await configuration())).toEqual(JSON.parse(before));
    expect(await look('setup-changes')).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
