/** @module-tag nightly */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../src/demo/scripted-provider';
import type { OpenedCore } from '../../src/node/attach-core';
import { openCore } from '../../src/node/open-core';
import { createSandbox, type OpencodeServer, type Sandbox, startOpencode, textOf } from '../../src/node/opencode';
import { type PanelServer, startPanelServer } from '../../src/panel/server';
import { leaveBrowser, openBrowser, openPage, picture } from '../support/browser';
import { builtPlugin } from '../support/built-companion';
import { eventually } from '../support/eventually';
import { knowOpencode } from '../support/known-opencode';
import { opencodeBinary } from '../support/opencode-binary';
import { providerConfig } from '../support/opencode-provider-config';
import { handsOn } from '../support/page-hands';
import { lean } from '../support/stage';

const ROOT = join(import.meta.dirname, '..', '..');
const MODELS = { alpha: ['alpha-one'], beta: ['beta-one'] } as const;
const CHAIN = { agents: { '*': { fallbackModels: ['beta/beta-one'] } } };
const OWN = { defaults: { vendorLock: true, maxFallbackDepth: 2, policy: 'council' } };
const THEIRS = (maxFallbackDepth: number) =>
  JSON.stringify({
    ...CHAIN,
    defaults: { vendorLock: false, maxFallbackDepth, policy: 'swift' },
    patterns: ['no more credits'],
  });
const FILE = '.opencode/model-fallback.json';
const VENDOR = 'Stay with one vendor';
const DEPTH = 'Switches per turn';

let provider: ScriptedProvider;
let sandbox: Sandbox;
let server: OpencodeServer;
let core: OpenedCore;
let panel: PanelServer;
let browser: Browser;
let page: Page;
let complaints: string[];
const { tabTo, violations } = handsOn(() => page);

beforeAll(async () => {
  provider = await startScriptedProvider();
  const root = await mkdtemp(join(tmpdir(), 'us-'));
  const config = {
    model: 'alpha/alpha-one',
    plugin: [pathToFileURL(builtPlugin()).href],
    provider: providerConfig(provider.url, MODELS),
  };
  sandbox = await lean(await createSandbox({ root, git: true, config, files: { [FILE]: THEIRS(9) } }));
  await writeFile(join(sandbox.configDirectory, 'model-fallback.json'), JSON.stringify(OWN));
  const env = { ...sandbox.env, UNDERSTUDY_HOME: join(root, 'u') };
  const binary = await opencodeBinary();
  await knowOpencode(env.UNDERSTUDY_HOME, binary);
  core = await openCore({ version: '0.1.0', runtime: 'test', env });
  panel = await startPanelServer({ host: core.host, rendererRoot: join(ROOT, 'out', 'renderer'), port: 0 });
  server = await startOpencode({ binary, sandbox, env });
  browser = await openBrowser();
  ({ page, complaints } = await openPage(browser, panel.url));
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
  await panel?.close();
  await core?.close();
  await provider?.close();
  await rm(sandbox.root, { recursive: true, force: true, maxRetries: 5 });
});
beforeEach(() => {
  provider.clear();
  provider.script('alpha-one', [{ kind: 'status', status: 401 }]);
  provider.script('beta-one', [{ kind: 'text', text: 'UNDERSTUDY ANSWERS' }]);
});

/** What a turn of the project says; its error where it has no answer. */
async function ask(): Promise<string> {
  await core.host.handlers['health.reset']({ target: { all: true }, rev: Number.MAX_SAFE_INTEGER, actor: 'test' });
  const answer = await server.prompt(await server.createSession(sandbox.directory), { text: 'One' });
  return textOf(answer);
}
const act = (name: string) => page.getByRole('button', { name, exact: true });
async function press(name: string): Promise<void> {
  await act(name).waitFor();
  await tabTo(name);
  await page.keyboard.press('Enter');
}

/** Looks at both themes at both widths. @returns what axe finds, and where the page is wider than the window. */
async function look(name: string): Promise<string[]> {
  const wrong: string[] = [];
  const isAsking = await page.locator('dialog[open]').isVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1280, 640]) {
      await page.setViewportSize({ width, height: 820 });
      await picture(page, `panel/${name}-${colorScheme}-${width}`, { fullPage: !isAsking });
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
        wrong.push(`${colorScheme} ${width}`);
    }
    wrong.push(...(await violations(`${name} ${colorScheme}`)));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 820 });
  return wrong;
}

/** The name of what has the focus: its own, or that of its heading. */
const focused = () =>
  page.evaluate<string>(`(() => {
    const at = document.activeElement;
    return at.ariaLabel ?? document.getElementById(at.getAttribute('aria-labelledby'))?.textContent ?? at.tagName;
  })()`);

describe('given a project that would leave the vendor the user stays with', () => {
  it('when nobody has said yes, then the user’s word counts, and a warning leads to what it asks for', async () => {
    expect(await ask()).toBe('');
    await page.getByRole('link', { name: 'Review' }).first().click();
    await act(`Allow ${VENDOR} in project`).waitFor();
    expect(await page.getByRole('row').filter({ hasText: DEPTH }).innerText()).toMatch(/9\s+2\s+Allow…/);
    expect(await look('trust')).toEqual([]);
  });

  it('when it is allowed with a keyboard, then the project’s word counts without a restart', async () => {
    for (const name of [VENDOR, 'Policy, all agents']) {
      await press(`Allow ${name} in project`);
      await page.getByRole('dialog').getByText('It takes effect in this project').waitFor();
      if (name === VENDOR) expect(await look('trust-question')).toEqual([]);
      await press('Allow');
      await act(`Revoke ${name} in project`).waitFor();
      // The row that was asked from is gone; a keyboard goes on beside it.
      expect(await focused()).toMatch(/^(What project asks for|project)$/);
    }
    expect(await look('trust-given')).toEqual([]);
    await eventually(async () => (await ask()) === 'UNDERSTUDY ANSWERS');
  });

  it('when it is taken back, then the user’s word counts again without a restart', async () => {
    await press(`Revoke ${VENDOR} in project`);
    await act(`Allow ${VENDOR} in project`).waitFor();
    expect(await ask()).toBe('');
  });

  it('when the value changes while its question is open, then the yes to the old one is refused in words', async () => {
    await press(`Allow ${DEPTH} in project`);
    await writeFile(join(sandbox.directory, FILE), THEIRS(99));
    await press('Allow');
    await page.getByText('changed meanwhile. Nothing was allowed; review them again.').first().waitFor();
    await page.getByRole('row').filter({ hasText: DEPTH }).filter({ hasText: '99' }).waitFor();
    expect(await act(`Revoke ${DEPTH} in project`).count()).toBe(0);
  });

  it('when two windows are open, then what one allows stands in the other, without a complaint', async () => {
    const other = await page.context().newPage();
    await other.goto(panel.url);
    await other.evaluate(`location.hash = '#/settings/projects'`);
    await other.getByRole('button', { name: `Allow ${DEPTH} in project` }).waitFor();
    await press(`Allow ${DEPTH} in project`);
    await press('Allow');
    await other.getByRole('button', { name: `Revoke ${DEPTH} in project` }).waitFor();
    expect(complaints).toEqual([]);
  });
});
